"""Which papers are *about* a topic at all, among papers that only use its words.

A classifier that is taught topics against each other learns to tell them apart. A cluster that was
retrieved for one topic asks something else: most of what does not belong there is about none of
them. So three scores are added, each in units of its spread over papers that are not the topic's:

- one-class: the cosine of the paper's TF-IDF terms and the mean of the topic's papers; how rare a
  term is was counted over the background too
- contrastive: a linear discriminant of the encoder's vectors with a shrunken covariance S,
  x . S^-1 [(m_t - m_none) + 1/2 (m_t - m)], m_t being the topic's mean, m_none the background's, m
  the mean over the topics
- between topics: ln p(t | paper) of a logistic regression over the terms of the relevant papers

Papers of no topic (the target after the last) are the background; where there are none, the papers
of other topics stand for it. Scores are an order, no probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from osler.errors import InputError
from osler.kinds import Heat, Reason
from osler.learn.temperature import log_softmax
from osler.rank.logistic import fit_logistic
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
from osler.rank.word_features import WordFeatures

SHOWN = 8
STRENGTH = 30.0


@rankers.register("about")
class About(TopicRanker):
    """``shrinkage`` is how far the covariance is drawn to a multiple of the identity; ``between``
    weighs the contrast with other topics against that with the background."""

    name = "about"
    help: ClassVar[str] = "one-class and contrastive: papers about a topic among those that name it"
    ordinal = True

    def __init__(self, *, shrinkage: float = 0.5, between: float = 0.5) -> None:
        self.shrinkage = shrinkage
        self.between = between
        self.topics = []

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
        if progress is not None:
            progress(f"{len(pool)} papers")
        self.words = WordFeatures().fit(pool)
        terms = self.words.transform(pool)
        rows = [np.flatnonzero(targets == number) for number in range(len(topics))]
        means = np.stack([np.asarray(terms[own].mean(axis=0)).ravel() for own in rows])
        self.centres = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
        self.direction = self._discriminant(pool, targets, rows)
        self._tell_apart(terms, targets)
        parts = self._parts(pool, terms)
        self.shift, self.scale = np.zeros(parts.shape[:2]), np.ones(parts.shape[:2])
        for number, own in enumerate(rows):
            others = np.flatnonzero(targets == len(topics))
            if len(others) < 2:
                others = np.setdiff1d(np.arange(len(pool)), own)
            apart = parts[:, number, others]
            self.shift[:, number] = apart.mean(axis=1)
            self.scale[:, number] = np.where(apart.std(axis=1) > 1e-9, apart.std(axis=1), 1.0)
        return self

    def _discriminant(self, pool: Pool, targets: Ints, rows: Sequence[Ints]) -> Floats:
        """A column a topic: what a vector is multiplied with; empty where there are no vectors."""
        if pool.vectors is None:
            return np.zeros((0, len(rows)))
        vectors = _units(pool.vectors)
        means = np.stack([vectors[own].mean(axis=0) for own in rows])
        groups = [*rows, np.flatnonzero(targets == len(rows))]
        left = np.concatenate([vectors[g] - vectors[g].mean(axis=0) for g in groups if len(g)])
        covariance = left.T @ left / len(left)
        even = np.trace(covariance) / len(covariance) * np.eye(len(covariance))
        covariance = (1 - self.shrinkage) * covariance + self.shrinkage * even
        wanted = []
        for number, own in enumerate(rows):
            none = groups[-1] if len(groups[-1]) else np.setdiff1d(np.arange(len(pool)), own)
            apart = means[number] - vectors[none].mean(axis=0)
            wanted.append(apart + self.between * (means[number] - means.mean(axis=0)))
        return np.asarray(np.linalg.solve(covariance + 1e-9 * np.eye(len(covariance)),
                                          np.stack(wanted, axis=1)))  # fmt: skip

    def _tell_apart(self, terms: Any, targets: Ints) -> None:
        """The logistic regression between topics; zeros where there is one topic only."""
        count = len(self.topics)
        self.weights, self.bias = np.zeros((terms.shape[1], count)), np.zeros(count)
        relevant = np.flatnonzero(targets < count)
        if count > 1:
            self.weights, self.bias = fit_logistic(
                terms[relevant], targets[relevant], count, strength=STRENGTH
            )

    def _parts(self, pool: Pool, terms: Any) -> Floats:
        """The three scores: part, topic, paper."""
        count = len(self.topics)
        contrast = np.zeros((len(pool), count))
        if pool.vectors is not None and len(self.direction):
            contrast = _units(pool.vectors) @ self.direction
        between = log_softmax(np.asarray(terms @ self.weights) + self.bias)
        return np.stack([np.asarray(terms @ self.centres.T), contrast, between]).transpose(0, 2, 1)

    def scores(self, pool: Pool) -> Floats:
        if not self.topics:
            raise InputError("about has learned nothing yet")
        if not len(pool):
            return np.zeros((0, len(self.topics)))
        parts = self._parts(pool, self.words.transform(pool))
        scaled = (parts - self.shift[..., None]) / self.scale[..., None]
        # A paper without a vector stands where the background does.
        scaled[1][:, _without(pool)] = 0.0
        # Into 0 to 1 without ever reaching an end, where papers would tie.
        return np.asarray(0.5 + np.arctan(scaled.sum(axis=0).T) / np.pi)

    def reasons(self, pool: Pool, topic: int) -> list[tuple[Reason, ...]]:
        """The terms that a paper shares with the topic's papers, the warmest first."""
        matrix = self.words.transform(pool)
        listed: list[tuple[Reason, ...]] = []
        for row in range(len(pool)):
            line = matrix[row]
            parts = line.data * self.centres[topic, line.indices]
            best = [at for at in np.argsort(-parts, kind="stable")[:SHOWN] if parts[at] > 0]
            heat = tuple(
                (self.words.names[int(line.indices[at])].removeprefix("title:"), float(parts[at]))
                for at in best
            )
            listed.append((Heat("topic words", heat),) if heat else ())
        return listed

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors = {
            "idf": self.words.idf,
            "centres": self.centres,
            "direction": self.direction,
            "weights": self.weights,
            "bias": self.bias,
            "shift": self.shift,
            "scale": self.scale,
        }
        config = {
            "topics": topics_to_data(self.topics),
            "words": self.words.state(),
            "shrinkage": self.shrinkage,
            "between": self.between,
        }
        return tensors, config

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        made = cls(shrinkage=config["shrinkage"], between=config["between"])
        made.topics = topics_from_data(config["topics"])
        made.words = WordFeatures.restore(config["words"], tensors["idf"])
        for name in ("centres", "direction", "weights", "bias", "shift", "scale"):
            setattr(made, name, np.asarray(tensors[name], dtype=np.float64))
        return made


def _without(pool: Pool) -> npt.NDArray[np.bool_]:
    """Which papers have no vector."""
    if pool.vectors is None:
        return np.ones(len(pool), dtype=bool)
    return np.asarray(~np.asarray(pool.vectors).any(axis=1), dtype=bool)


def _units(vectors: Any) -> Floats:
    """Rows of length one; a row of zeros, a paper without a vector, stays."""
    wide = np.asarray(vectors, dtype=np.float64)
    return np.asarray(wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-12))
