"""Hybrid search: words and vectors, fused, and what lies near the best of them."""

from __future__ import annotations

from typing import ClassVar

from osler.retrieve.channel import Candidates, Fused
from osler.retrieve.fusion import Fusion, ZScore, fusions
from osler.retrieve.neighbours import leant
from osler.retrieve.reading_now import read_likely
from osler.retrieve.view import Request, View
from osler.search.ranker import SearchRanker, rankers

WORDS, VECTORS = 0.25, 0.75
"""Weights of the two channels, chosen on the development sets: a plateau, not a peak."""


@rankers.register("hybrid")
class Hybrid(SearchRanker):
    """Words and vectors by weighted z-score; the best lean on their neighbours. Or by any other
    fusion, as that gives it."""

    name = "hybrid"
    help = "words and vectors, fused by z-score"
    needs: ClassVar[frozenset[str]] = frozenset({"vectors"})

    def __init__(self, *, fusion: str | Fusion | None = None) -> None:
        self.lean = fusion is None
        if fusion is None:
            self.fusion: Fusion = ZScore(weights={"words": WORDS, "vectors": VECTORS})
        else:
            self.fusion = fusions.resolve(fusion)

    def rank(self, request: Request, view: View) -> Fused:
        candidates = channels(request, view)
        if "vectors" not in candidates:
            return self.fusion.fuse(candidates)
        with_vector = candidates["vectors"].rows
        fused = self.fusion.fuse(
            candidates, {"vectors": lambda rows: view.without_vector(rows, with_vector)}
        )
        return leant(fused, view) if self.lean else fused


def channels(request: Request, view: View) -> dict[str, Candidates]:
    """Candidates by words and by vectors, ``depth`` of each."""
    words = view.words(request.node, request.depth, request.filter)
    if not view.reads(request.text, otherwise="searched by words alone"):
        return {"words": words}
    read_likely(request, view, words)
    vector = view.encode(request.text)
    vectors = view.vectors(vector, request.depth, request.filter)
    if request.structured:
        vectors = vectors.within(words.rows)
    return {"words": words, "vectors": vectors}
