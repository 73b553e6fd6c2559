"""A search ranker: words, and among equals in words the newer paper first.

    score(d) = BM25(d) * (1 + share * (year(d) - oldest) / (newest - oldest))

over the candidates that the words brought; a paper without a year counts as the oldest.
"""

from __future__ import annotations

import numpy as np

from osler.errors import InputError
from osler.plugins import Fused, Request, SearchRanker, View


class RecentWords(SearchRanker):
    """``share`` is what the newest candidate gains over the oldest, 0.2 of its score."""

    name = "recent-words"
    help = "BM25 with up to a fifth more for newer papers (an example of a plug-in)"

    def __init__(self, *, share: float = 0.2) -> None:
        if share < 0:
            raise InputError("the share of recency cannot be negative")
        self.share = share

    def rank(self, request: Request, view: View) -> Fused:
        candidates = view.words(request.node, request.depth, request.filter)
        documents = view.documents.by_rows(candidates.rows.tolist())
        years = np.array(
            [_year(documents.get(row)) for row in candidates.rows.tolist()], np.float64
        )
        newer = np.zeros(len(candidates), np.float64)
        dated = years > 0
        if dated.any() and years[dated].max() > years[dated].min():
            oldest, newest = years[dated].min(), years[dated].max()
            newer[dated] = (years[dated] - oldest) / (newest - oldest)
        parts = {"words": candidates.scores, "recency": self.share * newer * candidates.scores}
        total = np.asarray(np.round(parts["words"] + parts["recency"], 6), np.float64)
        return Fused(candidates.rows, candidates.seqs, total, {"words": candidates.scores}, parts)


def _year(document: object) -> int:
    published = getattr(document, "published", "")[:4]
    return int(published) if published.isdigit() else 0
