"""reRank(QAR): cosine of the query-aware representation of the paper to the topic's ESR (3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from osler.rank.pool import Floats, Ints, Pool
from osler.rank.ranker import (
    Progress,
    TopicRanker,
    check_fit,
    rankers,
    topics_from_data,
    topics_to_data,
)
from osler.rank.representations.base import unit
from osler.rank.representations.qar import QueryAware
from osler.rank.topic import Topic
from osler.rank.words import Vectors


@rankers.register("qar")
class QarRanker(TopicRanker):
    """``vectors`` are word vectors, or a file of them; None trains them on the pool."""

    name = "qar"
    help = "closeness of the paper's query-aware representation to the topic; needs no labels"
    learns = False

    def __init__(self, *, vectors: Vectors | str | Path | None = None, seed: int = 0) -> None:
        self.vectors = vectors
        self.seed = seed

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
        self.form = QueryAware(vectors=self.vectors, seed=self.seed).fit(
            [*pool.texts, *(topic.words for topic in topics)]
        )
        return self

    def scores(self, pool: Pool) -> Floats:
        columns = []
        for topic in self.topics:
            seen = unit(self.form.transform(pool.texts, query=topic.words))
            columns.append(seen @ unit(self.form.query(topic.words)))
        return np.stack(columns, axis=1)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors, form = self.form.state()
        return tensors, {"topics": topics_to_data(self.topics), "form": form}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        restored = cls()
        restored.topics = topics_from_data(config["topics"])
        restored.form = QueryAware.restore(tensors, config["form"])
        return restored
