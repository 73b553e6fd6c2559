"""Words as numbers, for networks that read pairs of texts.

Number 0 pads, number 1 is every word that is not known. Vectors that were trained before give the
embedding its first values; words without one start at small random values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from osler.text.word_vectors import WordVectors

PAD, UNKNOWN = 0, 1
FIRST = 2
Ints = NDArray[np.int64]


class Vocabulary:
    """The words of a training set, most frequent first, ties by the word."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self.numbers = {word: number for number, word in enumerate(self.words, FIRST)}

    @classmethod
    def build(
        cls, texts: Iterable[Sequence[str]], *, least: int = 2, most: int = 100_000
    ) -> Vocabulary:
        counts: Counter[str] = Counter()
        for words in texts:
            counts.update(words)
        kept = sorted(
            (word for word, n in counts.items() if n >= least), key=lambda w: (-counts[w], w)
        )
        return cls(kept[:most])

    def __len__(self) -> int:
        """How many rows an embedding needs."""
        return len(self.words) + FIRST

    def ids(self, words: Sequence[str], longest: int) -> Ints:
        return np.array([self.numbers.get(word, UNKNOWN) for word in words[:longest]], np.int64)

    def matrix(
        self, vectors: WordVectors | None, dimension: int, *, seed: int = 0
    ) -> NDArray[np.float32]:
        """The first values of an embedding: a row a number; padding is zero."""
        rng = np.random.default_rng(seed)
        drawn = rng.normal(0.0, 0.1, (len(self), dimension)).astype(np.float32)
        if vectors is not None and vectors.dimension == dimension:
            scale = float(np.linalg.norm(vectors.matrix, axis=1).mean()) or 1.0
            for word, number in self.numbers.items():
                if word in vectors:
                    drawn[number] = vectors.vector(word) / scale
        drawn[PAD] = 0.0
        return drawn


def padded(rows: Sequence[Ints], *, least: int = 1) -> Ints:
    """Rows of different lengths as one table, padded on the right."""
    width = max(least, max((len(row) for row in rows), default=0))
    table = np.full((len(rows), width), PAD, np.int64)
    for at, row in enumerate(rows):
        table[at, : len(row)] = row
    return table
