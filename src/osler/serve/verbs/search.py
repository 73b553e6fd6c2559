"""Searching: a page of hits, and how the best of them spread over years, journals and types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from osler.errors import InputError, QueryError
from osler.kinds import Document, Filter, Ranking, Reason
from osler.retrieve.channel import Fused
from osler.retrieve.view import Request, View
from osler.search import Ranker, rankers
from osler.serve.models import Hits
from osler.serve.reader import Reader

COUNTED = 200
"""Hits over which the filters are counted."""
SHOWN = 6
"""Values that a filter offers."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One search as somebody asked for it."""

    text: str
    limit: int = 10
    offset: int = 0
    method: str | None = None
    filter: Filter = Filter()
    plain: bool = False
    evidence: bool = True


class Facet(msgspec.Struct, frozen=True):
    """A filter with the values that the best hits have: (value, how many of them)."""

    name: str
    label: str
    values: list[tuple[str, int]]


def years_of(text: str) -> tuple[int | None, int | None] | None:
    """``2019``, ``2019:2021``, ``2019:`` or ``:2021``."""
    if not text.strip():
        return None
    low, mark, high = text.strip().partition(":")
    try:
        years = (int(low) if low else None, int(high) if high else None)
    except ValueError:
        raise InputError(f"{text[:40]} is no range of years", cure="write 2019:2021") from None
    return years if mark else (years[0], years[0])


class Once(Ranker):
    """A ranker that ranks one question once, however many hits of it are asked for in turn."""

    def __init__(self, inner: Ranker) -> None:
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


def _ranking(
    reader: Reader, asked: Asked, k: int, skip: int, evidence: bool, ranker: Ranker | None = None
) -> Ranking:
    def run(plain: bool) -> Ranking:
        return reader.search(
            asked.text,
            k=k,
            skip=skip,
            method=ranker or asked.method,
            filter=asked.filter or None,
            evidence=evidence,
            plain=plain,
        )

    try:
        return run(asked.plain)
    except QueryError as error:
        if asked.plain:
            raise
        # Somebody who types a bracket too few still wants papers.
        found = run(True)
        found.notes = [f"read as plain words: {error.message}", *found.notes]
        return found


def search_and_count(reader: Reader, asked: Asked) -> tuple[Hits, list[Facet]]:
    """One page of hits, and filters counted over the best hits, out of one ranking."""
    ranker = Once(rankers.resolve(asked.method or reader.default_method()))
    counted = facets(reader, asked, ranker)
    return search(reader, asked, ranker), counted


def search(reader: Reader, asked: Asked, ranker: Ranker | None = None) -> Hits:
    """One page of hits. A full page has a next one, which may turn out to be empty: to explain
    one hit more than is shown would cost a tenth of the search."""
    found = _ranking(reader, asked, asked.limit, asked.offset, asked.evidence, ranker)
    full = len(found.hits) == asked.limit
    return Hits(
        query=asked.text,
        method=found.method,
        hits=found.hits,
        offset=asked.offset,
        limit=asked.limit,
        next=asked.offset + asked.limit if full else None,
        notes=list(found.notes),
    )


def facets(reader: Reader, asked: Asked, ranker: Ranker | None = None) -> list[Facet]:
    """Counts over the best hits: years, kinds of paper, journals, languages, headings."""
    found = _ranking(reader, asked, COUNTED, 0, False, ranker)
    documents = list(reader.documents([hit.id for hit in found.hits]))

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
