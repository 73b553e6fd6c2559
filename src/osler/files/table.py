"""Tables in text: CSV and TSV rows under a header, each with the line that it starts on."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Literal

from osler.errors import FieldError, FormatError
from osler.files.source import BAD_LINE, Source
from osler.kinds import Reject
from osler.settings import MAX_FIELD

Row = tuple[int, dict[str, str]]
DELIMITERS = "\t,;"


def delimiter_of(header: str) -> str:
    """The sign that cuts the header into the most columns; a tab wins a tie."""
    return max(DELIMITERS, key=header.count)


def header_of(text: str) -> list[str]:
    """The column names in the first line of a head's text; empty where it is no table."""
    line = text.lstrip("\ufeff").split("\n", 1)[0].rstrip("\r")
    sign = delimiter_of(line)
    if sign not in line:
        return []
    try:
        cells = next(csv.reader([line], delimiter=sign, quoting=_quoting(sign)), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


def rows(
    source: Source, *, delimiter: str | None = None, required: tuple[str, ...] = ()
) -> Iterator[Row | Reject]:
    """Each row as a mapping from column to cell, or a reject for a row that has no such form.

    CSV cells may be quoted and hold line breaks; a TSV is taken literally. A column that is
    ``required`` and missing ends the reading with its name.
    """
    feed = _Feed(source)
    first = next(feed, None)
    while first is not None and not first.strip():
        first = next(feed, None)
    if first is None:
        yield from feed.rejects()
        raise FormatError(f"{source.name} is empty: a table starts with a header")
    sign = delimiter or delimiter_of(first)
    if csv.field_size_limit() < MAX_FIELD.get():
        csv.field_size_limit(MAX_FIELD.get())
    try:
        header = [
            cell.strip()
            for cell in next(csv.reader([first], delimiter=sign, quoting=_quoting(sign)))
        ]
    except csv.Error:
        raise FormatError(f"{source.name} has a header that is no table's") from None
    for column in required:
        if column not in header:
            raise FieldError(
                f"{source.name} has no column {column!r}",
                # Not the columns that it has: without a header these are a record's own words.
                cure=f"its first line names the columns, {', '.join(required)} among them",
            )
    table = csv.reader(feed, delimiter=sign, quoting=_quoting(sign))
    while True:
        feed.first = 0
        try:
            cells = next(table)
        except StopIteration:
            break
        except csv.Error:
            yield from feed.rejects()
            yield Reject(source.name, f"line {feed.first}", _BROKEN.format(MAX_FIELD.get()))
            continue
        yield from feed.rejects()
        if not any(cells):
            continue
        if len(cells) != len(header):
            reason = f"{len(cells)} fields where the header has {len(header)}"
            yield Reject(source.name, f"line {feed.first}", reason)
            continue
        if any(len(cell) > MAX_FIELD.get() for cell in cells):
            yield Reject(source.name, f"line {feed.first}", _BROKEN.format(MAX_FIELD.get()))
            continue
        yield feed.first, dict(zip(header, cells, strict=True))
    yield from feed.rejects()


_BROKEN = "quotes that do not match, or a field longer than {} characters"


def _quoting(sign: str) -> Literal[0, 3]:
    return csv.QUOTE_NONE if sign == "\t" else csv.QUOTE_MINIMAL


class _Feed:
    """Lines for the csv module; those that cannot be decoded are kept aside as rejects."""

    def __init__(self, source: Source) -> None:
        self._lines = source.lines()
        self._name = source.name
        self._bad: list[int] = []
        self.first = 0

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        for number, line in self._lines:
            if line is None:
                self._bad.append(number)
            else:
                # A quoted cell can span lines: the row stands where its first line does.
                self.first = self.first or number
                return line + "\n"
        raise StopIteration

    def rejects(self) -> Iterator[Reject]:
        for number in self._bad:
            yield Reject(self._name, f"line {number}", BAD_LINE)
        self._bad.clear()
