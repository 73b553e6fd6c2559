"""Search by words alone: BM25 over title, abstract and keywords."""

from __future__ import annotations

import numpy as np

from osler.retrieve.channel import Fused
from osler.retrieve.view import Request, View
from osler.search.ranker import SearchRanker, rankers


@rankers.register("words")
class Words(SearchRanker):
    """BM25 (Robertson and Zaragoza 2009) summed over fields, at the engine's k1 = 1.2, b = 0.75;
    another setting scores the engine's candidates again."""

    name = "words"
    help = "BM25 over title, abstract, keywords and passages of full text"

    def __init__(self, *, k1: float | None = None, b: float | None = None) -> None:
        self.bm25 = None
        if k1 is not None or b is not None:
            from osler.retrieve.bm25 import BM25
            from osler.text.bm25 import K1, B

            self.bm25 = BM25(k1=K1 if k1 is None else k1, b=B if b is None else b)

    def rank(self, request: Request, view: View) -> Fused:
        if self.bm25 is None:
            matching = view.words(request.node, request.k, request.filter)
        else:
            matching = view.words(request.node, request.depth, request.filter)
            matching = self.bm25.rescore(request.node, matching, view)
        scores = np.round(matching.scores, 6)
        return Fused(matching.rows, matching.seqs, scores, {"words": scores}, {"words": scores})
