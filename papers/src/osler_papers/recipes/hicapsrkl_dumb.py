"""The rows that keep the recipe ``hicapsrkl`` honest: nothing read, nothing learned, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.grade.features import features
from osler.grade.grader import Floats, Grader, Progress, State, Targets
from osler.grade.networks.hints import Coding
from osler.grade.pair import Pair
from osler.learn import needs


class Constant(Grader):
    """Every pair gets the training rows' shares of labels. With an order of papers on top, its
    ranking is the order's alone."""

    name = "constant"
    help = "the same for every pair"

    def __init__(self) -> None:
        self.shares: Floats = np.zeros(0)

    def fit(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        targets = Targets(pairs)
        self.scale = targets.scale
        counts = np.bincount(targets.labels, minlength=len(self.scale.labels))
        self.shares = counts / counts.sum()
        return self

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        return np.tile(self.shares, (len(pairs), 1))

    def state(self) -> State:
        raise NotImplementedError("a row of a table is not kept")

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        raise NotImplementedError("a row of a table is not kept")


class HintsAlone(Constant):
    """Logistic regression on the hints: what the counts say without any network."""

    name = "hints alone"
    help = "logistic regression on counted features"

    def __init__(self) -> None:
        super().__init__()
        self.coding: Any = None
        self.model: Any = None

    def fit(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        super().fit(pairs)
        table = features(pairs)
        self.coding = Coding.of(table)
        linear = needs.sklearn("linear_model", "logistic regression")
        self.model = linear.LogisticRegression(C=0.1, max_iter=2_000)
        self.model.fit(self.coding(table), Targets(pairs).labels)
        return self

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        found = np.zeros((len(pairs), len(self.scale.labels)))
        found[:, self.model.classes_] = self.model.predict_proba(self.coding(features(pairs)))
        return found


class ZeroEncoder:
    """Reads nothing: what a method gets with it, it gets without its texts."""

    def __init__(self, dimension: int = 96) -> None:
        self.dimension = dimension

    def vectors(self, views: Sequence[Any], length: int) -> Any:
        return np.zeros((len(views), self.dimension), dtype=np.float32)
