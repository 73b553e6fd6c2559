"""Whether an answer answers: a probability for each of the first, and what is said where none does.

The first ``SEEN`` answers of a ranking are read for signs (:mod:`osler.match.signs`) and weighed by
what MedQuAD taught. Where even the best stays below ``Learned.least``, none of them answers, and
the reason is said: what the nearest does not name, or what it says nothing of. From
``Learned.perhaps`` on the nearest may answer all the same, and that is said in place of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from osler.kinds import EvidenceSentence, GradeReason
from osler.match.matcher import Candidate
from osler.match.signs import SignReader, head_name
from osler.text.chance import chance
from osler.text.scripts import CJK_CHARACTER

CHINESE = "bge-small-zh"
"""The encoder of Chinese whose cosines were weighed, as it is fetched."""
SEEN = 12
"""Answers that are read closely: as many as the weights were taught with."""
ANSWERS, NOT = "answers", "does not answer"
ASKED = {
    "about": ("what it is", "是什么"),
    "symptom": ("symptoms", "症状"),
    "treat": ("a treatment", "治疗"),
    "inherit": ("inheritance", "遗传"),
    "spread": ("how it spreads", "传播"),
    "cause": ("a cause", "原因"),
    "frequency": ("how common it is", "发病率"),
    "test": ("a test", "检查"),
    "outlook": ("the outlook", "预后"),
    "risk": ("who is at risk", "易患人群"),
    "prevent": ("prevention", "预防"),
    "complication": ("what it leads to", "并发症"),
    "diet": ("food", "饮食"),
    "dose": ("a dose", "用量"),
    "safety": ("safety", "安全性"),
}
"""What a question may ask for, as a reader is told."""


@dataclass(frozen=True)
class Judged:
    """A candidate with the probability that it answers, and what made it."""

    candidate: Candidate
    probability: float
    raw: dict[str, float] = field(default_factory=dict)
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def log_odds(self) -> float:
        return sum(self.parts.values())


class Answering:
    """Judges candidates; ``reader`` has the texts, the graph and the encoder."""

    def __init__(self, reader: SignReader) -> None:
        self.reader = reader
        self.least = reader.table.least
        self.perhaps = reader.table.perhaps

    def judged(self, question: str, candidates: Sequence[Candidate]) -> list[Judged]:
        """The first candidates with their probabilities, in the order given."""
        some = list(candidates[:SEEN])
        stored = bool(some) and all(one.question for one in some)
        if not stored:
            some = [Candidate(one.id, one.text) for one in some]
        name = head_name(
            stored=stored,
            encoder=self.reader.reads(question),
            chinese=bool(CJK_CHARACTER.search(question)),
        )
        head = self.reader.table.heads[name]
        signs = self.reader.read(question, some)
        return [
            Judged(
                one,
                head.probability(row),
                {name: row[name] for name in head.weights},
                head.parts(row),
            )
            for one, row in zip(candidates[:SEEN], signs, strict=True)
        ]

    def nearest(self, question: str, candidates: Sequence[Candidate]) -> list[int]:
        """The places of stored pairs in the order in which they are to be read closely."""
        return self.reader.nearest(question, candidates)

    def verdict(self, one: Judged) -> GradeReason:
        answers = one.probability >= self.least
        sure = round(one.probability, 4)
        return GradeReason(ANSWERS if answers else NOT, sure if answers else round(1 - sure, 4),
                           {ANSWERS: sure, NOT: round(1 - sure, 4)}, calibrated=True)  # fmt: skip

    def sentence(self, question: str, text: str) -> EvidenceSentence | None:
        """The first sentence of the part that answers: of those nearly as near as the nearest."""
        likes = self.reader.sentence_likeness(question, text)
        if not likes:
            return None
        best = max(likes)
        at = next(n for n, like in enumerate(likes) if like >= NEARLY * best)
        start, end = self.reader.spans(text)[at]
        return EvidenceSentence(text[start:end], start, end, round(likes[at], 4))

    def words_alone(self, question: str) -> str:
        """That words alone decide on a Chinese question, and how to change it; else empty."""
        if not CJK_CHARACTER.search(question) or self.reader.reads(question):
            return ""
        return f"只按字词判断：没有读中文的编码器（osler fetch {CHINESE}）"

    def none_said(self, question: str, judged: Sequence[Judged]) -> str:
        """That nothing here answers, or that the nearest may, and why not surely; empty where
        something does."""
        if judged and max(one.probability for one in judged) >= self.least:
            return ""
        chinese = bool(CJK_CHARACTER.search(question))
        if not judged:
            return "这里没有能回答这个问题的内容" if chinese else "nothing here answers that"
        near = max(judged, key=lambda one: one.probability)
        lacking = self.reader.lacking(question, near.candidate)
        kind = ASKED.get(self.reader.kind(question), ("", ""))[chinese]
        unsure = near.probability >= self.perhaps
        if chinese:
            why = f"最接近的一条没有提到{'、'.join(lacking)}" if lacking else ""
            why = why or (f"最接近的一条没有谈到{kind}" if kind else "最接近的一条谈的是别的")
            said = "最接近的一条也许能回答，请先看清楚" if unsure else "这些都没有回答这个问题"
            return f"{said}（{why}；概率 {near.probability:.2f}）"
        why = f"the nearest does not name {', '.join(lacking)}" if lacking else ""
        why = why or (
            f"the nearest says too little of {kind}"
            if kind
            else "the nearest is about something else"
        )
        said = (
            "the nearest may answer that, look closely" if unsure else "none of these answers that"
        )
        return f"{said}: {why} (probability {chance(near.probability)})"


NEARLY = 0.9
"""Sentences this near to the nearest count as part of what answers."""
