"""How the best hits of a search spread over years, journals and kinds of paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from osler.design.judge import design_of
from osler.kinds import Document, Ranking, Reason
from osler.retrieve.channel import Fused
from osler.retrieve.view import Request, View
from osler.search import SearchRanker
from osler.serve.reader import Reader
from osler.verbs.search import SearchRequest, ranker_of, search

COUNTED = 200
"""Hits over which the filters are counted."""
SHOWN = 6
"""Values that a filter offers."""


class Facet(msgspec.Struct, frozen=True):
    """A filter with the values that the best hits have: (value, how many of them)."""

    name: str
    label: str
    values: list[tuple[str, int]]


class Once(SearchRanker):
    """A ranker that ranks one question once, however many hits of it are asked for in turn."""

    def __init__(self, inner: SearchRanker) -> None:
        self.inner = inner
        self.name = inner.name  # type: ignore[misc]
        self._held: tuple[Request, Fused, list[str]] | None = None

    def rank(self, request: Request, view: View) -> Fused:
        # Only the number of hits may differ, and more of them hold fewer.
        held = self._held
        if held is None or held[0].k < request.k or held[0].node != request.node:
            fused = self.inner.rank(request, view)
            held = self._held = (request, fused, list(view.notes))
        for note in held[2]:
            view.note(note)
        return held[1]

    def reasons(
        self, request: Request, view: View, rows: Sequence[int], documents: Sequence[Document]
    ) -> list[tuple[Reason, ...]]:
        return self.inner.reasons(request, view, rows, documents)


def search_and_count(reader: Reader, request: SearchRequest) -> tuple[Ranking, list[Facet]]:
    """One page of hits, and filters counted over the best hits, out of one ranking."""
    ranker, model = ranker_of(reader, request.method, without_model=request.without_model)
    asked = msgspec.structs.replace(request, method=Once(ranker))
    counted = facets(reader, asked)
    ranking = search(reader, asked)
    ranking.model = model
    return ranking, counted


def facets(reader: Reader, request: SearchRequest) -> list[Facet]:
    """Counts over the best hits: years, kinds of paper, journals, languages, headings."""
    counting = msgspec.structs.replace(request, k=COUNTED, skip=0, evidence=False)
    documents = list(reader.documents([hit.id for hit in search(reader, counting)]))

    def counted(values: Iterable[str], *, by_value: bool = False) -> list[tuple[str, int]]:
        counts = Counter(value for value in values if value)
        if by_value:
            return sorted(counts.most_common(SHOWN), reverse=True)
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]

    def all_of(name: str) -> Iterable[str]:
        return (value for document in documents for value in getattr(document, name))

    return [
        facet
        for facet in (
            Facet("year", "Year", counted(map(_year, documents), by_value=True)),
            Facet("type", "Kind of paper", counted(all_of("types"))),
            Facet("design", "Study design", counted(design_of(d).name for d in documents)),
            Facet("journal", "Journal", counted(document.journal for document in documents)),
            Facet("mesh", "Subject heading", counted(_headings(documents))),
            Facet("language", "Language", counted(document.language for document in documents)),
        )
        if facet.values
    ]


def _year(document: Document) -> str:
    return str(document.year or "")


def _headings(documents: Iterable[Document]) -> Iterable[str]:
    return (heading.name for document in documents for heading in document.headings)
