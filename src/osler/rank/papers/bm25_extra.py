"""reRank(BM25-Extra): the sum of the five features of the topic's words in the paper (3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.rank.bm25 import Bm25Extra
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.ranker import (
    Progress,
    TopicRanker,
    check_fit,
    rankers,
    topics_from_data,
    topics_to_data,
)
from osler.rank.topic import Topic


@rankers.register("bm25-extra")
class Bm25ExtraRanker(TopicRanker):
    name = "bm25-extra"
    help = "BM25 and four shares of matched words and pairs, summed; needs no labels"
    learns = False

    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        check_fit(pool, targets, topics, learns=False)
        self.topics = list(topics)
        self.bm25 = Bm25Extra().fit(pool.texts)
        return self

    def scores(self, pool: Pool) -> Floats:
        columns = [self.bm25.table(topic.words, pool.texts).sum(axis=1) for topic in self.topics]
        return np.stack(columns, axis=1)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {}, {"topics": topics_to_data(self.topics), "bm25": self.bm25.state()}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        restored = cls()
        restored.topics = topics_from_data(config["topics"])
        restored.bm25 = Bm25Extra.restore(config["bm25"])
        return restored
