"""The paper's two steps (Table 3): classify papers into topics, then re-rank inside each cluster.

A paper belongs to the topic that the classifier finds most probable, or to none. A topic's own
cluster comes first, in the re-ranker's order; all other papers follow, in the same order. So the
score is 1/2 [the paper is of the cluster] + 1/2 s(r), with r the re-ranker's score and s squeezing
it into 0 to 1: an order, no probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from osler.kinds import Reason
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.ranker import Progress, TopicRanker, rankers
from osler.rank.topic import Topic

PARTS = ("classifier", "reranker")


@rankers.register("two-step")
class TwoStep(TopicRanker):
    """``classifier`` and ``reranker`` are names or rankers: the paper's are ``a-sup-docnade`` or
    ``svm``, then ``bm25-extra`` (reRank #1), ``qar`` (#2) or ``bm25-extra+qar`` (#3)."""

    name = "two-step"
    help = "the paper's two steps: classify, then re-rank inside the cluster"
    ordinal = True
    trial: ClassVar[Mapping[str, Any]] = {"classifier": "hybrid"}

    def __init__(
        self,
        *,
        classifier: str | TopicRanker = "a-sup-docnade",
        reranker: str | TopicRanker = "bm25-extra+qar",
    ) -> None:
        self.classifier = rankers.resolve(classifier)
        self.reranker = rankers.resolve(reranker)
        self.topics = []

    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        self.topics = list(topics)
        self.classifier.fit(pool, targets, topics, progress=progress)
        self.reranker.fit(pool, targets, topics, progress=progress)
        return self

    def scores(self, pool: Pool) -> Floats:
        if not len(pool):
            return np.zeros((0, len(self.topics)))
        chances = self.classifier.scores(pool)
        none = 1 - chances.sum(axis=1, keepdims=True)
        cluster = np.concatenate([chances, none], axis=1).argmax(axis=1)
        own = cluster[:, None] == np.arange(len(self.topics))
        # Squeezed by its arc tangent: no two different scores become one.
        second = 0.5 + np.arctan(self.reranker.scores(pool)) / np.pi
        return np.asarray(0.5 * own + 0.5 * second)

    def reasons(self, pool: Pool, topic: int) -> list[tuple[Reason, ...]]:
        return self.classifier.reasons(pool, topic)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors: dict[str, Any] = {}
        config: dict[str, Any] = {}
        for part in PARTS:
            ranker = getattr(self, part)
            kept, settings = ranker.state()
            tensors.update({f"{part}.{name}": value for name, value in kept.items()})
            config[part] = [ranker.name, settings]
        return tensors, config

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        rankers_again = {}
        for part in PARTS:
            name, settings = config[part]
            own = {
                key.removeprefix(f"{part}."): value
                for key, value in tensors.items()
                if key.startswith(f"{part}.")
            }
            rankers_again[part] = rankers.get(name).restore(own, settings)
        restored = cls(**rankers_again)
        restored.topics = restored.classifier.topics
        return restored
