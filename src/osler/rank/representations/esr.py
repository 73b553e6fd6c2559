"""Embedding sum representation: ESR(d) = sum over the words of d of e(d_i)  (section 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from osler.rank.pool import Floats
from osler.rank.preprocess import words
from osler.rank.representations.base import Representation, representations
from osler.rank.words import Table, Vectors, word_vectors


@representations.register("esr")
class EmbeddingSum(Representation):
    """``vectors`` are word vectors, or a file of them; None trains them on the texts of ``fit``."""

    name = "esr"
    help = "the sum of the words' vectors"

    def __init__(
        self, *, vectors: Vectors | str | Path | None = None, dimension: int = 100, seed: int = 0
    ) -> None:
        self.vectors = vectors
        self.dimension = dimension
        self.seed = seed

    def fit(self, texts: Sequence[str]) -> Self:
        self.source = word_vectors(self.vectors, texts, dimension=self.dimension, seed=self.seed)
        self._seen = sorted({word for text in texts for word in words(text)})
        return self

    def _rows(self, text: str) -> Floats:
        return np.asarray(self.source.vectors(words(text)), dtype=float)

    def transform(self, texts: Sequence[str], *, query: str = "") -> Floats:
        if not texts:
            return np.zeros((0, self.source.dimension))
        return np.stack([self._rows(text).sum(axis=0) for text in texts])

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        # The words of the texts seen, or all of a trained table: a file of millions stays outside.
        known = getattr(self.source, "words", self._seen)
        kept = Table.of(self.source, known if len(known) <= 100_000 else self._seen)
        return {"vectors": kept.matrix}, {"words": kept.words}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        restored = cls(vectors=Table(config["words"], tensors["vectors"]))
        restored.source = Table(config["words"], tensors["vectors"])
        restored._seen = list(config["words"])
        return restored
