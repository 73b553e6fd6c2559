"""BM25 over character bigrams (Chinese) and character four-grams (other scripts)."""

from __future__ import annotations

from osler.match.bm25 import BM25
from osler.match.lexicon import Cut
from osler.match.matcher import matchers


@matchers.register("bm25-bigrams")
class BM25Bigrams(BM25):
    """BM25 that no way of cutting words can mislead."""

    name = "bm25-bigrams"
    help = "BM25 over character bigrams"

    @property
    def cut(self) -> Cut:
        return self.sources.texts.grams
