"""reRank(BM25-Extra) for sentences: row #1 of Table 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.rank.bm25 import Bm25Extra
from osler.rank.pool import Floats
from osler.rank.sentence_ranker import Abstract, Progress, SentenceRanker, sentence_rankers


@sentence_rankers.register("bm25-extra")
class Bm25ExtraSentences(SentenceRanker):
    """A sentence is the text, the sentences of the papers of ``fit`` are the collection."""

    name = "bm25-extra"
    help = "BM25 and four shares of matched words and pairs, summed; needs no labels"
    learns = False

    def fit(self, abstracts: Sequence[Abstract], *, progress: Progress | None = None) -> Self:
        self.bm25 = Bm25Extra().fit(s for abstract in abstracts for s in abstract.sentences)
        return self

    def scores(self, abstract: Abstract) -> Floats:
        table = self.bm25.table(abstract.topic.words, abstract.sentences)
        return np.asarray(table.sum(axis=1))

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {}, {"bm25": self.bm25.state()}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        restored = cls()
        restored.bm25 = Bm25Extra.restore(config["bm25"])
        return restored
