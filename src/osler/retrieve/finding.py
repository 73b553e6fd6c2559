"""Which sentence of an abstract answers: a linear ranker over what sentences hold.

score(s) = w · x(s), where x holds how much of the question the sentence shares (by idf), where it
stands, which part of the abstract it belongs to, and words by which authors state a result, an aim
or a method. w was learned by logistic regression on sentences of randomised trials that answer
prompts (Evidence Inference; Lehman et al. 2019): ``python benchmarks/evidence.py SET --teach``.
Whether the sentence states a finding at all is told by its part of the abstract, or by a second
model of the same words, learned on abstracts of PubMed whose sections bear labels
(``python benchmarks/findings.py LIB --teach``). All words are looked up as index terms that the
sentence has been cut into anyway; Chinese ones are pairs of characters, as the index holds them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from osler.stopping import check_stopped
from osler.store.analyser import analyse, terms_of_sentence

Features = dict[str, float]

_CUES = {
    "significant": "significant significantly 显著 统计",
    "compared": "compared versus vs than respectively 相比 比较 高于 低于 优于 大于 小于",
    "more": "increased higher greater improved more better longer increase improvement "
    "升高 增加 提高 改善 延长",
    "less": "decreased lower reduced reduction fewer less decrease shorter decline "
    "降低 减少 下降 缩短",
    "same": "difference differ similar comparable unchanged equivalent 差异 相似 无差",
    "effect": "effect associated effective efficacy led resulted showed 有效 相关 导致",
    "not": "no not neither nor without 没有 未见 无显",
    "ratio": "ci confidence odds hazard ratio rr or hr median mean sd 风险 均值",
    "found": "found observed demonstrated revealed indicated occurred achieved 发现 表明 结果",
    "aim": "aim aimed objective purpose investigate evaluate determine assess examine hypothesis "
    "whether sought 目的 探讨 评价 研究",
    "method": "randomized randomised randomly assigned allocated enrolled recruited measured "
    "received underwent performed registered eligible design 随机 方法 分为 选取 给予",
    "known": "background unknown unclear recent common important known 背景",
    "future": "further future needed warranted should may might 进一 需要",
    "conclude": "conclusion conclude suggest suggests therefore thus 结论 提示",
    "people": "patients participants women men children subjects 患者 病人",
    "outcome": "primary outcome endpoint secondary 终点",
}
_PARTS = (
    ("results", r"results?|findings?|main outcomes? and results|结果"),
    ("conclusion", r"conclusions?|interpretation|discussion|结论"),
    ("methods", r"(?:materials? and )?methods?|design|setting|patients|participants|interventions?"
     r"|trial registration|funding|方法"),
    ("aim", r"background|objectives?|aims?|purpose|introduction|context|目的|背景"),
)  # fmt: skip
_LABEL = re.compile(
    r"\W{0,3}(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _PARTS) + r")"
    r"(?:[ /,&a-z]{0,40})?[::]",
    re.IGNORECASE,
)
_P = re.compile(r"\bp\s?[<=>≤≥]|[Pp]-value", re.IGNORECASE)
# What it cannot be without, and what most sentences lack.
_VALUE = re.compile("[<=>≤≥]")
_NUMBER = re.compile(r"\d+(?:[.·]\d+)?")
_USUAL_TERMS = 25
"""A sentence of this many terms is neither favoured nor held back for its length."""


@cache
def _cues() -> dict[str, tuple[str, ...]]:
    """For each index term the cues that it belongs to."""
    table: dict[str, tuple[str, ...]] = {}
    for name, words in _CUES.items():
        for term in dict.fromkeys(analyse(words)):
            table[term] = (*table.get(term, ()), name)
    return table


def part_of_label(label: str) -> str:
    """The part of an abstract that a label names; empty where it names none of them."""
    match = _LABEL.match(f"{label}:")
    return match.lastgroup or "" if match else ""


class Sentences:
    """What the sentences of one text hold, whatever is asked: how many terms each has, in which of
    them each term stands, and the features that no question changes. These are found out when a
    question first shares a word with the sentence."""

    def __init__(self, texts: Sequence[str], parts: Sequence[str] = ()) -> None:
        """``parts`` are the sentences' parts of the abstract, where its sections say so."""
        lengths: list[int] = []
        held: dict[str, list[int]] = {}
        standing: list[str] = []
        part = ""
        for at, text in enumerate(texts):
            check_stopped()
            given = parts[at] if parts else ""
            match = None if given else _LABEL.match(text)
            part = given or (match.lastgroup or "" if match else part)
            standing.append(part)
            terms = terms_of_sentence(text)
            lengths.append(len(terms))
            for term in set(terms):
                held.setdefault(term, []).append(at)
        self.lengths = tuple(lengths)
        self._held = {term: tuple(places) for term, places in held.items()}
        self._parts = tuple(standing)
        self._texts = tuple(texts)
        self._fixed: list[Features | None] = [None] * len(texts)

    def overlaps(self, weights: Mapping[str, float]) -> list[float]:
        """How much of a question each sentence shares, by idf, beside its length."""
        total = sum(weights.values()) or 1.0
        shared = [0.0] * len(self.lengths)
        # In the order of the question, so that the sum is the same in every run.
        for term, weight in weights.items():
            for at in self._held.get(term, ()):
                shared[at] += weight
        return [
            weight / total / (0.75 + 0.25 * length / _USUAL_TERMS)
            for weight, length in zip(shared, self.lengths, strict=True)
        ]

    def row(self, at: int, overlap: float, most: float) -> Features | None:
        """The features of a sentence; None for one without a word. ``most`` is the largest overlap
        of the text."""
        if not self.lengths[at]:
            return None
        fixed = self._fixed[at]
        if fixed is None:
            fixed = self._fixed[at] = self._read(at)
        row = {"overlap": overlap, **fixed}
        if most > 0:
            row["overlap of best"] = overlap / most
            if "in results" in row or "significant" in row or "p" in row:
                row["result that shares"] = overlap / most
        return row

    def _read(self, at: int) -> Features:
        text, last = self._texts[at], len(self._texts) - 1
        row: Features = {}
        for term in set(terms_of_sentence(text)).intersection(_cues()):
            for name in _cues()[term]:
                row[name] = 1.0
        if part := self._parts[at]:
            row[f"in {part}"] = 1.0
        place = at / max(1, last)
        row["place"], row["place squared"] = place, place * place
        if at == last:
            row["last"] = 1.0
        if "%" in text or "％" in text:
            row["percent"] = 1.0
        if (_VALUE.search(text) or "-value" in text.lower()) and _P.search(text):
            row["p"] = 1.0
        numbers = len(_NUMBER.findall(text))
        row["numbers"] = min(numbers, 6) / 6
        row["long"] = min(self.lengths[at], 60) / 60
        return row


