"""Which papers are *about* a topic at all, among papers that were retrieved for it.

A classifier that is taught topics against each other learns to tell them apart. A cluster that was
retrieved for one topic asks something else: most of what does not belong there is about none of
them, and looks much like what does. So these scores are added:

- neighbours: the mean cosine of the encoder's vector and those of the topic's k nearest papers
- words: the same with TF-IDF terms; how rare a term is was counted over the background too
- contrast: a linear discriminant of the vectors with a shrunken covariance S,
  x . S^-1 [(m_t - m_none) + 1/2 (m_t - m)], m_t being the topic's mean, m_none the background's, m
  the mean over the topics
- between topics: how far the topic's logit is above the mean of all topics', of a logistic
  regression over the terms of the relevant papers. The logit and no probability, which stops to
  rise where the topic is clear: of two papers that are surely of one topic, the one with more of
  its words is the surer

each from its mean and in units of its spread over the topic's own papers, held out in five folds:
what varies much among papers that belong tells little of those that do not. Papers of no topic (the
target after the last) are the background; where there are none, the papers of other topics stand
for it. Scores are an order, no probabilities.

How many papers count as nearest, k, is a matter of the topics: one that falls into many small
subjects is told by a few neighbours, one whose papers are all of a kind by all of them. So k is
chosen from :data:`BREADTHS`, for vectors and for words apart: that which best sets each topic's
papers, each left out in turn, above those of the other topics (of the background where there is one
topic alone).

How much the regression between topics weighs, one of :data:`BETWEEN`, is chosen likewise: what best
sets each topic's papers, held out, above the background. Topics that lie close to one another and
have words of their own gain by it. Where topics share their papers, or are of many subjects, it
tells a paper of none by words that are beside the point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from osler.errors import InputError
from osler.kinds import Heat, Reason
from osler.learn.temperature import log_softmax
from osler.rank.logistic import fit_wide
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
from osler.rank.word_features import WordFeatures

SHOWN = 8
STRENGTH = 30.0
BREADTHS = (5, 10, 20, 0)
"""How many of a topic's papers a paper may be compared with; 0 is all of them."""
BETWEEN = (0.5, 0.0, 1.0, 2.0)
"""What the regression between topics may weigh; each other part weighs 1. The first is taken where
papers are too few to choose, or choose none."""
FOLDS = 5
PARTS = ("neighbours", "words", "contrast", "between")


