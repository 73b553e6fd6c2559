"""Word vectors for the methods that need them: given, read from a file, or trained on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from osler.rank.preprocess import words

Matrix = npt.NDArray[np.float32]


class Vectors(Protocol):
    """What this room asks of word vectors: one row a word, zeros for an unknown word."""

    @property
    def dimension(self) -> int: ...

    def vectors(self, words: Sequence[str]) -> Matrix: ...


class Table:
    """Vectors of a fixed list of words, kept with a trained model."""

    def __init__(self, known: Sequence[str], matrix: npt.NDArray[Any]) -> None:
        self.words = list(known)
        self.matrix = np.asarray(matrix, dtype=np.float32)
        self.index = {word: i for i, word in enumerate(self.words)}

    @property
    def dimension(self) -> int:
        return int(self.matrix.shape[1])

    def vectors(self, words: Sequence[str]) -> Matrix:
        vectors = np.zeros((len(words), self.dimension), dtype=np.float32)
        for place, word in enumerate(words):
            row = self.index.get(word)
            if row is not None:
                vectors[place] = self.matrix[row]
        return vectors

    @classmethod
    def of(cls, source: Vectors, known: Sequence[str]) -> Table:
        return cls(known, source.vectors(known))


class EncoderWords:
    """An encoder's word vectors: each word encoded alone, once. The alternative to a trained file.

    Zeros for a word that the encoder does not read, such as Chinese to an English one.
    """

    def __init__(self, encoder: Any) -> None:
        self.encoder = encoder
        self._known: dict[str, Matrix] = {}

    @property
    def dimension(self) -> int:
        return int(self.encoder.dimension)

    def vectors(self, words: Sequence[str]) -> Matrix:
        fresh = sorted(set(words).difference(self._known))
        if fresh:
            for word, row in zip(fresh, self.encoder.encode(fresh), strict=True):
                self._known[word] = row
        if not words:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self._known[word] for word in words])


def word_vectors(
    choice: Vectors | str | Path | None,
    texts: Sequence[str],
    *,
    dimension: int = 100,
    epochs: int = 10,
    seed: int = 0,
) -> Vectors:
    """Vectors as they are, from a word2vec or fastText file, or trained on ``texts`` by gensim."""
    from osler.text.word_vectors import WordVectors

    if isinstance(choice, (str, Path)):
        return WordVectors.load(choice)
    if choice is not None:
        return choice
    corpus = [words(text) for text in texts]
    if not any(corpus):
        return Table([], np.zeros((0, dimension)))
    return WordVectors.train(corpus, dimension=dimension, epochs=epochs, seed=seed)


def fasttext_vectors(
    texts: Sequence[str], *, dimension: int = 300, epochs: int = 10, seed: int = 0
) -> Table:
    """FastText (Bojanowski et al. 2017) trained on ``texts``: words share the vectors of their
    character n-grams. The paper's are of all PubMed; these are of what is at hand."""
    from osler.errors import MissingExtra

    try:
        from gensim.models import FastText
    except ImportError:
        raise MissingExtra("training fastText vectors (gensim)", "neural") from None
    corpus = [words(text) for text in texts]
    # 50,000 buckets in place of two million: small corpora have no more n-grams than that.
    model = FastText(
        vector_size=dimension,
        min_count=2,
        sg=1,
        bucket=50_000,
        seed=seed,
        workers=1,
        epochs=epochs,
    )
    model.build_vocab(corpus)
    model.train(corpus, total_examples=len(corpus), epochs=epochs)
    known = list(model.wv.index_to_key)
    return Table(known, np.asarray(model.wv.vectors, dtype=np.float32))
