"""The design of a paper: what indexers say outright first, then a small model of its words.

Each label is judged for itself: p(label | x) = 1 / (1 + exp(-(w x + b))), logistic regression over
the features of ``features.py``. The weights that ship (``weights.json``) were taught by PubMed's
publication types and headings: ``python benchmarks/design.py --teach`` makes them again.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from importlib.resources import files

import msgspec

from osler.kinds import Document
from osler.text.design.features import Weighed
from osler.text.design.names import ANIMAL, DESIGNS
from osler.text.design.told import told

SURE = 0.5
"""A label that is less probable than this is not told."""
# An indexer's "Review" covers systematic ones too, and letters report cases: the text may say more.
_BROAD = {"review", "editorial", "trial", "cohort"}
_KEPT = 100_000


class Design(msgspec.Struct, frozen=True):
    """A design and how sure it is, None where there is none; ``told`` where an indexer names it."""

    name: str = ""
    probability: float | None = None
    told: bool = False


class Weights(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """For each feature its weight by label, as pairs of the label's number and the weight."""

    labels: tuple[str, ...]
    bias: tuple[float, ...]
    weights: dict[str, tuple[tuple[int, float], ...]]
    taught_by: tuple[str, ...] = ()

    @cached_property
    def _weighed(self) -> Weighed:
        return Weighed(self.weights)

    def probabilities(self, title: str, abstract: str) -> dict[str, float]:
        scores = list(self.bias)
        table = self.weights
        for name, value in self._weighed.features_of(title, abstract).items():
            for at, weight in table.get(name, ()):
                scores[at] += value * weight
        return {
            label: 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))
            for label, score in zip(self.labels, scores, strict=True)
        }


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights of the package."""
    data = (files("osler.text.design") / "weights.json").read_bytes()
    return msgspec.json.decode(data, type=Weights)


_known: dict[int, Design] = {}


def design_of(document: Document) -> Design:
    """The design of a paper; its name is empty where neither indexers nor words tell."""
    headings = tuple(heading.name for heading in document.headings)
    key = hash((document.title, document.abstract, document.types, headings))
    known = _known.get(key)
    if known is None:
        if len(_known) >= _KEPT:
            _known.clear()
        known = _known[key] = _judge(document, headings)
    return known


def _judge(document: Document, headings: tuple[str, ...]) -> Design:
    named = told(document.types, headings)
    for design in DESIGNS:
        if design in named and design not in _BROAD:
            return Design(design, 1.0, told=True)
    if not document.title and not document.abstract:
        return Design()
    judged = shipped().probabilities(document.title, document.abstract)
    if "human" not in named and judged["human"] < SURE:
        judged[ANIMAL] = judged["rodent"]
    broad = next((design for design in DESIGNS if design in named), "")
    for design in DESIGNS:
        # What the words say must be narrower than what the indexer says.
        if design == broad:
            return Design(design, 1.0, told=True)
        if judged.get(design, 0.0) >= SURE and not _wider(design, judged):
            return Design(design, round(judged[design], 3))
    return Design()


def _wider(design: str, judged: dict[str, float]) -> bool:
    """Whether a later design is clearly more probable: the order breaks near ties alone."""
    best = max(judged.get(other, 0.0) for other in DESIGNS)
    return judged[design] < best - 0.3
