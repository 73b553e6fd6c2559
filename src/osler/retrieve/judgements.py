"""Judgements of earlier questions as a channel: search gets better as people mark results.

Questions that are like the present one vote for the documents that were judged relevant to them.
Likeness has three parts: the questions' vectors, the words they share (weighted by idf among
questions), and how near the present question's vector, moved by feedback, lies to the centre of
the documents that the other was judged by. Vectors are seen from the middle of the collection:
most encoders give any two questions a high cosine, and questions that have nothing to do with the
present one must not vote. Votes fall steeply with likeness, and a question with many judgements
does not outvote one with few.

A judgement belongs to its question. In a search for that question's own words it always acts, but
bounded. For other questions it acts only where the library's own judgements show that this helps:
each judged question is left out in turn, and the others' votes must fall on what was judged
relevant to it more often than by chance (:meth:`Judged.supported`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.retrieve.channel import Candidates
from osler.retrieve.expansion import index_terms

NEIGHBOURS = 30
SHARPNESS = 4.0
"""Likeness is raised to this power."""
BREADTH = 0.25
"""A question's votes are divided by its number of judged documents to this power."""
BY_WORDS, BY_DOCUMENTS = 0.3, 0.3
"""Shares of words and of judged documents in the likeness; the rest is the vectors'."""
UNLIKE, ALIKE = 0.15, 0.35
"""Likeness of the nearest question at which the channel counts for nothing, and in full. Each train
question of nfcorpus left out in turn, votes help wherever the nearest one is at 0.25 or above."""
QUESTIONS, TRIED = 10, 100
"""Judged questions below which nothing is shown, and how many are left out in turn at most."""
SURE = 1.645
"""Standard errors by which votes must beat chance: one-sided, at 5 %."""
BOUND = 2.0
"""Standard deviations that the votes of a question's own judgements move a paper by, at most."""

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Votes:
    """Votes by row, how far they are to be trusted (0 to 1), and the questions that cast most."""

    candidates: Candidates
    trust: float
    neighbours: tuple[tuple[str, float], ...]
    own: bool = False
    """Whether they are those of the question's very words."""
    marks: int = 0