def features(
    texts: Sequence[str], weights: Mapping[str, float], parts: Sequence[str] = ()
) -> list[Features | None]:
    """The features of the sentences of one text, in their order; None for one without a word.
    ``parts`` are their parts of the abstract where its sections say so."""
    sentences = Sentences(texts, parts)
    overlaps = sentences.overlaps(weights)
    most = max(overlaps, default=0.0)
    return [sentences.row(at, overlap, most) for at, overlap in enumerate(overlaps)]


SURE = 0.25
"""A sentence that is less likely to state a finding than this is said to state none."""
STATED = ("in results", "in conclusion")
UNSTATED = ("in aim", "in methods")


class FindingWeights(msgspec.Struct, frozen=True):
    """What each feature is worth, and what taught it. ``role`` tells sentences of results and
    conclusions from those of aims and methods by their words, where no label of the abstract does;
    its ``""`` is the bias."""

    weights: dict[str, float]
    taught_by: str = ""
    role: dict[str, float] = {}
    role_taught_by: str = ""

    def states(self, row: Features) -> bool:
        """Whether a sentence states a finding: by the part of the abstract that it stands in, else
        p(finding | words) = 1 / (1 + exp(-(b + w x)))."""
        if any(name in row for name in (*STATED, *UNSTATED)):
            return any(name in row for name in STATED)
        score = self.role.get("", 0.0) + sum(
            self.role.get(name, 0.0) * row[name] for name in sorted(row)
        )
        return 1.0 / (1.0 + math.exp(-score)) >= SURE

    def score(self, row: Features) -> float:
        table = self.weights
        return sum([table.get(name, 0.0) * row[name] for name in sorted(row)])


@lru_cache(maxsize=1)
def shipped() -> FindingWeights:
    """The weights of the package."""
    data = (files("osler.retrieve") / "finding.json").read_bytes()
    return msgspec.json.decode(data, type=FindingWeights)
