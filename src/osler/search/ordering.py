"""The order of a search's hits, whatever the method: filters, the end of the list, other orders.

A filter takes hits out and moves none: what passes it stands in the order that it has without it.
Only where too few of the candidates pass are further ones looked for behind the filter, and they
come after. Likewise a list that is read to its end goes on, after what the method ranked, with all
other papers that match the words, so that every page and every export sees the same list.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from osler.kinds.query import Filter, Node
from osler.retrieve.channel import Fused, Scores
from osler.retrieve.view import Request, View, passing
from osler.search.ranker import SearchRanker

FURTHER = "further down"
"""The part of a score that keeps what was looked for later below what was found first."""
SORTS = ("relevance", "date", "journal", "citations")


def ranked(request: Request, ranker: SearchRanker, view: View, total: int) -> Fused:
    """The candidates of a request in their order; ``total`` papers match."""
    if request.sort:
        return in_order(request.node, request.sort, request.k, view, request.filter)
    fused = ranker.rank(replace(request, filter=None), view)
    if request.filter:
        fused = fused.within(passing(fused.rows.tolist(), request.filter, view))
        if len(fused.rows) < request.k:
            fused = below(fused, ranker.rank(request, view))
    if len(fused.rows) < min(request.k, total):
        fused = below(fused, by_words(request, view, request.k + len(fused.rows)))
    return fused


def by_words(request: Request, view: View, k: int) -> Fused:
    """All papers that match, by words alone."""
    scored = view.engine.search_words(request.node, k, request.filter)
    scores: Scores = np.array([round(each.score, 6) for each in scored], np.float64)
    return Fused(
        np.array([each.row for each in scored], np.int64),
        np.array([each.seq for each in scored], np.int64),
        scores,
        {"words": scores},
        {"words": scores},
    )


def in_order(node: Node, by: str, k: int, view: View, filter: Filter | None) -> Fused:
    """Papers that match by date, journal or citations."""
    scored = view.engine.ordered(node, by, k, filter)
    return Fused(
        np.array([each.row for each in scored], np.int64),
        np.array([each.seq for each in scored], np.int64),
        np.array([each.score for each in scored], np.float64),
        {},
        {},
    )


def below(first: Fused, second: Fused) -> Fused:
    """The first list, and what only the second one holds after it."""
    new = ~np.isin(second.rows, first.rows)
    later = second.within(second.rows[new].tolist())
    if not len(first.rows) or not len(later.rows):
        return first if len(first.rows) else later
    step = min(0.0, float(first.scores.min()) - float(later.scores.max()) - 1e-6)
    shift = np.full(len(later.rows), step)

    def laid(one: dict[str, Scores], other: dict[str, Scores]) -> dict[str, Scores]:
        size, more = len(first.rows), len(later.rows)
        return {
            name: np.concatenate([one.get(name, np.zeros(size)), other.get(name, np.zeros(more))])
            for name in {**one, **other}
        }

    added = {**later.contributed, FURTHER: shift} if step else later.contributed
    return Fused(
        np.concatenate([first.rows, later.rows]),
        np.concatenate([first.seqs, later.seqs]),
        np.concatenate([first.scores, later.scores + shift]),
        laid(first.raw, later.raw),
        laid(first.contributed, added),
    )
