"""Precision and nDCG as seed 001 measures them (4.3): one true answer among F false ones.

Precision is the share of questions whose true answer stands first; nDCG is 1 / log2(1 + rank) of
the true answer, since one answer alone is relevant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from osler.kinds import Run
from osler.match.matcher import Matcher
from osler.match.splits import CandidateList
from osler.measures.retrieval import per_query

PRECISION, NDCG = "P@1", "nDCG"
MEASURES = (PRECISION, NDCG)


def run_of(
    matcher: Matcher,
    lists: Sequence[CandidateList],
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """The scores of each list's candidates."""
    run: Run = {}
    for number, one in enumerate(lists, 1):
        run[one.id] = {}
        if one.candidates:
            scores = matcher.scores(one.question, one.candidates)
            for candidate, score in zip(one.candidates, scores, strict=True):
                run[one.id][candidate.id] = float(score)
        if progress:
            progress(number, len(lists))
    return run


def qrels_of(lists: Sequence[CandidateList]) -> dict[str, dict[str, int]]:
    return {one.id: {c.id: int(c.id == one.true) for c in one.candidates} for one in lists}


def measured(lists: Sequence[CandidateList], run: Run) -> dict[str, dict[str, float]]:
    """``{measure: {question: value}}``."""
    return per_query(qrels_of(lists), run, MEASURES)


def means(values: dict[str, dict[str, float]]) -> dict[str, float]:
    return {name: sum(table.values()) / max(len(table), 1) for name, table in values.items()}
