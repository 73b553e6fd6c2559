"""How all hits of a search spread over years, kinds of paper, designs, journals, headings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from osler.kinds import Document
from osler.kinds.query import Exact
from osler.text.design.names import DESIGN_MARK
from osler.verbs.search import SearchRequest

if TYPE_CHECKING:
    from osler.library import Library

SHOWN = 6
"""Values that a facet tells."""
_LOOKED_AT = 40
"""Values of a field that are counted: among headings, ids and qualifiers stand beside names."""
_FIELDS = ("year", "type", "journal", "heading", "language")


class Facet(msgspec.Struct, frozen=True):
    """A filter with the values that most hits have: (value, how many of all hits have it)."""

    name: str
    label: str
    values: list[tuple[str, int]]


class Facets(msgspec.Struct, kw_only=True):
    """Counts over all papers that match a query."""

    query: str
    total: int
    facets: list[Facet]


def facets(library: Library, request: SearchRequest) -> Facets:
    """Counts over all papers that match, not the best of them."""
    searcher = library.searcher
    asked = searcher.request(
        request.text, 1, request.filter or None, request.plain, syntax=request.syntax
    )
    with library.truth.snapshot():
        engine = searcher.view.engine
        node = searcher.view.reaching(asked.node, asked.depth)
        total = engine.count(node, asked.filter)
        counted = engine.facets(node, _FIELDS, _LOOKED_AT, asked.filter)
        types = counted["type"]
        designs = [(v.removeprefix(DESIGN_MARK), n) for v, n in types if v.startswith(DESIGN_MARK)]
        kinds = [(value, n) for value, n in types if not value.startswith(DESIGN_MARK)]
        years = sorted(counted["year"][:SHOWN], reverse=True)
        listed = [
            Facet("year", "Year", years),
            Facet("type", "Kind of paper", _named(library, "type", kinds)),
            Facet("design", "Study design", designs),
            Facet("journal", "Journal", _named(library, "journal", counted["journal"])),
            Facet("mesh", "Subject heading", _named(library, "heading", counted["heading"])),
            Facet("language", "Language", counted["language"][:SHOWN]),
        ]
    return Facets(
        query=request.text, total=total, facets=[facet for facet in listed if facet.values]
    )


def _named(library: Library, field: str, counted: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The values as papers write them: the index holds them without capitals, and other names of
    the same thing beside them, which no paper shows."""
    counts: dict[str, int] = {}
    view = library.view
    for value, number in counted:
        if len(counts) == SHOWN:
            break
        scored = view.engine.search_words(Exact(field, (value,), explode=False), 1)
        documents = view.documents.by_rows([each.row for each in scored[:20]])
        shown = next(
            (
                written
                for document in documents.values()
                for written in _written(document, field)
                if written.casefold() == value
            ),
            "",
        )
        if shown and shown not in counts:
            counts[shown] = number
    return list(counts.items())


def _written(document: Document, field: str) -> Iterable[str]:
    if field == "journal":
        return (document.journal,)
    if field == "heading":
        return (heading.name for heading in document.headings)
    return document.types