class Judged:
    """Judged questions of one library, ready to vote."""

    def __init__(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        vectors: Array,
        grades: Sequence[Mapping[int, float]],
        centres: Array,
        seqs: Mapping[int, int] | None = None,
        middle: Array | None = None,
    ) -> None:
        """``grades`` are by row of the document; ``vectors`` and ``centres`` have unit length (a
        centre of zeros where no judged document has a vector); ``middle`` is where the vectors of
        the collection lie on the whole (None: at zero)."""
        self.ids = list(ids)
        self.texts = list(texts)
        self.middle = middle
        self._given = vectors
        self.vectors = self._seen(vectors)
        self.centres = self._seen(centres)
        self.seqs = dict(seqs or {})
        self._terms, self._postings, self._lengths = _question_index(texts)
        counts = [len(judged) for judged in grades]
        self._offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._rows = np.array([row for judged in grades for row in judged], np.int64)
        self._grades = np.array([g for judged in grades for g in judged.values()], np.float64)
        relevant = np.array([sum(g > 0 for g in judged.values()) for judged in grades], np.float64)
        self._breadth = np.maximum(relevant, 1.0) ** BREADTH

    def __len__(self) -> int:
        return len(self.ids)

    def likeness(self, text: str, vector: Array | None, moved: Array | None) -> Array:
        """How like each judged question is to this one: 0 to 1."""
        words = self._words(text)
        if vector is None or moved is None:
            return words
        by_vector = self.vectors @ self._seen(vector)
        by_document = self.centres @ self._seen(moved)
        share = 1.0 - BY_WORDS - BY_DOCUMENTS
        total = share * by_vector + BY_WORDS * words + BY_DOCUMENTS * by_document
        result: Array = np.maximum(total, 0.0)
        return result

    def _seen(self, vectors: Array) -> Array:
        """Vectors seen from the middle, of unit length; what is zero stays zero."""
        if self.middle is None or not vectors.size:
            return vectors
        known = np.any(vectors != 0, axis=-1, keepdims=True)
        seen = np.where(known, vectors - self.middle, 0.0)
        result: Array = seen / np.maximum(np.linalg.norm(seen, axis=-1, keepdims=True), 1e-12)
        return result

    def _words(self, text: str) -> Array:
        scores = np.zeros(len(self))
        length = 0.0
        for term in index_terms(text):
            places, weight = self._postings.get(term, (None, math.log(1 + len(self))))
            length += weight * weight
            if places is not None:
                scores[places] += weight * weight
        if length:
            scores /= math.sqrt(length) * np.maximum(self._lengths, 1e-9)
        return scores

    def votes(self, text: str, vector: Array | None, moved: Array | None) -> Votes:
        """The neighbours' votes where they are supported, else those of the question itself. A
        question judged before under its own words is one of its neighbours."""
        if self.supported:
            return self._votes(self.likeness(text, vector, moved))
        return self._own(text)

    def _own(self, text: str) -> Votes:
        """The judgements of the very question, however its words are spelled."""
        terms = set(index_terms(text))
        like = np.array([float(bool(terms) and terms == held) for held in self._terms])
        votes = self._votes(like)
        return Votes(votes.candidates, votes.trust, votes.neighbours, True, votes.marks)

    @cached_property
    def supported(self) -> bool:
        """Whether the judged questions of this library vote well for each other."""
        if len(self) < QUESTIONS:
            return False
        step = max(1, len(self) // TRIED)
        tried = [self._gain(at) for at in range(0, len(self), step)]
        gains = np.array([gain for gain in tried if gain is not None])
        if len(gains) < QUESTIONS:
            return False
        error = float(gains.std(ddof=1)) / math.sqrt(len(gains))
        return float(gains.mean()) > SURE * error

    def _gain(self, at: int) -> float | None:
        """How much more of the others' votes falls on what was judged relevant to a question than
        by chance; None where no other question is like it."""
        vector = self._given[at] if self._given.shape[1] else None
        like = self.likeness(self.texts[at], vector, vector)
        like[at] = 0.0
        votes = self._votes(like).candidates
        if not len(votes.rows) or not votes.scores.sum():
            return None
        part = slice(*self._offsets[at : at + 2].tolist())
        relevant = self._rows[part][self._grades[part] > 0]
        on_relevant = float(votes.scores[np.isin(votes.rows, relevant)].sum() / votes.scores.sum())
        return on_relevant - len(relevant) / len(np.unique(self._rows))

    def _votes(self, like: Array) -> Votes:
        if not len(like) or float(like.max()) <= UNLIKE:
            return Votes(Candidates.none(), 0.0, ())
        nearest = np.lexsort((np.arange(len(like)), -like))[:NEIGHBOURS]
        nearest = nearest[like[nearest] > 0]
        weights = like[nearest] ** SHARPNESS / self._breadth[nearest]
        parts = [slice(*self._offsets[at : at + 2].tolist()) for at in nearest.tolist()]
        rows = np.concatenate([self._rows[part] for part in parts])
        gains = np.concatenate(
            [w * self._grades[part] for w, part in zip(weights, parts, strict=True)]
        )
        kept, which = np.unique(rows, return_inverse=True)
        scores = np.bincount(which, gains, minlength=len(kept)).astype(np.float64)
        seqs = np.array([self.seqs.get(int(row), 0) for row in kept], np.int64)
        trust = min(1.0, max(0.0, (float(like.max()) - UNLIKE) / (ALIKE - UNLIKE)))
        named = tuple((self.ids[at], round(float(like[at]), 4)) for at in nearest[:3].tolist())
        return Votes(Candidates(kept, scores, seqs), trust, named, marks=len(rows))


def _question_index(
    texts: Sequence[str],
) -> tuple[list[set[str]], dict[str, tuple[Array, float]], Array]:
    """Terms of each question, postings with idf, and each question's length."""
    terms = [set(index_terms(text)) for text in texts]
    places: dict[str, list[int]] = {}
    for at, held in enumerate(terms):
        for term in sorted(held):
            places.setdefault(term, []).append(at)
    postings = {
        term: (np.array(listed, np.int64), math.log(1 + len(texts) / len(listed)))
        for term, listed in places.items()
    }
    lengths = np.array([math.sqrt(sum(postings[t][1] ** 2 for t in held)) for held in terms])
    return terms, postings, lengths
