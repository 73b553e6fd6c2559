"""A library's own pairs as candidates: those whose question or answer shares pieces with a
question (BM25 over both), and those whose question has a vector like its own, fused by rank before
a matcher looks at them. Where things go by other names, the question is asked under those too: a
pair is as near as it is to the nearest wording."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from osler.kinds import Pair
from osler.match.asking import focus
from osler.match.concepts import Concepts
from osler.match.matcher import Candidate
from osler.match.own_names import terminology_of
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
OTHERWISE = 0.9
"""What is near under another name is a little less near than what is under the question's own."""
DAMP = 10.0
"""Reciprocal rank fusion: what is added to a rank. Small, since the first dozen matters."""
Fetch = Callable[[Sequence[str]], Mapping[str, Pair]]
Floats = NDArray[np.float32]


class PairPool:
    """BM25 weights over words' pieces as sparse columns: of a pair's two texts, and of its question
    alone, where what the asked question is about counts ``FOCUS`` times.

    ``encoder`` is the one that gave the index its vectors; ``fetch`` gives pairs by their ids;
    ``concepts`` know other names.
    """

    def __init__(
        self,
        index: PairIndex,
        texts: Texts,
        fetch: Fetch,
        *,
        encoder: Encoder | None = None,
        concepts: Concepts | None = None,
    ) -> None:
        self.index = index
        self.texts = texts
        self.fetch = fetch
        self.concepts = concepts or Concepts.beside(None)
        self.encoder = encoder if index.vectors.shape[1:] != (0,) else None
        self.numbers = {term: at for at, term in enumerate(index.vocabulary)}
        having = np.bincount(index.whole.terms, minlength=len(self.numbers))
        idf = bm25.idf(having, len(index))
        mean = max(float(index.whole.lengths.mean()), 1.0) if len(index) else 1.0
        self._idf = idf
        self._most = float(bm25.idf(np.zeros(1), len(index))[0]) if len(index) else 1.0
        self._whole = _Columns(index.whole, idf, mean)
        self._asked = _Columns(index.asked, idf, mean)
        # Ties go by id, whatever order the pairs came in.
        self._order = np.argsort(np.argsort(np.array(index.ids, dtype=object), kind="stable"))

    @classmethod
    def of(
        cls,
        pairs: Sequence[Pair],
        texts: Texts,
        *,
        encoder: Encoder | None = None,
        concepts: Concepts | None = None,
    ) -> PairPool:
        """Pairs that are held in memory."""
        held = {pair.id: pair for pair in pairs}
        encode = encoder.encode if encoder is not None else None
        index = PairIndex.empty().grown(pairs, texts, encode=encode)
        if concepts is None:
            concepts = Concepts.beside(terminology_of(index.names))
        return cls(
            index,
            texts,
            lambda ids: {id: held[id] for id in ids},
            encoder=encoder,
            concepts=concepts,
        )

    def __len__(self) -> int:
        return len(self.index)

    def candidates(self, question: str, *, most: int = CANDIDATES) -> list[Candidate]:
        """The nearest pairs' answers, each text once, the nearest first, ties by id."""
        wordings = self.concepts.wordings(question)
        near = self._best(self._by_words(wordings), 4 * most)
        alike = self._by_vector(wordings, 4 * most)
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

    def _by_words(self, wordings: Sequence[str]) -> Floats:
        """For each pair the share that it reaches of what the nearest wording could give."""
        best = np.zeros(len(self), np.float32)
        for number, wording in enumerate(wordings):
            scores = np.zeros(len(self), np.float32)
            whole, asked = self._pieces(wording), self._pieces(focus(wording))
            self._whole.add(self._terms(whole), scores)
            self._asked.add(self._terms(asked), scores, FOCUS)
            could = self._could(whole) + FOCUS * self._could(asked)
            if could:
                scores *= (OTHERWISE if number else 1.0) / could
            np.maximum(best, scores, out=best)
        return best

    def _pieces(self, text: str) -> list[str]:
        return list(dict.fromkeys(self.texts.grams(text)))

    def _terms(self, pieces: Sequence[str]) -> list[int]:
        return [self.numbers[piece] for piece in pieces if piece in self.numbers]

    def _could(self, pieces: Sequence[str]) -> float:
        """The weight of some pieces; one that no text holds weighs most."""
        terms = self._terms(pieces)
        return float(self._idf[terms].sum()) + self._most * (len(pieces) - len(terms))

    def _by_vector(self, wordings: Sequence[str], most: int) -> list[int]:
        encoder = self.encoder
        readable = [one for one in wordings if encoder is not None and encoder.reads(one)]
        if encoder is None or not len(self) or not readable:
            return []
        vectors = np.asarray(encoder.encode(readable)).astype(np.float32)
        vectors[1:] *= OTHERWISE
        return self._best((self._vectors @ vectors.T).max(1), most)

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
