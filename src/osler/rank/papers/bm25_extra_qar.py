"""reRank(BM25-Extra) + reRank(QAR): the sum of the two scores, as they are (reRank #3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from osler.rank.papers.bm25_extra import Bm25ExtraRanker
from osler.rank.papers.qar import QarRanker
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.ranker import Progress, TopicRanker, rankers
from osler.rank.topic import Topic
from osler.rank.words import Vectors


@rankers.register("bm25-extra+qar")
class Bm25ExtraQarRanker(TopicRanker):
    name = "bm25-extra+qar"
    help = "the sum of bm25-extra and qar; needs no labels"
    learns = False

    def __init__(self, *, vectors: Vectors | str | Path | None = None, seed: int = 0) -> None:
        self.words = Bm25ExtraRanker()
        self.form = QarRanker(vectors=vectors, seed=seed)

    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        self.words.fit(pool, targets, topics)
        self.form.fit(pool, targets, topics)
        self.topics = list(topics)
        return self

    def scores(self, pool: Pool) -> Floats:
        return np.asarray(self.words.scores(pool) + self.form.scores(pool))

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors, form = self.form.state()
        return tensors, {"words": self.words.state()[1], "form": form}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        restored = cls()
        restored.words = Bm25ExtraRanker.restore({}, config["words"])
        restored.form = QarRanker.restore(tensors, config["form"])
        restored.topics = restored.form.topics
        return restored
