"""Whether a list answers its question: answered, near, or nothing here.

p(answered | q, list) = max over papers d of 1 / (1 + exp(-(b + w x(q, d)))): a list answers as far
as its best paper does. Of each paper that is looked at, x says

- lacking: -ln(1 + what the parts of the question weigh that it lacks) (``question_parts``). A part
  that it holds in other words counts as held as far as the words are alike (``likeness``), so that
  "fat patients" are held by a paper on obesity;
- cosine: how near it is to the question by vectors. A paper that is near and holds other things,
  and one that holds the words in passing and is far, both say less than one that is near and holds
  them;
- title: 1 where its title holds every part, which is what a paper is about;
- parts: ln(1 + how many parts the question has): a long one is seldom held whole.

What speaks for an answer never speaks against one: these weights are not negative. A cosine means
something only beside its encoder: a model is taught for the encoder that ships, and where vectors
are another's, or not there yet, a second model judges by the words alone. The weights that ship
(``verdict.json``) are made again by ``python benchmarks/verdict.py --teach``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import msgspec
import numpy as np

from osler.kinds import Filter, Verdict
from osler.kinds.query import And
from osler.retrieve.channel import Candidates
from osler.retrieve.question_parts import Held, Holding, Part, parts_of, passages_with
from osler.retrieve.view import Request, View
from osler.stopping import check_stopped
from osler.store.analyser import is_chinese

LOOKED_AT = 20
"""Papers of the list that are looked at."""
NEAREST = 5
"""Papers nearest by vectors that are looked at, wherever they are listed."""
TOGETHER = 10
"""Papers beside them that hold all parts, or the two weightiest, wherever they are listed."""
ENOUGH = 0.9
"""The share of papers that must have a vector before the nearest one says anything."""

ANSWERED, NEAR, NOTHING = "answered", "near", "nothing"

UNKNOWN = 0.5
"""The probability where a question holds nothing that could be looked for."""

ENGLISH = {
    "unknown": "the library holds no paper with the {}",
    "no match": "no paper in this library matches the query",
    "no parts": "the question names nothing that could be looked for",
    "absent": "no paper in this library mentions {}",
    "unnamed": "; the terminology has no other name for {}",
    "apart": "no paper in this library is about {} and {}",
    "lacking": "no paper in this library was found to be about all of it; the best lacks {}",
    "unsure": "papers hold these words, but none seems to be about the question",
    "open": "papers hold all of it, but none stands out as the answer",
    "comma": ", ",
    "quote": '"{}"',
}
CHINESE = {
    "unknown": "本库没有 {} 这篇论文",
    "no match": "本库没有论文符合这个检索式",
    "no parts": "问题里没有可以查找的内容",
    "absent": "本库没有论文提到{}",
    "unnamed": "；术语表里没有{}的英文名称，无法查找英文论文",
    "apart": "本库没有论文同时论及“{}”和“{}”",
    "lacking": "本库没有论文论及问题的全部内容，最接近的缺少{}",
    "unsure": "有论文含有这些词，但似乎没有一篇是关于这个问题的",
    "open": "有论文含有问题的全部内容，但没有一篇明显回答这个问题",
    "comma": "、",
    "quote": "“{}”",
}

Features = dict[str, float]


class VerdictModel(msgspec.Struct, frozen=True):
    """Weights by feature, and the two probabilities that part the three verdicts."""

    bias: float
    weights: dict[str, float]
    nothing_below: float
    answered_from: float

    def probability(self, features: Features) -> float:
        score = self.bias + sum(self.weights[name] * features[name] for name in self.weights)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


class VerdictModels(msgspec.Struct, frozen=True):
    """The models of the package and what taught them; ``encoder`` is whose cosines one of them was
    taught with."""

    with_vectors: VerdictModel
    without_vectors: VerdictModel
    encoder: str
    taught_by: str = ""


@lru_cache(maxsize=1)
def shipped() -> VerdictModels:
    """The weights of the package."""
    data = (files("osler.retrieve") / "verdict.json").read_bytes()
    return msgspec.json.decode(data, type=VerdictModels)


@dataclass(frozen=True)
class Looked:
    """A question held against the papers that should answer it: what each of them holds, and what
    the model reads of each."""

    parts: list[Part]
    held: list[Held]
    papers: list[Features]

    def best(self, model: VerdictModel) -> tuple[float, Held | None]:
        """The probability that the best paper answers, and what that paper holds."""
        if not self.papers:
            return 0.0, None
        listed = [model.probability(each) for each in self.papers]
        at = max(range(len(listed)), key=listed.__getitem__)
        return listed[at], self.held[at]


def look(
    text: str,
    rows: Sequence[int],
    view: View,
    *,
    filter: Filter | None = None,
    nearest: Candidates | None = None,
    without: frozenset[int] = frozenset(),
) -> Looked:
    """What can be said of a list: ``rows`` are its papers, best first, ``nearest`` the papers by
    vectors. ``without`` are rows that are treated as if the library did not hold them."""
    parts = parts_of(text, view)
    first = [row for row in rows[: LOOKED_AT + len(without)] if row not in without][:LOOKED_AT]
    others = [row for row in _together(parts, view, filter) if row not in without]
    near = _nearest_rows(nearest, without) if nearest is not None else []
    listed = list(dict.fromkeys([*first, *near, *others]))
    documents = view.papers(listed)
    index = view.knowledge.index if view.knowledge is not None else None
    passages = passages_with(parts, view, LOOKED_AT)
    holding = Holding(parts, index)
    held = {}
    for row in listed:
        check_stopped()
        if row in documents:
            held[row] = holding.of(documents[row], row, passages.get(row, ()))
    papers = _features(parts, held, nearest)
    return Looked(parts, list(held.values()), papers)


def nearest_of(request: Request, view: View) -> Candidates | None:
    """The papers nearest to a question by vectors; None where there are none to compare, not enough
    of them yet, or those of an encoder whose cosines nobody was taught with."""
    if not view.has_vectors() or not view.encoder.reads(request.text):
        return None
    if getattr(view.encoder, "name", "") != shipped().encoder:
        return None
    if view.engine.vector_count(view.encoder.fingerprint) < ENOUGH * view.total:
        return None
    return view.vectors(view.encode(request.text), request.depth, request.filter)


def weightiest(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The two parts that say most of what a question is about."""
    return tuple(sorted(parts, key=lambda part: (-part.weight, part.words))[:2])


