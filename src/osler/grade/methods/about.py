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
from osler.grade.grader import Floats, Grader, Ints, Progress, State, graders
from osler.grade.heat import counted_heats
from osler.grade.pair import Pair
from osler.grade.scale import GRADES, PAPER, SCALES, scale_of
from osler.kinds import Heat

HEAD, TAIL = "head", "tail"
TOGETHER = "any both"
"""The feature that says that a sentence names both ends."""
CLASSES = ("yes", "no")
APART = 0.05
"""What is left of the probability where no sentence names both ends: the share of such pairs that
indexers joined (.037 of 1,091 and .049 of 3,220)."""
CUTS = (0.5, 0.25, 0.08)
"""From which probability on a paper is about the fact (H), speaks of it (F), mentions it (M)."""
SPREAD = 1.5
"""How far two heads are apart, in log odds (root mean square): one taught by indexers, one by the
annotators of bc5cdr (``benchmarks/relevance.py`` prints it). A grade is no surer than that."""
GAINS = np.array([1.0, 2 / 3, 1 / 3, 0.0])
"""What H, F, M and I are worth in a list."""
NORMAL = 1.702
"""A logistic curve of this slope over a deviation is within .01 of the normal one."""
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
        return self._relevance(pairs, [pair_row(pair) for pair in pairs])

    def _relevance(self, pairs: Sequence[Pair], rows: Sequence[Features]) -> Floats:
        table = [self._probability(pair, row) for pair, row in zip(pairs, rows, strict=True)]
        return np.asarray(table, dtype=np.float64)

    def _probability(self, pair: Pair, row: Features) -> float:
        kind = kind_of(pair.fact.relation)
        if kind in self.heads:
            heads = [self.heads[kind]]
        else:
            heads = list(self.heads.values())
            row = {name: value for name, value in row.items() if name[1:2] != ":"}
        probability = float(np.mean([head.probabilities(row)[0] for head in heads]))
        # Apart, the order stays and the size is that of such pairs.
        return probability if row.get(TOGETHER) else 2 * APART * probability

    def scores(self, pairs: Sequence[Pair]) -> Floats:
        return self.relevance(pairs)

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        """H, F, M, I: the probability's place among the cuts, blurred by ``SPREAD``. A paper that
        names both ends in one sentence mentions the fact at least: "not about it" is for those that
        do not."""
        rows = [pair_row(pair) for pair in pairs]
        return self._mentioned(self._blurred(self._relevance(pairs, rows)), rows)

    def with_gains(self, pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
        """The order is that of the probability alone: that a sentence names both is in it."""
        rows = [pair_row(pair) for pair in pairs]
        blurred = self._blurred(self._relevance(pairs, rows))
        return self._mentioned(blurred, rows), blurred @ GAINS

    def _blurred(self, relevance: Floats) -> Floats:
        """P(H), P(F), P(M), P(I) of each probability."""
        p = np.clip(relevance, 1e-6, 1 - 1e-6)
        odds = np.log(p / (1 - p))
        high, fair, marginal = (
            1 / (1 + np.exp(-NORMAL * (odds - np.log(cut / (1 - cut))) / SPREAD)) for cut in CUTS
        )
        return np.stack([high, fair - high, marginal - fair, 1 - marginal], axis=1)

    def _mentioned(self, table: Floats, rows: Sequence[Features]) -> Floats:
        """Labels of the scale; where a sentence names both ends, what was I's is M's."""
        together = np.asarray([bool(row.get(TOGETHER)) for row in rows])
        table = table.copy()
        table[together, 2] += table[together, 3]
        table[together, 3] = 0.0
        # Labels that stand for one grade share its part.
        columns = [GRADES.index(grade) for grade in self.scale.grades]
        return np.asarray(table[:, columns] / np.bincount(columns)[columns], dtype=np.float64)

    def called(self, grades: Floats) -> Ints:
        """The one in the middle: half of the probability lies at it or above, half at it or below.
        Cuts lie nearer to each other than the probability is sure, so that the likeliest would
        hardly ever be one between two others."""
        above = np.cumsum(grades, axis=1)
        return np.asarray((above >= 0.5 - 1e-9).argmax(1), dtype=np.int64)

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
