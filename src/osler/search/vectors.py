"""Search by vectors alone: the documents whose vector is nearest to the question's."""

from __future__ import annotations

from typing import ClassVar

from osler.retrieve.channel import Candidates, Fused
from osler.retrieve.reading_now import read_likely
from osler.retrieve.view import Request, View
from osler.search.ranker import SearchRanker, rankers


@rankers.register("vectors")
class Vectors(SearchRanker):
    """Cosine of the encoder's vectors (seed 002, eq. 1)."""

    name = "vectors"
    help = "cosine between the question's vector and the documents'"
    needs: ClassVar[frozenset[str]] = frozenset({"vectors"})

    def rank(self, request: Request, view: View) -> Fused:
        if not view.reads(request.text, otherwise="nothing was found by vectors"):
            nearest = Candidates.none()
        else:
            read_likely(request, view, Candidates.none())
            nearest = view.vectors(view.encode(request.text), request.k, request.filter)
        parts = {"vectors": nearest.scores}
        return Fused(nearest.rows, nearest.seqs, nearest.scores, parts, parts)
