"""Search by words alone: BM25 over title, abstract and keywords."""

from __future__ import annotations

import numpy as np

from osler.retrieve.channel import Fused
from osler.retrieve.view import Request, View
from osler.search.ranker import Ranker, rankers


@rankers.register("words")
class Words(Ranker):
    """BM25 (Robertson and Zaragoza 2009) at the engine's k1 = 1.2, b = 0.75, summed over fields."""

    name = "words"
    help = "BM25 over title, abstract, keywords and passages of full text"

    def rank(self, request: Request, view: View) -> Fused:
        found = view.words(request.node, request.k, request.filter)
        scores = np.round(found.scores, 6)
        return Fused(found.rows, found.seqs, scores, {"words": scores}, {"words": scores})