def _together(parts: Sequence[Part], view: View, filter: Filter | None) -> list[int]:
    """Papers that hold all parts, and those that hold the two weightiest: by their words, and by
    the terminology's names for the same."""
    index = view.knowledge.index if view.knowledge is not None else None
    rows: list[int] = []
    for chosen in {tuple(parts): None, weightiest(parts): None}:
        if len(chosen) < 2:
            continue
        query = And(tuple(part.node for part in chosen))
        rows += [each.row for each in view.engine.search_words(query, TOGETHER, filter)[:TOGETHER]]
        if index is not None and not filter and all(part.concepts for part in chosen):
            shared = index.holding(chosen[0].concepts)
            for part in chosen[1:]:
                shared = np.intersect1d(shared, index.holding(part.concepts), assume_unique=True)
            rows += shared[:TOGETHER].tolist()
    return rows


def _nearest_rows(nearest: Candidates, without: frozenset[int]) -> list[int]:
    """The rows of the papers that are nearest by vectors."""
    order = np.argsort(-nearest.scores, kind="stable")
    rows = nearest.rows[order[: NEAREST + len(without)]].tolist()
    return [row for row in rows if row not in without][:NEAREST]


def _features(
    parts: Sequence[Part], held: Mapping[int, Held], nearest: Candidates | None
) -> list[Features]:
    """What the model reads of each paper. One beyond the nearest is no nearer than the last."""
    many = math.log1p(len(parts))
    listed = [
        {"lacking": -math.log1p(each.lacking), "title": float(each.title), "parts": many}
        for each in held.values()
    ]
    if nearest is None:
        return listed
    cosines = dict(zip(nearest.rows.tolist(), nearest.scores.tolist(), strict=True))
    least = min(cosines.values(), default=0.0)
    return [
        {**features, "cosine": cosines.get(row, least)}
        for row, features in zip(held, listed, strict=True)
    ]


