"""Bag of words: how often each word of the vocabulary stands in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.rank.pool import Floats
from osler.rank.preprocess import MIN_DOCUMENTS, Vocabulary, words
from osler.rank.representations.base import Representation


class BagOfWords(Representation):
    name = "bow"
    help = "bag of words: counts"

    def __init__(self, *, min_documents: int = MIN_DOCUMENTS) -> None:
        self.min_documents = min_documents

    def fit(self, texts: Sequence[str]) -> Self:
        self.vocabulary = Vocabulary.of(map(words, texts), min_documents=self.min_documents)
        return self

    def transform(self, texts: Sequence[str], *, query: str = "") -> Floats:
        counts = np.zeros((len(texts), len(self.vocabulary)))
        for row, text in enumerate(texts):
            ids = self.vocabulary.ids(words(text))
            np.add.at(counts[row], ids, 1.0)
        return counts

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {}, {"words": self.vocabulary.words, "min_documents": self.min_documents}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        made = cls(min_documents=config["min_documents"])
        made.vocabulary = Vocabulary(config["words"])
        return made
