"""A library's own pairs as candidates: those whose question or answer shares pieces with a
question (BM25 over both), and those whose question has a vector like its own, fused by rank before
a matcher looks at them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from osler.kinds import Pair
from osler.match.asking import focus
from osler.match.matcher import Candidate
from osler.match.pair_index import Counts, PairIndex
from osler.match.texts import Texts
from osler.text import bm25

if TYPE_CHECKING:
    from osler.text.encoder import Encoder

CANDIDATES = 200
"""Pairs that a matcher gets to see."""
FOCUS = 2.0
FEW = 40
"""... where it was not trained, and a dozen of them are read closely anyway."""
DAMP = 10.0
"""Reciprocal rank fusion: what is added to a rank. Small, since the first dozen matters."""
Fetch = Callable[[Sequence[str]], Mapping[str, Pair]]
Floats = NDArray[np.float32]


class PairPool:
    """BM25 weights over words' pieces as sparse columns: of a pair's two texts, and of its question
    alone, where what the asked question is about counts ``FOCUS`` times.

    ``encoder`` is the one that gave the index its vectors; ``fetch`` gives pairs by their ids.
    """

    def __init__(
        self, index: PairIndex, texts: Texts, fetch: Fetch, *, encoder: Encoder | None = None
    ) -> None:
        self.index = index
        self.texts = texts
        self.fetch = fetch
        self.encoder = encoder if index.vectors.shape[1:] != (0,) else None
        self.numbers = {term: at for at, term in enumerate(index.vocabulary)}
        having = np.bincount(index.whole.terms, minlength=len(self.numbers))
        idf = bm25.idf(having, len(index))
        mean = max(float(index.whole.lengths.mean()), 1.0) if len(index) else 1.0
        self._whole = _Columns(index.whole, idf, mean)
        self._asked = _Columns(index.asked, idf, mean)
        # Ties go by id, whatever order the pairs came in.
        self._order = np.argsort(np.argsort(np.array(index.ids, dtype=object), kind="stable"))

    @classmethod
    def of(cls, pairs: Sequence[Pair], texts: Texts, *, encoder: Encoder | None = None) -> PairPool:
        """Pairs that are held in memory."""
        held = {pair.id: pair for pair in pairs}
        encode = encoder.encode if encoder is not None else None
        index = PairIndex.empty().grown(pairs, texts, encode=encode)
        return cls(index, texts, lambda ids: {id: held[id] for id in ids}, encoder=encoder)

    def __len__(self) -> int:
        return len(self.index)

    def candidates(self, question: str, *, most: int = CANDIDATES) -> list[Candidate]:
        """The nearest pairs' answers, each text once, the nearest first, ties by id."""
        scores = self._by_words(question)
        near = self._best(scores, 4 * most)
        alike = self._by_vector(question, 4 * most)
        fused: dict[int, float] = {}
        for ranked in (near, alike):
            for rank, row in enumerate(ranked):
                fused[row] = fused.get(row, 0.0) + 1.0 / (DAMP + rank)
        chosen: dict[int, int] = {}
        for row in sorted(fused, key=lambda row: (-fused[row], self._order[row])):
            chosen.setdefault(int(self.index.answers[row]), row)
            if len(chosen) == most:
                break
        ids = [self.index.ids[row] for row in chosen.values()]
        pairs = self.fetch(ids)
        return [Candidate(id, pairs[id].answer, pairs[id].question) for id in ids if id in pairs]

    def _by_words(self, question: str) -> Floats:
        scores = np.zeros(len(self), np.float32)
        self._whole.add(self._terms(question), scores)
        self._asked.add(self._terms(focus(question)), scores, FOCUS)
        return scores

    def _terms(self, text: str) -> list[int]:
        pieces = dict.fromkeys(self.texts.grams(text))
        return [self.numbers[piece] for piece in pieces if piece in self.numbers]

    def _by_vector(self, question: str, most: int) -> list[int]:
        if self.encoder is None or not len(self) or not self.encoder.reads(question):
            return []
        vector = np.asarray(self.encoder.encode([question]))[0].astype(np.float32)
        return self._best(self._vectors @ vector, most)

    @property
    def _vectors(self) -> Floats:
        # In single precision: half precision is multiplied number by number.
        if not hasattr(self, "_single"):
            self._single = self.index.vectors.astype(np.float32)
        return self._single

    def _best(self, scores: Floats, most: int) -> list[int]:
        """Rows above zero, best first, ties by id; of those level with the last all."""
        near = np.flatnonzero(scores > 0)
        if len(near) > most:
            near = near[scores[near] >= np.partition(scores[near], -most)[-most]]
        rows: list[int] = near[np.lexsort((self._order[near], -scores[near]))].tolist()
        return rows


class _Columns:
    """For each term the texts that hold it, with its BM25 weight there."""

    def __init__(self, counts: Counts, idf: Any, mean: float) -> None:
        from scipy import sparse

        owner = np.repeat(np.arange(len(counts)), np.diff(counts.offsets))
        weights = bm25.saturated(counts.counts, counts.lengths[owner], mean) * idf[counts.terms]
        rows = (weights.astype(np.float32), counts.terms, counts.offsets)
        columns = sparse.csr_matrix(rows, (len(counts), len(idf))).tocsc()
        self.starts, self.texts, self.weights = columns.indptr, columns.indices, columns.data

    def add(self, terms: Sequence[int], scores: Floats, times: float = 1.0) -> None:
        """The weights of some terms onto the scores of the texts that hold them."""
        for term in terms:
            part = slice(self.starts[term], self.starts[term + 1])
            # A text holds a term once: no place is met twice here.
            scores[self.texts[part]] += times * self.weights[part]
