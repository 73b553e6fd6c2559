"""``export``: all hits of a search in a format of others, in pieces: none waits for the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from osler.corpus.writing import WRITERS
from osler.errors import ChoiceError
from osler.files.spreadsheet import csv_rows
from osler.kinds import Document, Hit
from osler.search.searcher import hit_of
from osler.stopping import check_stopped
from osler.verbs.formats import FORMATS, MEDIA, run_line
from osler.verbs.search import SearchRequest, ranker_of

if TYPE_CHECKING:
    from osler.library import Library

TOGETHER = 200
"""Papers that are read and written at once: what an export holds in memory."""
COLUMNS = (
    "rank", "id", "score", "title", "authors", "journal", "published", "doi", "pmid", "design",
    "sample_size", "retracted", "abstract",
)  # fmt: skip


class HitList(NamedTuple):
    """All hits of a search: (row, id, score) in their order, and by which method."""

    hits: list[tuple[int, str, float]]
    method: str
    notes: list[str]


def listed(library: Library, request: SearchRequest) -> HitList:
    """Which papers an export holds. ``k`` and ``skip`` of the request play no part: all of them."""
    ranker, _ = ranker_of(library, request.method, without_model=request.without_model)
    searcher = library.searcher
    hits = searcher.everything(
        request.text,
        ranker,
        filter=request.filter or None,
        plain=request.plain,
        syntax=request.syntax,
        sort=request.order,
    )
    return HitList(hits, ranker.name, list(searcher.view.notes))


def batches(hits: HitList) -> Iterator[tuple[int, list[tuple[int, str, float]]]]:
    """The hits in parts, each with the place of its first."""
    for start in range(0, len(hits.hits), TOGETHER):
        yield start, hits.hits[start : start + TOGETHER]


def checked(format: str) -> str:
    if format not in MEDIA:
        raise ChoiceError("format", format, FORMATS)
    return format


def head(format: str, query: str, hits: HitList) -> str:
    """What stands before the first paper."""
    if format == "csv":
        return csv_rows([COLUMNS])
    if format == "json":
        card = {"query": query, "method": hits.method, "total": len(hits.hits)}
        return msgspec.json.encode(card).decode()[:-1] + ',"hits":['
    return ""


def tail(format: str) -> str:
    """What stands after the last one."""
    return "]}" if format == "json" else ""


def part(
    library: Library,
    format: str,
    method: str,
    start: int,
    hits: Sequence[tuple[int, str, float]],
) -> str:
    """Some of the papers in the format; those deleted since are left out."""
    if format == "trec":
        return "".join(
            run_line(id, rank, score, method) for rank, (_, id, score) in enumerate(hits, start + 1)
        )
    documents = library.by_rows([row for row, _, _ in hits])
    pieces: list[str] = []
    for rank, (row, _, score) in enumerate(hits, start + 1):
        check_stopped()
        if row in documents:
            pieces.append(_written(format, rank, score, documents[row]))
    if format == "json":
        return ("," if start else "") + ",".join(pieces)
    return "".join(pieces)


def _written(format: str, rank: int, score: float, document: Document) -> str:
    if format in WRITERS:
        return WRITERS[format](document)
    hit = hit_of(document, score)
    hit.abstract = document.abstract
    if format == "csv":
        return csv_rows([_cells(rank, hit, document)])
    line = msgspec.json.encode({"rank": rank, **msgspec.to_builtins(hit)}).decode()
    return line if format == "json" else line + "\n"


def _cells(rank: int, hit: Hit, document: Document) -> Sequence[object]:
    size = "" if hit.sample_size is None else hit.sample_size
    return (
        rank, hit.id, hit.score, hit.title, "; ".join(hit.authors), hit.journal, hit.published,
        hit.doi, document.ids.get("pmid", ""), hit.design, size,
        "retracted" if hit.retracted else "", hit.abstract,
    )  # fmt: skip


def export(
    library: Library,
    request: SearchRequest,
    format: str,
    *,
    told: Callable[[HitList], None] | None = None,
) -> Iterator[str]:
    """All hits of a search in a format, piece by piece. ``told`` is given the list before."""
    checked(format)
    listing = listed(library, request)
    if told is not None:
        told(listing)
    yield head(format, request.text, listing)
    for start, hits in batches(listing):
        yield part(library, format, listing.method, start, hits)
    yield tail(format)
