"""The unsupervised sentence rankers of section 3.5.1: query and title against each sentence.

    r_q = cos(q~, Phi_q(s)),  r_t = cos(t~, Phi_q(s))
    version 1:  r_q * r_q + r_t * r_t
    version 2:  r_q * r_q + r'_t * r_t,  r'_t = (r_t > r_q) |r_t - r_q|

The final score adds BM25-Extra. q~ and t~ are embedding sums.

The paper does not say on which scale. r_q and r_t lie in [0, 1], BM25 runs to ten: added as it is,
it decides nearly every paper alone, and the two versions hardly differ, while Table 5's do by ten
papers of 57. So a sentence's BM25-Extra is taken as its share of the paper's (``scale="share"``);
``scale="raw"`` adds the plain sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np

from osler.rank.bm25 import Bm25Extra
from osler.rank.pool import Floats
from osler.rank.representations.base import unit
from osler.rank.representations.qar import QueryAware
from osler.rank.sentence_ranker import Abstract, Progress, SentenceRanker, sentence_rankers
from osler.rank.words import Vectors


@sentence_rankers.register("unsupervised-1")
class UnsupervisedOne(SentenceRanker):
    """Row #2 of Table 5. ``vectors``: word vectors, or a file; None trains them on the papers."""

    name = "unsupervised-1"
    help = "closeness to topic and title, each weighted by itself, plus BM25-Extra"
    learns = False
    version: ClassVar[int] = 1

    def __init__(
        self,
        *,
        vectors: Vectors | str | Path | None = None,
        scale: Literal["share", "raw"] = "share",
        seed: int = 0,
    ) -> None:
        self.vectors = vectors
        self.scale = scale
        self.seed = seed

    def fit(self, abstracts: Sequence[Abstract], *, progress: Progress | None = None) -> Self:
        texts = [abstract.document.text for abstract in abstracts]
        topics = sorted({abstract.topic.words for abstract in abstracts})
        self.form = QueryAware(vectors=self.vectors, seed=self.seed).fit([*texts, *topics])
        self.bm25 = Bm25Extra().fit(s for abstract in abstracts for s in abstract.sentences)
        return self

    def parts(self, abstract: Abstract) -> tuple[Floats, Floats]:
        """r_q and r_t of each sentence."""
        query = abstract.topic.words
        seen = unit(self.form.transform(abstract.sentences, query=query))
        asked = unit(self.form.query(query))
        title = unit(self.form.query(abstract.document.title))
        return seen @ asked, seen @ title

    def scores(self, abstract: Abstract) -> Floats:
        if not len(abstract):
            return np.zeros(0)
        by_query, by_title = self.parts(abstract)
        weight = by_title if self.version == 1 else np.maximum(by_title - by_query, 0.0)
        words = self.bm25.table(abstract.topic.words, abstract.sentences).sum(axis=1)
        whole = float(words.sum())
        if self.scale == "share" and whole > 0:
            words = words / whole
        return np.asarray(by_query * by_query + weight * by_title + words)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors, form = self.form.state()
        return tensors, {"form": form, "bm25": self.bm25.state(), "scale": self.scale}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        restored = cls(scale=config.get("scale", "share"))
        restored.form = QueryAware.restore(tensors, config["form"])
        restored.bm25 = Bm25Extra.restore(config["bm25"])
        return restored


@sentence_rankers.register("unsupervised-2")
class UnsupervisedTwo(UnsupervisedOne):
    """Row #3 of Table 5: the title counts only where it says more than the topic."""

    name = "unsupervised-2"
    help = "closeness to topic, and to title where that is larger, plus BM25-Extra"
    version = 2
