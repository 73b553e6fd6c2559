"""About: how far a paper is about a fact, learned from facts that indexers wrote; ours.

A linear head over the places of the two ends and the words around them (``osler.grade.about``).
The weights that ship were taught by MeSH's qualifiers in PubMed: drug and disease pairs that an
indexer joined against those that the same paper names as well. Grades are read off the probability:
``CUTS``. A relation of another kind than cause or treatment is graded by the mean of both heads,
without the words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, Self

import msgspec
import numpy as np

from osler.claims.heads import LinearHead, fit
from osler.grade.about import Features, Named, fact_features
from osler.grade.cues import group_of
from osler.grade.grader import Floats, Grader, Progress, State, graders
from osler.grade.heat import counted_heats
from osler.grade.pair import Pair
from osler.grade.scale import GRADES, PAPER, SCALES, scale_of
from osler.kinds import Heat

HEAD, TAIL = "head", "tail"
CLASSES = ("yes", "no")
APART = 0.05
"""What is left of the probability where no sentence names both ends: the share of such pairs that
indexers joined (.037 of 1,091 and .049 of 3,220)."""
CUTS = (0.5, 0.25, 0.08)
"""From which probability on a paper is about the fact (H), speaks of it (F), mentions it (M)."""
SHARP = 6.0
"""How fast the grade changes at a cut, on the scale of log odds over this."""
_GROUPS = {
    "cause": "causes",
    "adverse": "causes",
    "complication": "causes",
    "treat": "treats",
    "prevent": "treats",
}


@graders.register("about")
class About(Grader):
    """See the file."""

    name = "about"
    help = "places of both ends and the words around them, taught by MeSH's qualifiers; ours"
    learns = False

    def __init__(self, heads: Mapping[str, LinearHead] | None = None) -> None:
        self.heads = dict(heads) if heads is not None else dict(shipped())
        self.scale = PAPER

    def fit(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        """Heads of one's own, by group of relations, from pairs with labels: H and F are yes."""
        labels = [str(pair.label) for pair in pairs if pair.label is not None]
        if labels:
            self.scale = scale_of(labels)
        grades = dict(zip(self.scale.labels, self.scale.grades, strict=True))
        rows: dict[str, list[tuple[Features, str]]] = {}
        for pair in pairs:
            if pair.label is not None:
                answer = "yes" if grades[str(pair.label)] in ("H", "F") else "no"
                rows.setdefault(kind_of(pair.fact.relation), []).append((pair_row(pair), answer))
        for kind, examples in rows.items():
            if len({answer for _, answer in examples}) == 2:
                features = [row for row, _ in examples]
                self.heads[kind] = fit(features, [a for _, a in examples], CLASSES, strength=0.1)
        return self

    def relevance(self, pairs: Sequence[Pair]) -> Floats:
        """P(the paper is about the fact)."""
        return np.asarray([self._probability(pair) for pair in pairs], dtype=np.float64)

    def _probability(self, pair: Pair) -> float:
        row = pair_row(pair)
        kind = kind_of(pair.fact.relation)
        if kind in self.heads:
            heads = [self.heads[kind]]
        else:
            heads = list(self.heads.values())
            row = {name: value for name, value in row.items() if name[1:2] != ":"}
        probability = float(np.mean([head.probabilities(row)[0] for head in heads]))
        # Apart, the order stays and the size is that of such pairs.
        return probability if row.get("any both") else 2 * APART * probability

    def scores(self, pairs: Sequence[Pair]) -> Floats:
        return self.relevance(pairs)

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        """H, F, M, I: the probability's place among the cuts, blurred."""
        p = np.clip(self.relevance(pairs), 1e-6, 1 - 1e-6)
        odds = np.log(p / (1 - p))
        above = []
        for cut in CUTS:
            at = np.log(cut / (1 - cut))
            above.append(1 / (1 + np.exp(-SHARP * (odds - at) / 2)))
        high, fair, marginal = above
        table = np.stack([high, fair - high, marginal - fair, 1 - marginal], axis=1)
        table = np.clip(table, 1e-6, None)
        table /= table.sum(1, keepdims=True)
        # Labels that stand for one grade share its part.
        columns = [GRADES.index(grade) for grade in self.scale.grades]
        return np.asarray(table[:, columns] / np.bincount(columns)[columns], dtype=np.float64)

    def heats(self, pair: Pair) -> tuple[Heat, ...]:
        return counted_heats(pair)

    def state(self) -> State:
        return {}, {"heads": msgspec.to_builtins(self.heads), "scale": self.scale.name}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        grader = cls(msgspec.convert(config["heads"], dict[str, LinearHead]))
        grader.scale = SCALES[config.get("scale", PAPER.name)]
        return grader


def kind_of(relation: str) -> str:
    """Which head a relation has: ``causes``, ``treats``, or its group's own name."""
    group = group_of(relation)
    return _GROUPS.get(group, group)


def inverse(relation: str) -> bool:
    """ "Treated by", "due to": the tail acts on the head."""
    words = relation.lower().split()
    return bool(words) and (words[-1] == "by" or words[-2:] == ["due", "to"])


def pair_row(pair: Pair) -> Features:
    """Features of a pair; the other entities of the paper where a linker told them."""
    where = pair.places
    places = {f"x{number}": spots for number, spots in enumerate(pair.others)}
    ends = (where.tails, where.heads) if inverse(pair.fact.relation) else (where.heads, where.tails)
    places |= {HEAD: ends[0], TAIL: ends[1]}
    paper = Named(pair.text, places, title_end=len(pair.title))
    return fact_features(paper, HEAD, TAIL)


@lru_cache(maxsize=1)
def shipped() -> dict[str, LinearHead]:
    """The heads of the package."""
    data = (files("osler.grade") / "about.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, LinearHead])
