"""ELAS u4, ASReview's default: words and pairs of all papers, a linear machine on the marks.

It reads every paper that is to be ranked, marked or not (:mod:`osler.rank.desk.tfidf`), learns from
the marks alone (:mod:`osler.rank.desk.screener`) and draws no background. What it has read is kept,
so that a new mark costs milliseconds. Its scores are distances from a margin, squeezed into 0 to 1:
an order, no probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.errors import InputError
from osler.kinds import Document, Heat, Reason
from osler.rank.desk.screener import Screener
from osler.rank.desk.tfidf import rarity, weighted
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

VIEW = "words that carried the score"
MOST_WORDS = 8


def text_of(document: Document) -> str:
    """What of a paper is read: its title and its abstract."""
    return f"{document.title} {document.abstract}".strip()


@rankers.register("elas")
class Elas(TopicRanker):
    name = "elas"
    help = "words and pairs of all papers, a linear machine on the marks (ASReview's ELAS u4)"
    draws = False
    ordinal = True

    def __init__(self) -> None:
        self.screener: Screener | None = None
        self._pool: Pool | None = None
        self._rows: dict[str, int] = {}
        self.topics = []
        self.terms: list[str] = []
        self.idf: Floats = np.zeros(0)
        self.weights: Floats = np.zeros((0, 0))
        self.bias: Floats = np.zeros(0)

    def read(self, pool: Pool) -> Self:
        """Take all papers in, once for each pool."""
        if self._pool is not pool:
            self.screener = Screener([text_of(document) for document in pool.documents])
            self.terms = self.screener.terms
            self.idf = rarity(self.screener.matrix)
            self._pool = pool
            self._rows = {id: row for row, id in enumerate(pool.ids)}
        return self

    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        check_fit(pool, targets, topics)
        if not all(id in self._rows for id in pool.ids):
            self.read(pool)
        assert self.screener is not None
        self.topics = list(topics)
        weights, bias = [], []
        for number in range(len(topics)):
            if progress:
                progress("weighing words")
            marks = {
                self._rows[id]: bool(target == number)
                for id, target in zip(pool.ids, targets, strict=True)
            }
            self.screener.unmark([row for row in self.screener.rows if row not in marks])
            self.screener.mark(marks)
            own, shift = self.screener.weights()
            weights.append(own)
            bias.append(shift)
        self.weights, self.bias = np.stack(weights, axis=1), np.array(bias)
        return self

    def _matrix(self, pool: Pool) -> Any:
        if self.screener is not None and pool is self._pool:
            return self.screener.matrix
        if self.screener is not None and all(id in self._rows for id in pool.ids):
            return self.screener.matrix[[self._rows[id] for id in pool.ids]]
        return weighted([text_of(document) for document in pool.documents], self.terms, self.idf)

    def scores(self, pool: Pool) -> Floats:
        if not len(self.bias):
            raise InputError("elas has learned nothing yet")
        margins = np.asarray(self._matrix(pool) @ self.weights) + self.bias
        return np.asarray(1.0 / (1.0 + np.exp(-margins)))

    def reasons(self, pool: Pool, topic: int) -> list[tuple[Reason, ...]]:
        matrix = self._matrix(pool)
        weights = self.weights[:, topic]
        by_paper: list[tuple[Reason, ...]] = []
        for row in range(len(pool)):
            line = matrix[row]
            parts = line.data * weights[line.indices]
            best = [at for at in np.argsort(-parts, kind="stable")[:MOST_WORDS] if parts[at] > 0]
            words = tuple(
                (self.terms[int(line.indices[at])], round(float(parts[at]), 4)) for at in best
            )
            by_paper.append((Heat(VIEW, words),) if words else ())
        return by_paper

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors = {"weights": self.weights, "bias": self.bias, "idf": self.idf}
        return tensors, {"topics": topics_to_data(self.topics), "terms": self.terms}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        restored = cls()
        restored.topics = topics_from_data(config["topics"])
        restored.terms = list(config["terms"])
        restored.weights = np.asarray(tensors["weights"], dtype=np.float64)
        restored.bias = np.asarray(tensors["bias"], dtype=np.float64)
        restored.idf = np.asarray(tensors["idf"], dtype=np.float64)
        return restored
