"""Scores to grades by thresholds: the published ones, or those that fit the training pairs best."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np

from osler.grade.grader import Floats, Grader, Progress, State, Targets, scale_named
from osler.grade.pair import Pair
from osler.grade.scale import GRADES
from osler.measures.classification import precision_recall_f1

SURE = 0.7
"""Probability of the grade that a score falls into; the others share the rest. A threshold says
nothing of how sure it is."""


class ThresholdGrader(Grader):
    """``published`` takes the paper's thresholds (of H, F, M) on scores scaled to 0-1 by the
    largest of the training pairs; otherwise thresholds are learned."""

    thresholds: ClassVar[tuple[float, float, float]]

    def __init__(self, *, published: bool = False) -> None:
        self.published = published
        self.cuts: tuple[float, ...] = self.thresholds
        self.largest = 1.0

    @abstractmethod
    def learn(self, pairs: Sequence[Pair]) -> None:
        """Take statistics of the papers."""

    @abstractmethod
    def raw(self, pairs: Sequence[Pair]) -> Floats:
        """How alike fact and paper are; higher is more."""

    def fit(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        targets = Targets(pairs)
        self.scale = targets.scale
        self.learn(pairs)
        scores = self.raw(pairs)
        self.largest = float(scores.max()) or 1.0
        if not self.published:
            gold = [GRADES.index(self.scale.grades[at]) for at in targets.labels]
            self.cuts = _best_cuts(scores / self.largest, gold)
        return self

    def scores(self, pairs: Sequence[Pair]) -> Floats:
        return self.raw(pairs) / self.largest

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        bands = _bands(self.scores(pairs), self.cuts)
        count = len(self.scale.labels)
        found = np.full((len(pairs), count), (1 - SURE) / max(1, count - 1))
        # Of two labels of one grade (the sample's 2 and 4) the last is the plainer one.
        places = {grade: at for at, grade in enumerate(self.scale.grades)}
        for row, band in enumerate(bands):
            found[row, places[GRADES[band]]] = SURE
        return found

    def state(self) -> State:
        config = {
            "scale": self.scale.name,
            "published": self.published,
            "cuts": list(self.cuts),
            "largest": self.largest,
            "own": self.own_state(),
        }
        return {}, config

    @abstractmethod
    def own_state(self) -> dict[str, Any]: ...

    @abstractmethod
    def own_restore(self, config: Mapping[str, Any]) -> None: ...

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        grader = cls(published=config["published"])
        grader.scale = scale_named(config["scale"])
        grader.cuts = tuple(float(cut) for cut in config["cuts"])
        grader.largest = float(config["largest"])
        grader.own_restore(config["own"])
        return grader


def _bands(scores: Floats, cuts: Sequence[float]) -> list[int]:
    """0 for H to 3 for I."""
    return [sum(float(score) < cut for cut in cuts) for score in scores]


def _best_cuts(scores: Floats, gold: Sequence[int]) -> tuple[float, ...]:
    """The three thresholds of best macro-F1 among the scores' quantiles."""
    marks = np.unique(np.quantile(scores, np.linspace(0.05, 0.95, 15)))
    best, kept = -1.0, (0.75, 0.5, 0.25)
    for low, middle, high in combinations(marks.tolist(), 3):
        called = _bands(scores, (high, middle, low))
        f1 = precision_recall_f1(gold, called, labels=list(range(4))).f1
        if f1 > best:
            best, kept = f1, (high, middle, low)
    return kept