def verdict_on(
    request: Request, rows: Sequence[int], view: View, *, by_vectors: bool
) -> Verdict | None:
    """The verdict on a list, whose best ``rows`` these are. A paper that the question names is the
    answer; a query of the query language says itself what fits, and is judged only where nothing
    does."""
    say = CHINESE if is_chinese(request.text) else ENGLISH
    if request.unknown:
        sentence = say["unknown"].format(request.unknown)
        return Verdict(kind=NOTHING, probability=0.0, text=sentence, missing=(request.unknown,))
    if request.known is not None and request.known.rows:
        return Verdict(kind=ANSWERED, probability=1.0)
    if request.structured:
        return None if rows else Verdict(kind=NOTHING, probability=0.0, text=say["no match"])
    nearest = nearest_of(request, view) if by_vectors else None
    looked = look(request.text, rows, view, filter=request.filter, nearest=nearest)
    if not looked.parts:
        if not rows:
            return Verdict(kind=NOTHING, probability=0.0, text=say["no parts"])
        return Verdict(kind=NEAR, probability=UNKNOWN, text=say["no parts"])
    return judged(request.text, looked)


def judged(text: str, looked: Looked, models: VerdictModels | None = None) -> Verdict:
    """The verdict on a list that has been looked at."""
    models = models or shipped()
    with_vectors = any("cosine" in each for each in looked.papers)
    model = models.with_vectors if with_vectors else models.without_vectors
    best, held = looked.best(model)
    probability = round(best, 4)
    if probability >= model.answered_from:
        return Verdict(kind=ANSWERED, probability=probability)
    kind = NOTHING if probability < model.nothing_below else NEAR
    missing, sentence = _missing(text, looked, held)
    if not sentence:
        say = CHINESE if is_chinese(text) else ENGLISH
        sentence = say["unsure" if kind == NOTHING else "open"]
    return Verdict(kind=kind, probability=probability, text=sentence, missing=missing)


def _missing(text: str, looked: Looked, best: Held | None) -> tuple[tuple[str, ...], str]:
    """What is missing, and a sentence that says so, in the question's language: none where nothing
    is. ``best`` is what the best paper holds."""
    say = CHINESE if is_chinese(text) else ENGLISH
    parts, held = looked.parts, looked.held
    absent = [parts[at] for at in sorted(_absent(parts, held))]
    if absent:
        names = tuple(part.words for part in absent)
        sentence = say["absent"].format(_quoted(names, say))
        unnamed = [part.words for part in absent if part.unnamed]
        return names, sentence + (say["unnamed"].format(_quoted(unnamed, say)) if unnamed else "")
    pair = weightiest(parts)
    places = {at for at, part in enumerate(parts) if part in pair}
    if len(pair) == 2 and not any(places <= each.parts for each in held):
        names = tuple(part.words for part in parts if part in pair)
        return names, say["apart"].format(*names)
    lacking = [] if best is None else [
        part.words for at, part in enumerate(parts) if at not in best.parts
    ]  # fmt: skip
    if lacking:
        return tuple(lacking), say["lacking"].format(_quoted(lacking, say))
    return (), ""


def _quoted(names: Sequence[str], say: Mapping[str, str]) -> str:
    return say["comma"].join(say["quote"].format(name) for name in names)


def _absent(parts: Sequence[Part], held: Sequence[Held]) -> frozenset[int]:
    """Parts that no paper of the library holds."""
    shown = frozenset[int]().union(*(each.parts for each in held))
    return frozenset(at for at, part in enumerate(parts) if not part.documents and at not in shown)
