"""TF-IDF (Manning, Raghavan, Schütze 2008): counts times log((1 + n) / (1 + df)) + 1, length 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.rank.pool import Floats
from osler.rank.representations.base import unit
from osler_papers.rank.bow import BagOfWords


class TfIdf(BagOfWords):
    name = "tfidf"
    help = "counts weighted by how rare a word is"

    def fit(self, texts: Sequence[str]) -> Self:
        super().fit(texts)
        df = (super().transform(texts) > 0).sum(axis=0)
        self.idf = np.log((1 + len(texts)) / (1 + df)) + 1
        return self

    def transform(self, texts: Sequence[str], *, query: str = "") -> Floats:
        return unit(super().transform(texts) * self.idf)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"idf": self.idf}, super().state()[1]

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        made = super().restore(tensors, config)
        made.idf = np.asarray(tensors["idf"])
        return made
