"""Osler's own ranker, the default: words, the topics' own words, vectors and concepts together.

Logistic regression over (1) TF-IDF of stemmed terms, pairs and title terms, with concepts where
the library links them, (2) how the paper uses the topics' words, (3) the encoder's vector. How
much the vector weighs is chosen by cross-validation inside the training papers: with few of them
it helps, with many the words alone are better. The same held-out logits set a temperature, so that
the probabilities are calibrated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from osler.kinds import Heat, Reason
from osler.learn.temperature import fit_temperature, log_softmax, softmax
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
from osler.rank.splits import folds
from osler.rank.topic import Topic
from osler.rank.word_features import TopicFeatures, WordFeatures
from osler.text.tokens import term_spans

SHOWN = 8


@rankers.register("hybrid")
class Hybrid(TopicRanker):
    """``strength`` is the inverse of the penalty, ``topic_weight`` scales the topics' words,
    ``vector_weights`` are the candidates for the vector's scale, the first of equals wins."""

    name = "hybrid"
    help: ClassVar[str] = "Osler's own: words, topic words, vectors and concepts; calibrated"

    def __init__(
        self,
        *,
        strength: float = 30.0,
        topic_weight: float = 0.1,
        vector_weights: Sequence[float] = (0.0, 0.5, 1.0),
        cross: int = 5,
        seed: int = 0,
    ) -> None:
        self.strength = strength
        self.topic_weight = topic_weight
        self.vector_weights = tuple(vector_weights)
        self.cross = cross
        self.seed = seed
        self.vector_weight = 0.0
        self.temperature = 1.0
        self.dimension = 0
        # Whether there were enough papers to calibrate on; a reader of probabilities should know.
        self.calibrated = False

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
        self.dimension = 0 if pool.vectors is None else int(pool.vectors.shape[1])
        self._cross(pool, targets)
        self._learn(pool, targets)
        if progress is not None:
            progress(f"{len(pool)} papers, {len(self.words.names)} word features")
        return self

    def _cross(self, pool: Pool, targets: Ints) -> None:
        """Choose the vector's weight and the temperature on papers held out in turn."""
        options = self.vector_weights if self.dimension else (0.0,)
        smallest = int(np.bincount(targets)[np.unique(targets)].min())
        count = min(self.cross, smallest)
        if count < 2:
            # One paper of a class cannot be held out: lean on vectors, claim no calibration.
            self.vector_weight, self.temperature = options[-1], 1.0
            self.calibrated = False
            return
        held = folds(targets, count, seed=self.seed)
        every = np.arange(len(targets))
        logits = {option: np.zeros((len(targets), len(self.topics) + 1)) for option in options}
        for test in held:
            train = np.setdiff1d(every, test)
            trainer, part = pool.take(train), pool.take(test)
            self._features(trainer)
            # Words are the dear part of the features, and the same for every option.
            known, new = self._parts(trainer), self._parts(part)
            for option in options:
                self.vector_weight = option
                self._solve(self._joined(known), targets[train])
                logits[option][test] = self._joined(new) @ self.weights + self.bias
        losses = {
            option: -float(log_softmax(logit)[every, targets].mean())
            for option, logit in logits.items()
        }
        self.vector_weight = min(options, key=lambda option: (round(losses[option], 6), option))
        self.temperature = fit_temperature(logits[self.vector_weight], targets)
        self.calibrated = True

    def _learn(self, pool: Pool, targets: Ints) -> None:
        self._features(pool)
        self._solve(self._matrix(pool), targets)

    def _features(self, pool: Pool) -> None:
        self.words = WordFeatures().fit(pool)
        self.own = TopicFeatures(_queries(self.topics)).fit(pool)

    def _solve(self, features: Any, targets: Ints) -> None:
        # A class that no paper has ("none" where topics exclude each other) is no class.
        present = np.unique(targets)
        matrix, bias = fit_logistic(
            features,
            np.searchsorted(present, targets),
            len(present),
            strength=self.strength,
        )
        self.weights = np.zeros((matrix.shape[0], len(self.topics) + 1))
        self.bias = np.full(len(self.topics) + 1, -1e3)
        self.weights[:, present] = matrix
        self.bias[present] = bias

    def _parts(self, pool: Pool) -> tuple[Any, Any, Any]:
        from scipy.sparse import csr_matrix

        vectors = np.zeros((len(pool), self.dimension)) if pool.vectors is None else pool.vectors
        return (
            self.words.transform(pool),
            csr_matrix(self.topic_weight * self.own.transform(pool)),
            np.asarray(vectors, dtype=float) if self.dimension else None,
        )

    def _joined(self, parts: tuple[Any, Any, Any]) -> Any:
        from scipy.sparse import csr_matrix, hstack

        words, own, vectors = parts
        held = [words, own]
        if vectors is not None:
            held.append(csr_matrix(self.vector_weight * vectors))
        return hstack(held).tocsr()

    def _matrix(self, pool: Pool) -> Any:
        return self._joined(self._parts(pool))

    def _logits(self, pool: Pool) -> Floats:
        return np.asarray(self._matrix(pool) @ self.weights + self.bias)

    def scores(self, pool: Pool) -> Floats:
        if not len(pool):
            return np.zeros((0, len(self.topics)))
        return softmax(self._logits(pool) / self.temperature)[:, : len(self.topics)]

    def reasons(self, pool: Pool, topic: int) -> list[tuple[Reason, ...]]:
        """The words that carried each score, warmest first: each word's share of the logit's lead
        over the mean of the other classes."""
        if not len(pool):
            return []
        live = np.flatnonzero(self.bias > -1e2)
        others = live[live != topic]
        lead = self.weights[:, topic] - self.weights[:, others].mean(axis=1)
        matrix = self._matrix(pool).tocsr()
        owners = self.words.names + self.own.owners
        by_paper: list[tuple[Reason, ...]] = []
        for row, document in enumerate(pool.documents):
            start, end = matrix.indptr[row], matrix.indptr[row + 1]
            heat: dict[str, float] = {}
            for column, value in zip(
                matrix.indices[start:end], matrix.data[start:end], strict=True
            ):
                if column >= len(owners):
                    continue
                for term in _terms(owners[column]):
                    share = value * lead[column] / len(_terms(owners[column]))
                    heat[term] = heat.get(term, 0.0) + share
            surface: dict[str, str] = {}
            for term, begin, stop in term_spans(document.text):
                surface.setdefault(term, document.text[begin:stop])
            warm = [(term, value) for term, value in heat.items() if value > 0 and term in surface]
            warm.sort(key=lambda pair: (-pair[1], pair[0]))
            words = tuple((surface[term], round(float(value), 4)) for term, value in warm[:SHOWN])
            by_paper.append((Heat("topic words", words),) if words else ())
        return by_paper

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors = {
            "weights": self.weights,
            "bias": self.bias,
            "idf": self.words.idf,
            "mean": self.own.mean,
            "spread": self.own.spread,
        }
        config = {
            "topics": topics_to_data(self.topics),
            "words": self.words.state(),
            "strength": self.strength,
            "topic_weight": self.topic_weight,
            "vector_weight": self.vector_weight,
            "temperature": self.temperature,
            "calibrated": self.calibrated,
            "dimension": self.dimension,
        }
        return tensors, config

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        restored = cls(strength=config["strength"], topic_weight=config["topic_weight"])
        restored.topics = topics_from_data(config["topics"])
        restored.words = WordFeatures.restore(config["words"], tensors["idf"])
        restored.own = TopicFeatures(_queries(restored.topics))
        restored.own.mean, restored.own.spread = (
            np.asarray(tensors["mean"]),
            np.asarray(tensors["spread"]),
        )
        restored.weights, restored.bias = (
            np.asarray(tensors["weights"]),
            np.asarray(tensors["bias"]),
        )
        restored.vector_weight = config["vector_weight"]
        restored.temperature = config["temperature"]
        restored.calibrated = config["calibrated"]
        restored.dimension = config["dimension"]
        return restored


def _queries(topics: Sequence[Topic]) -> list[str]:
    """What is asked for: every name, then every description that there is."""
    return [t.words for t in topics] + [t.description for t in topics if t.description]


def _terms(name: str) -> list[str]:
    """The terms that a feature speaks of."""
    if not name or name.startswith("concept:"):
        return []
    return name.removeprefix("title:").split(" ")
