"""Osler's own sentence ranker, the default: kernel ridge regression over several views.

    k(x, y) = a * x.y + t * tfidf(x).tfidf(y) * (1 + [same topic]) + e * cos(x, y)
              + r * exp(-gamma |x - y|^2)

where x.y is over all features of a sentence (places, cues, likeness to topic, title and paper, and
places within each topic), the exponential over those that do not name the topic. Words count once
for all topics and once more within a topic: what is relevant to one often reads like another, and
each topic has words of its own. Only NumPy and SciPy are needed.

Scores become probabilities by a logistic curve fitted to sentences of papers held
out in turn. The same papers, shown once with their own topic and once with a wrong one, teach
when to abstain: from the best score, from how many of the topic's words stand anywhere, and from
whether the sentences read like those of the topic or like those of others.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.errors import InputError
from osler.rank.logistic import fit_logistic
from osler.rank.pool import Floats
from osler.rank.sentence_ranker import (
    Abstract,
    Progress,
    SentenceRanker,
    check_fit,
    sentence_rankers,
)
from osler.rank.sentences.sentence_features import PLACES, base, places
from osler.rank.word_features import STOP_TERMS
from osler.text.tokens import terms

# More sentences than this are drawn from: a solve costs their cube.
MOST = 5_000


class View:
    """Sentences as the kernel sees them."""

    def __init__(self, linear: Floats, plain: Floats, words: Any, vectors: Floats, topics: Floats):
        self.linear = linear
        self.plain = plain
        self.words = words
        self.vectors = vectors
        self.topics = topics


@sentence_rankers.register("hybrid")
class HybridSentences(SentenceRanker):
    """The weights are those of the kernel above relative to a ridge of 1."""

    name = "hybrid"
    help = "Osler's own: place, cues, words, vectors and topic together; calibrated, can abstain"
    uses_vectors = True

    def __init__(
        self,
        *,
        linear: float = 0.001,
        text: float = 0.25,
        vectors: float = 0.09,
        radial: float = 1.0,
        gamma: float = 0.02,
        calibrate: bool = True,
        seed: int = 0,
    ) -> None:
        self.linear = linear
        self.text = text
        self.vectors = vectors
        self.radial = radial
        self.gamma = gamma
        self.calibrate = calibrate
        self.seed = seed
        self.slope, self.offset = 4.0, -2.0
        # Weights of the signs that a paper has a relevant sentence; zeros never abstain.
        self.gate: Floats = np.zeros(5)

    def fit(self, abstracts: Sequence[Abstract], *, progress: Progress | None = None) -> Self:
        usable = _drawn(check_fit(abstracts), self.seed)
        if self.calibrate:
            self._calibrate(usable)
        self._learn(usable)
        if progress is not None:
            progress(f"{len(usable)} papers, {len(self.alpha)} sentences")
        return self

    def _learn(self, abstracts: Sequence[Abstract]) -> None:
        df: Counter[str] = Counter()
        for abstract in abstracts:
            df.update(
                {
                    t
                    for sentence_terms in (*abstract.terms, abstract.title_terms)
                    for t in sentence_terms
                }
            )
        n = len(abstracts)
        self.idf = {name: math.log(1 + n / (1 + count)) for name, count in df.items() if count > 1}
        self.rarest = math.log(1 + n / 2)
        self.topics = sorted({abstract.topic.key for abstract in abstracts})
        counts: Counter[str] = Counter()
        total = 0
        for abstract in abstracts:
            for sentence_terms in abstract.terms:
                counts.update(set(_names(sentence_terms)))
                total += 1
        self.names = sorted(name for name, count in counts.items() if count > 1)
        self.weights = np.array(
            [math.log((1 + total) / (1 + counts[name])) + 1 for name in self.names]
        )
        raw, spots, topics = self._raw(abstracts)
        self.mean, self.spread = _scales(raw)
        self.spot_mean, self.spot_spread = _scales(spots)
        self.kept = self._view(abstracts, raw, spots, topics)
        gold = np.concatenate([abstract.relevant for abstract in abstracts]).astype(float)
        self.level = float(gold.mean())
        kernel = self._kernel(self.kept, self.kept)
        kernel[np.diag_indices_from(kernel)] += 1.0
        from scipy.linalg import cho_factor, cho_solve

        self.alpha = cho_solve(cho_factor(kernel, lower=True), gold - self.level)

    def _raw(self, abstracts: Sequence[Abstract]) -> tuple[Floats, Floats, Floats]:
        """Plain features; places within each topic and how its words are used; topics."""
        plain = [base(abstract, self.idf, self.rarest) for abstract in abstracts]
        spots, topics = [], []
        for abstract, rows in zip(abstracts, plain, strict=True):
            hot = np.array([abstract.topic.key == topic for topic in self.topics], dtype=float)
            place = places(abstract)[:, :PLACES]
            used = rows[:, _USED : _USED + 1]
            within = hot[None, :, None] * np.concatenate([place, used], axis=1)[:, None, :]
            spots.append(within.reshape(len(abstract), -1))
            topics.append(np.repeat(hot[None], len(abstract), axis=0))
        return np.concatenate(plain), np.concatenate(spots), np.concatenate(topics)

    def _view(
        self, abstracts: Sequence[Abstract], raw: Floats, spots: Floats, topics: Floats
    ) -> View:
        # A missing vector is neither like nor unlike: it stands at the mean.
        plain = np.nan_to_num(np.clip((raw - self.mean) / self.spread, -5, 5))
        within = np.clip((spots - self.spot_mean) / self.spot_spread, -5, 5)
        width = max((a.vectors.shape[1] for a in abstracts if a.vectors is not None), default=0)
        vectors = [
            np.zeros((len(a), width))
            if a.vectors is None
            else np.asarray(a.vectors[: len(a)], dtype=float)
            for a in abstracts
        ]
        linear = np.concatenate([plain, within], axis=1)
        return View(linear, plain, self._words(abstracts), np.concatenate(vectors), topics)

    def _words(self, abstracts: Sequence[Abstract]) -> Any:
        from scipy.sparse import csr_matrix

        index = {name: i for i, name in enumerate(self.names)}
        data: list[float] = []
        columns: list[int] = []
        ends = [0]
        for abstract in abstracts:
            for sentence_terms in abstract.terms:
                counts = Counter(name for name in _names(sentence_terms) if name in index)
                own = np.array(
                    [(1 + math.log(n)) * self.weights[index[name]] for name, n in counts.items()]
                )
                size = float(np.sqrt((own**2).sum()))
                data.extend(own / size if size else own)
                columns.extend(index[name] for name in counts)
                ends.append(len(columns))
        return csr_matrix((data, columns, ends), shape=(len(ends) - 1, len(self.names)))

    def _kernel(self, first: View, second: View) -> Floats:
        same = first.topics @ second.topics.T
        kernel = self.linear * (first.linear @ second.linear.T)
        shared = first.words @ second.words.T
        kernel += self.text * np.asarray(shared.todense()) * (1 + same)
        if first.vectors.shape[1] and first.vectors.shape[1] == second.vectors.shape[1]:
            kernel += self.vectors * (first.vectors @ second.vectors.T)
        apart = (
            (first.plain**2).sum(axis=1)[:, None]
            + (second.plain**2).sum(axis=1)
            - 2 * first.plain @ second.plain.T
        )
        kernel += self.radial * np.exp(-self.gamma * np.maximum(apart, 0))
        return np.asarray(kernel)

    def _scores(self, abstracts: Sequence[Abstract]) -> Floats:
        view = self._view(abstracts, *self._raw(abstracts))
        scores = np.empty(len(view.plain))
        for start in range(0, len(scores), 2_000):
            part = _rows(view, slice(start, start + 2_000))
            scores[start : start + 2_000] = self._kernel(part, self.kept) @ self.alpha
        return scores + self.level

    def scores(self, abstract: Abstract) -> Floats:
        return self._scores([abstract]) if len(abstract) else np.zeros(0)

    def probabilities(self, abstract: Abstract) -> Floats | None:
        if not self.calibrate:
            return None
        return np.asarray(1 / (1 + np.exp(-(self.slope * self.scores(abstract) + self.offset))))

    def best(self, abstract: Abstract) -> int | None:
        """The most relevant sentence; None where there is none, or none is relevant."""
        if not len(abstract):
            return None
        scores = self.scores(abstract)
        if self.calibrate and self._fit_of(abstract, scores) < 0:
            return None
        return int(np.argmax(scores))

    def _fit_of(self, abstract: Abstract, scores: Floats) -> float:
        """Log-odds that the paper has a relevant sentence at all."""
        return float(self._signs(abstract, scores) @ self.gate[:-1] + self.gate[-1])

    def _signs(self, abstract: Abstract, scores: Floats) -> Floats:
        """What tells a paper of the topic from one of another."""
        words = self._words([abstract])
        alike = np.asarray((words @ self.kept.words.T).todense())
        own = (
            self.kept.topics[:, self.topics.index(abstract.topic.key)] > 0
            if (abstract.topic.key in self.topics)
            else np.zeros(len(self.alpha), dtype=bool)
        )
        lead = 0.0
        if own.any() and not own.all():
            lead = float((alike[:, own].mean(axis=1) - alike[:, ~own].mean(axis=1)).max())
        asked = {t for t in terms(abstract.topic.words) if t not in STOP_TERMS}
        held = {
            t for sentence_terms in (*abstract.terms, abstract.title_terms) for t in sentence_terms
        }
        best = max(
            (len(asked.intersection(sentence_terms)) for sentence_terms in abstract.terms),
            default=0,
        )
        size = max(len(asked), 1)
        return np.array([float(scores.max()), best / size, len(asked & held) / size, 100 * lead])

    def _calibrate(self, abstracts: Sequence[Abstract]) -> None:
        """Fit the curve of the probabilities, and when to abstain, on papers held out in turn."""
        rng = np.random.default_rng(self.seed)
        count = min(3, len(abstracts))
        if count < 2:
            return
        place = rng.permutation(len(abstracts)) % count
        topics = {abstract.topic.key: abstract.topic for abstract in abstracts}
        scores: list[Floats] = []
        gold: list[Floats] = []
        own: list[Floats] = []
        wrong: list[Floats] = []
        for fold in range(count):
            self._learn([a for a, p in zip(abstracts, place, strict=True) if p != fold])
            for abstract in (a for a, p in zip(abstracts, place, strict=True) if p == fold):
                by_sentence = self.scores(abstract)
                scores.append(by_sentence)
                gold.append(abstract.relevant.astype(float))
                own.append(self._signs(abstract, by_sentence))
                others = [
                    topic for key, topic in sorted(topics.items()) if key != abstract.topic.key
                ]
                if others:
                    other = _turned(abstract, others[int(rng.integers(len(others)))])
                    wrong.append(self._signs(other, self.scores(other)))
        x = np.concatenate(scores)[:, None]
        y = np.concatenate(gold).astype(np.int64)
        matrix, bias = fit_logistic(x, y, 2, strength=1e3)
        self.slope = float(matrix[0, 1] - matrix[0, 0])
        self.offset = float(bias[1] - bias[0])
        if wrong:
            signs = np.stack([*own, *wrong])
            right = np.repeat([1, 0], [len(own), len(wrong)])
            matrix, bias = fit_logistic(signs, right, 2, strength=10.0)
            self.gate = np.append(matrix[:, 1] - matrix[:, 0], bias[1] - bias[0])
        else:
            # One topic alone: abstain below the lowest twentieth of the papers' best scores.
            low = float(np.quantile([signs[0] for signs in own], 0.05))
            self.gate = np.array([1.0, 0.0, 0.0, 0.0, -low])

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        words = self.kept.words.tocsr()
        tensors = {
            "alpha": self.alpha,
            "gate": self.gate,
            "linear": self.kept.linear,
            "plain": self.kept.plain,
            "vectors": self.kept.vectors,
            "topics": self.kept.topics,
            "words.data": words.data,
            "words.columns": words.indices.astype(np.int64),
            "words.ends": words.indptr.astype(np.int64),
            "weights": self.weights,
            "mean": self.mean,
            "spread": self.spread,
            "spot_mean": self.spot_mean,
            "spot_spread": self.spot_spread,
        }
        return tensors, {
            "options": {
                "linear": self.linear,
                "text": self.text,
                "vectors": self.vectors,
                "radial": self.radial,
                "gamma": self.gamma,
                "calibrate": self.calibrate,
            },
            "names": self.names,
            "idf": self.idf,
            "topics": self.topics,
            "rarest": self.rarest,
            "level": self.level,
            "slope": self.slope,
            "offset": self.offset,
        }

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        from scipy.sparse import csr_matrix

        restored = cls(**config["options"])
        arrays = {name: np.asarray(value) for name, value in tensors.items()}
        for name in ("alpha", "gate", "weights", "mean", "spread", "spot_mean", "spot_spread"):
            setattr(restored, name, arrays[name])
        restored.names, restored.idf, restored.topics = (
            config["names"],
            config["idf"],
            config["topics"],
        )
        restored.rarest = config["rarest"]
        restored.level, restored.slope, restored.offset = (
            config["level"],
            config["slope"],
            config["offset"],
        )
        words = csr_matrix(
            (arrays["words.data"], arrays["words.columns"], arrays["words.ends"]),
            shape=(len(restored.alpha), len(restored.names)),
        )
        restored.kept = View(
            arrays["linear"], arrays["plain"], words, arrays["vectors"], arrays["topics"]
        )
        return restored


# Where ``base`` puts the share of the topic's words that a sentence uses.
_USED = 9 + 5 + 28 + 8


def _names(names: Sequence[str]) -> list[str]:
    kept = [term for term in names if term not in STOP_TERMS]
    return kept + [f"{a} {b}" for a, b in itertools.pairwise(kept)]


def _scales(rows: Floats) -> tuple[Floats, Floats]:
    with np.errstate(invalid="ignore"):
        known = ~np.isnan(rows)
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, rows, 0).sum(axis=0) / count
        spread = np.sqrt((np.where(known, rows - mean, 0) ** 2).sum(axis=0) / count)
    return mean, np.where(spread > 1e-9, spread, 1.0)


def _rows(view: View, part: slice) -> View:
    return View(
        view.linear[part],
        view.plain[part],
        view.words[part],
        view.vectors[part],
        view.topics[part],
    )


def _turned(abstract: Abstract, topic: Any) -> Abstract:
    """The same paper asked about another topic."""
    turned = Abstract.__new__(Abstract)
    turned.__dict__.update(abstract.__dict__)
    turned.topic = topic
    if abstract.vectors is not None:
        # The other topic's own vector is not at hand: what is missing stands at the mean.
        vectors = np.array(abstract.vectors, dtype=float)
        vectors[-1] = np.nan
        turned.vectors = vectors
    return turned


def _drawn(abstracts: list[Abstract], seed: int) -> list[Abstract]:
    """All papers, or as many, drawn at random, as have MOST sentences together."""
    if sum(len(abstract) for abstract in abstracts) <= MOST:
        return abstracts
    order = np.random.default_rng(seed).permutation(len(abstracts))
    kept: list[int] = []
    total = 0
    for number in order:
        if total + len(abstracts[number]) <= MOST:
            total += len(abstracts[number])
            kept.append(int(number))
    if not kept:
        raise InputError(
            f"each paper with a chosen sentence has more than {MOST} sentences",
            cure="choose sentences of abstracts, or of shorter papers",
        )
    return [abstracts[number] for number in sorted(kept)]