@rankers.register("about")
class About(TopicRanker):
    """``shrinkage`` is how far the covariance is drawn to a multiple of the identity; ``apart``
    weighs the contrast with other topics against that with the background; ``between`` are the
    candidates for the weight of the regression between topics, the first of equals wins."""

    name = "about"
    help: ClassVar[str] = "nearest papers and contrast: papers about a topic among retrieved ones"
    ordinal = True

    def __init__(
        self,
        *,
        shrinkage: float = 0.5,
        apart: float = 0.5,
        between: Sequence[float] = BETWEEN,
    ) -> None:
        self.shrinkage = shrinkage
        self.apart = apart
        self.between = tuple(between)
        self.weight = self.between[0]
        self.saturates = False
        self.topics = []
        self.near, self.alike = BREADTHS[0], BREADTHS[0]

    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        check_fit(pool, targets, topics)
        self.topics, self.saturates = list(topics), False
        if progress is not None:
            progress(f"{len(pool)} papers")
        self.words = WordFeatures().fit(pool)
        vectors = None if pool.vectors is None else _units(pool.vectors)
        whole = (self.words.transform(pool), vectors, targets)
        self.alike = self._breadth(whole[0], targets)
        if vectors is not None:
            self.near = self._breadth(vectors, targets)
        self._learn(*whole)
        self.shift, self.scale = self._spread(*whole)
        return self

    def _learn(self, terms: Any, vectors: Floats | None, targets: Ints) -> None:
        count = len(self.topics)
        relevant = np.flatnonzero(targets < count)
        self.of = targets[relevant]
        self.papers = terms[relevant]
        self.vectors = np.zeros((len(relevant), 0)) if vectors is None else vectors[relevant]
        self.direction = self._discriminant(vectors, targets)
        self.weights, self.bias = np.zeros((terms.shape[1], count)), np.zeros(count)
        if count > 1 and any(self.between):
            self.weights, self.bias = fit_wide(self.papers, self.of, count, strength=STRENGTH)

    def _breadth(self, rows: Any, targets: Ints) -> int:
        """The breadth with the largest AUC of a topic's papers over others', mean of topics."""
        count = len(self.topics)
        rivals = targets < count if count > 1 else targets == count
        values = {breadth: list[float]() for breadth in BREADTHS}
        for number in range(count):
            own, other = (
                np.flatnonzero(targets == number),
                np.flatnonzero(rivals & (targets != number)),
            )
            if len(own) <= BREADTHS[0] or not len(other):
                continue
            inside, outside = _dense(rows[own] @ rows[own].T), _dense(rows[other] @ rows[own].T)
            # A paper is not its own neighbour.
            left = inside[~np.eye(len(own), dtype=bool)].reshape(len(own), -1)
            for breadth in BREADTHS:
                first, second = _nearest(left, breadth), _nearest(outside, breadth)
                values[breadth].append(_auc(first, second))
        if not values[BREADTHS[0]]:
            return BREADTHS[0]
        # A tie keeps the first.
        return max(BREADTHS, key=lambda breadth: float(np.mean(values[breadth])))

    def _discriminant(self, vectors: Floats | None, targets: Ints) -> Floats:
        """A column a topic: what a vector is multiplied with; empty where there are no vectors."""
        count = len(self.topics)
        if vectors is None:
            return np.zeros((0, count))
        rows = [np.flatnonzero(targets == number) for number in range(count)]
        means = np.stack([vectors[own].mean(axis=0) for own in rows])
        groups = [*rows, np.flatnonzero(targets == count)]
        left = np.concatenate([vectors[g] - vectors[g].mean(axis=0) for g in groups if len(g)])
        covariance = left.T @ left / len(left)
        even = np.trace(covariance) / len(covariance) * np.eye(len(covariance))
        covariance = (1 - self.shrinkage) * covariance + self.shrinkage * even
        wanted = []
        for number in range(count):
            none = groups[-1]
            if not len(none):
                none = np.flatnonzero(targets != number)
            away = means[number] - vectors[none].mean(axis=0)
            wanted.append(away + self.apart * (means[number] - means.mean(axis=0)))
        return np.asarray(np.linalg.solve(covariance + 1e-9 * np.eye(len(covariance)),
                                          np.stack(wanted, axis=1)))  # fmt: skip

    def _parts(self, terms: Any, vectors: Floats | None) -> Floats:
        """The scores of :data:`PARTS`: part, topic, paper."""
        papers, count = terms.shape[0], len(self.topics)
        near, contrast = np.zeros((papers, count)), np.zeros((papers, count))
        if vectors is not None and len(self.direction):
            near = self._nearest(vectors @ self.vectors.T, self.near)
            contrast = vectors @ self.direction
        words = self._nearest(_dense(terms @ self.papers.T), self.alike)
        between = np.asarray(terms @ self.weights) + self.bias
        if self.saturates:
            between = log_softmax(between)
        else:
            between -= between.mean(axis=1, keepdims=True)
        return np.stack([near, words, contrast, between]).transpose(0, 2, 1)

    def _nearest(self, likeness: Floats, breadth: int) -> Floats:
        """The mean over each topic's nearest papers, of a likeness to every relevant one."""
        topics = range(len(self.topics))
        return np.stack([_nearest(likeness[:, self.of == n], breadth) for n in topics], axis=1)

    def _spread(self, terms: Any, vectors: Floats | None, targets: Ints) -> tuple[Floats, Floats]:
        """Means and standard deviations: part, topic. Of a topic's papers held out, or of all
        others where a topic has too few to hold any out. Held-out papers choose the weight of the
        regression between topics too."""
        count = len(self.topics)
        shift, scale = np.zeros((len(PARTS), count)), np.ones((len(PARTS), count))
        enough = int(np.bincount(targets, minlength=count)[:count].min()) >= FOLDS
        whole = (terms, vectors, targets)
        parts = self._held_out(*whole) if enough else self._parts(terms, vectors)
        for number in range(count):
            rows = np.flatnonzero((targets == number) == enough)
            if len(rows):
                shift[:, number] = parts[:, number, rows].mean(axis=1)
                deviation = parts[:, number, rows].std(axis=1)
                scale[:, number] = np.where(deviation > 1e-9, deviation, 1.0)
        if enough and count > 1:
            parts = (parts - shift[..., None]) / scale[..., None]
            # A tie keeps the first.
            self.weight = max(self.between, key=lambda weight: self._above(parts, targets, weight))
        return shift, scale

    def _above(self, parts: Floats, targets: Ints, weight: float) -> float:
        """The AUC of a topic's papers over the background's, mean of topics; over other topics'
        papers where there is no background."""
        count = len(self.topics)
        whole = np.tensordot(_weights(weight), parts, axes=1)
        values = []
        for number, own in enumerate(whole):
            rest = targets == count if (targets == count).any() else targets != number
            values.append(_auc(own[targets == number], own[rest]))
        return float(np.mean(values))

    def _held_out(self, terms: Any, vectors: Floats | None, targets: Ints) -> Floats:
        parts = np.zeros((len(PARTS), len(self.topics), len(targets)))
        every = np.arange(len(targets))
        for test in folds(targets, FOLDS):
            rest = np.setdiff1d(every, test)
            part = type(self)(shrinkage=self.shrinkage, apart=self.apart, between=self.between)
            part.topics, part.near, part.alike = self.topics, self.near, self.alike
            part._learn(terms[rest], None if vectors is None else vectors[rest], targets[rest])
            parts[:, :, test] = part._parts(terms[test], None if vectors is None else vectors[test])
        return parts

    def scores(self, pool: Pool) -> Floats:
        if not self.topics:
            raise InputError("about has learned nothing yet")
        if not len(pool):
            return np.zeros((0, len(self.topics)))
        vectors = None if pool.vectors is None else _units(pool.vectors)
        parts = self._parts(self.words.transform(pool), vectors)
        parts = (parts - self.shift[..., None]) / self.scale[..., None]
        if pool.vectors is not None and len(self.direction):
            # A paper without a vector stands where the middle one of the others does.
            bare = _without(pool)
            if bare.any() and not bare.all():
                for part in (0, 2):
                    middle = np.median(parts[part][:, ~bare], axis=1)
                    parts[part][:, bare] = middle[:, None]
        whole = np.tensordot(_weights(self.weight), parts, axes=1).T
        # Into 0 to 1 without ever reaching an end, where papers would tie.
        return np.asarray(0.5 + np.arctan(whole) / np.pi)

    def reasons(self, pool: Pool, topic: int) -> list[tuple[Reason, ...]]:
        """The terms that a paper shares with the topic's papers, the warmest first."""
        matrix = self.words.transform(pool)
        centre = np.asarray(self.papers[np.flatnonzero(self.of == topic)].mean(axis=0)).ravel()
        listed: list[tuple[Reason, ...]] = []
        for row in range(len(pool)):
            line = matrix[row]
            parts = line.data * centre[line.indices]
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
            "of": self.of,
            "terms.data": self.papers.data,
            "terms.indices": self.papers.indices.astype(np.int64),
            "terms.indptr": self.papers.indptr.astype(np.int64),
            "vectors": np.ascontiguousarray(self.vectors),
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
            "apart": self.apart,
            "between": self.weight,
            "breadths": [self.near, self.alike],
            "saturates": self.saturates,
        }
        return tensors, config

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        from scipy.sparse import csr_matrix

        restored = cls(
            shrinkage=config["shrinkage"], apart=config["apart"], between=(config["between"],)
        )
        restored.topics = topics_from_data(config["topics"])
        # What was saved before breadths were chosen went by five.
        restored.near, restored.alike = config.get("breadths", (BREADTHS[0], BREADTHS[0]))
        # What was saved while topics were told apart by ln p keeps its order.
        restored.saturates = config.get("saturates", True)
        restored.words = WordFeatures.restore(config["words"], tensors["idf"])
        restored.of = np.asarray(tensors["of"], dtype=np.int64)
        compressed = tuple(np.asarray(tensors[f"terms.{n}"]) for n in ("data", "indices", "indptr"))
        restored.papers = csr_matrix(
            compressed, shape=(len(restored.of), len(restored.words.names))
        )
        for name in ("vectors", "direction", "weights", "bias", "shift", "scale"):
            setattr(restored, name, np.asarray(tensors[name], dtype=np.float64))
        return restored


