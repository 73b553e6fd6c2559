"""The bibliographic part of a record, as every format needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from osler.corpus.fields import flat
from osler.files.spreadsheet import csv_rows
from osler.kinds import Document


def month_of(document: Document) -> str:
    return document.published[5:7].lstrip("0")


def detail(document: Document, name: str) -> str:
    """Volume, issue, pages: what readers keep in the metadata."""
    return str(document.metadata.get(name) or "")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in text, each cell on one line."""
    lines = ([flat(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return csv_rows([columns, *lines])
