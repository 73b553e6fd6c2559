"""Closeness to the mean of a topic's papers, in any of the representations of section 3.1."""

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
    topics_from_data,
    topics_to_data,
)
from osler.rank.representations.base import representations, unit
from osler.rank.topic import Topic
from osler.rank.words import Vectors


class CentroidRanker(TopicRanker):
    """Cosine to the mean of the topic's papers, mapped from [-1, 1] to [0, 1].

    ``representation`` is ``bow``, ``tfidf``, ``esr`` or ``qar``; ``vectors`` are for the last two.
    """

    name = "centroid"
    help = "closeness to the mean of the topic's papers: bow, tfidf, esr or qar"

    def __init__(
        self, *, representation: str = "tfidf", vectors: Vectors | str | Path | None = None
    ) -> None:
        self.representation = representation
        self.vectors = vectors

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
        options = {"vectors": self.vectors} if self.representation in ("esr", "qar") else {}
        self.form = representations.resolve(self.representation, **options).fit(
            [*pool.texts, *(topic.words for topic in topics)]
        )
        self.centres = np.stack(
            [
                unit(self._rows(pool.take(np.flatnonzero(targets == number)), topic)).mean(axis=0)
                for number, topic in enumerate(topics)
            ]
        )
        return self

    def _rows(self, pool: Pool, topic: Topic) -> Floats:
        return self.form.transform(pool.texts, query=topic.words)

    def scores(self, pool: Pool) -> Floats:
        columns = [
            unit(self._rows(pool, topic)) @ unit(self.centres[number])
            for number, topic in enumerate(self.topics)
        ]
        return np.asarray((1 + np.stack(columns, axis=1)) / 2)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors, form = self.form.state()
        return {**tensors, "centres": self.centres}, {
            "topics": topics_to_data(self.topics),
            "representation": self.representation,
            "form": form,
        }

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        made = cls(representation=config["representation"])
        made.topics = topics_from_data(config["topics"])
        made.form = representations.get(config["representation"]).restore(tensors, config["form"])
        made.centres = np.asarray(tensors["centres"])
        return made
