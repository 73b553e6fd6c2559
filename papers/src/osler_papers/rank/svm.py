"""Support vector machine with a radial kernel on bags of words: the paper's baseline (section 4.1).

One machine a topic, each against all other papers; a temperature, set on papers held out in turn,
makes probabilities of their margins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.learn import needs
from osler.learn.temperature import fit_temperature, softmax
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.ranker import (
    Progress,
    TopicRanker,
    check_fit,
    topics_from_data,
    topics_to_data,
)
from osler.rank.splits import folds
from osler.rank.topic import Topic
from osler_papers.rank.bow import BagOfWords


class SvmRanker(TopicRanker):
    """``c`` is the usual penalty; gamma is 1 / (features * variance), scikit-learn's ``scale``."""

    name = "svm"
    help = "support vector machine, radial kernel, bag of words"

    def __init__(self, *, c: float = 10.0, cross: int = 5, seed: int = 0) -> None:
        self.c = c
        self.cross = cross
        self.seed = seed
        self.temperature = 1.0

    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        check_fit(pool, targets, topics)
        self.topics = list(topics)
        smallest = int(np.bincount(targets)[np.unique(targets)].min())
        count = min(self.cross, smallest)
        # One paper of a class cannot be held out: margins then stay as they are.
        held = folds(targets, count, seed=self.seed) if count > 1 else []
        margins = np.zeros((len(pool), len(topics) + 1))
        every = np.arange(len(pool))
        for test in held:
            train = np.setdiff1d(every, test)
            self._learn(pool.take(train), targets[train])
            margins[test] = self._margins(pool.take(test))
        self.temperature = fit_temperature(margins, targets) if held else 1.0
        self.calibrated = bool(held)
        self._learn(pool, targets)
        return self

    def _learn(self, pool: Pool, targets: Ints) -> None:
        svm = needs.sklearn("svm", "the support vector machine")
        self.form = BagOfWords().fit(pool.texts)
        self.rows = self.form.transform(pool.texts)
        spread = float(self.rows.var()) * self.rows.shape[1]
        self.gamma = 1.0 / spread if spread > 0 else 1.0
        kernel = self._kernel(self.rows)
        self.dual = np.zeros((len(pool), len(self.topics) + 1))
        self.bias = np.full(len(self.topics) + 1, -1e3)
        for number in np.unique(targets):
            own = targets == number
            if own.all():
                continue
            machine = svm.SVC(kernel="precomputed", C=self.c).fit(kernel, own)
            self.dual[machine.support_, number] = machine.dual_coef_[0]
            self.bias[number] = float(machine.intercept_[0])

    def _kernel(self, rows: Floats) -> Floats:
        own = (self.rows**2).sum(axis=1)
        apart = (rows**2).sum(axis=1)[:, None] + own - 2 * rows @ self.rows.T
        return np.asarray(np.exp(-self.gamma * np.maximum(apart, 0)))

    def _margins(self, pool: Pool) -> Floats:
        return np.asarray(self._kernel(self.form.transform(pool.texts)) @ self.dual + self.bias)

    def scores(self, pool: Pool) -> Floats:
        if not len(pool):
            return np.zeros((0, len(self.topics)))
        return softmax(self._margins(pool) / self.temperature)[:, : len(self.topics)]

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors = {"rows": self.rows, "dual": self.dual, "bias": self.bias}
        return tensors, {
            "topics": topics_to_data(self.topics),
            "form": self.form.state()[1],
            "c": self.c,
            "gamma": self.gamma,
            "temperature": self.temperature,
        }

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        made = cls(c=config["c"])
        made.topics = topics_from_data(config["topics"])
        made.form = BagOfWords.restore({}, config["form"])
        made.rows, made.dual = np.asarray(tensors["rows"]), np.asarray(tensors["dual"])
        made.bias = np.asarray(tensors["bias"])
        made.gamma, made.temperature = config["gamma"], config["temperature"]
        return made
