"""BM25 and BM25-Extra (section 3.3): five measures of how a query's words stand in a text.

    1  BM25 (Robertson and Zaragoza 2009)
    2  the share of the query's words that stand in the text
    3  the share of the query's pairs of neighbouring words that do
    4  (2) with each word weighted by its IDF
    5  (3) with each pair weighted by its IDF

The paper takes the raw text. So do we, but for letter case: without folding it, "Arousal" would
miss "arousal" and the method would measure sentence beginnings.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.rank.pool import Floats
from osler.rank.preprocess import raw_words
from osler.stopping import check_stopped
from osler.text import bm25
from osler.text.bm25 import K1, B

FEATURES = ("bm25", "words", "pairs", "words idf", "pairs idf")


class Bm25Extra:
    """Statistics of a collection, and the five features of a text for a query."""

    def __init__(self, *, k1: float = K1, b: float = B) -> None:
        self.k1 = k1
        self.b = b
        self.count = 0
        self.mean_length = 0.0
        self.df: dict[str, int] = {}

    def fit(self, texts: Iterable[str]) -> Self:
        df: Counter[str] = Counter()
        total = 0
        for text in texts:
            check_stopped()
            words = raw_words(text)
            df.update(set(words))
            df.update(set(_pairs(words)))
            total += len(words)
            self.count += 1
        # A pair that stood once is as rare as one that never did: it need not be kept.
        self.df = {name: n for name, n in df.items() if n > 1 or " " not in name}
        self.mean_length = total / max(self.count, 1)
        return self

    def idf(self, name: str) -> float:
        return float(bm25.idf(self.df.get(name, 0), self.count))

    def features(self, query: str, text: str) -> Floats:
        """The five numbers."""
        asked = list(dict.fromkeys(raw_words(query)))
        pairs = _pairs(raw_words(query))
        words = raw_words(text)
        counts = Counter(words)
        near = set(_pairs(words))
        average = self.mean_length or len(words)
        score = sum(
            self.idf(word) * bm25.saturated(counts[word], len(words), average, k1=self.k1, b=self.b)
            for word in asked
            if counts[word]
        )
        return np.array(
            [
                score,
                _share(asked, counts, lambda name: 1.0),
                _share(pairs, near, lambda name: 1.0),
                _share(asked, counts, self.idf),
                _share(pairs, near, self.idf),
            ]
        )

    def table(self, query: str, texts: Sequence[str]) -> Floats:
        """The features of several texts, a row each."""
        if not texts:
            return np.zeros((0, len(FEATURES)))
        return np.stack([self.features(query, text) for text in texts])

    def state(self) -> dict[str, Any]:
        return {
            "k1": self.k1,
            "b": self.b,
            "count": self.count,
            "mean_length": self.mean_length,
            "df": self.df,
        }

    @classmethod
    def restore(cls, config: Mapping[str, Any]) -> Self:
        restored = cls(k1=config["k1"], b=config["b"])
        restored.count, restored.mean_length = config["count"], config["mean_length"]
        restored.df = dict(config["df"])
        return restored


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{a} {b}" for a, b in itertools.pairwise(words)]


def _share(names: Sequence[str], held: Any, weight: Any) -> float:
    whole = sum(weight(name) for name in names)
    return sum(weight(name) for name in names if name in held) / whole if whole else 0.0