def _weights(between: float) -> Floats:
    """What each of :data:`PARTS` weighs."""
    return np.array([1.0, 1.0, 1.0, between])


def _dense(matrix: Any) -> Floats:
    return np.asarray(matrix.todense() if hasattr(matrix, "todense") else matrix)


def _nearest(likeness: Floats, breadth: int) -> Floats:
    """Of each row the mean of its largest values: ``breadth`` of them, all where that is 0."""
    if not breadth or breadth >= likeness.shape[1]:
        return np.asarray(likeness.mean(axis=1))
    return np.asarray(np.partition(likeness, -breadth, axis=1)[:, -breadth:].mean(axis=1))


def _auc(own: Floats, other: Floats) -> float:
    """How often one of the first is above one of the second; a tie counts half."""
    from scipy.stats import rankdata

    ranks = rankdata(np.concatenate([own, other]))[: len(own)]
    return float((ranks.mean() - (len(own) + 1) / 2) / len(other))


def _without(pool: Pool) -> npt.NDArray[np.bool_]:
    """Which papers have no vector."""
    if pool.vectors is None:
        return np.ones(len(pool), dtype=bool)
    return np.asarray(~np.asarray(pool.vectors).any(axis=1), dtype=bool)


def _units(vectors: Any) -> Floats:
    """Rows of length one; a row of zeros, a paper without a vector, stays."""
    wide = np.asarray(vectors, dtype=np.float64)
    return np.asarray(wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-12))
