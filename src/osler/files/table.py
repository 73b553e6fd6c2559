"""Tables in text: CSV and TSV rows under a header, each with the line that it starts on."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from typing import Literal

from osler.errors import FieldError, FormatError
from osler.files.source import BAD_LINE, LINE_FIELDS, Source
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
    first = feed.line()
    while first is not None and not first.strip():
        first = feed.line()
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
    while (row := feed.row(sign)) is not None:
        yield from feed.rejects()
        number, cells, reason = row
        if not reason and not any(cells):
            continue
        if not reason and len(cells) != len(header):
            reason = f"{len(cells)} fields where the header has {len(header)}"
            # A row of several lines may be several rows, which a stray quote holds together.
            feed.back()
        if not reason and any(len(cell) > MAX_FIELD.get() for cell in cells):
            reason = f"a field longer than {MAX_FIELD.get()} characters"
        if reason:
            yield Reject(source.name, f"line {number}", reason)
        else:
            yield number, dict(zip(header, cells, strict=True))
    yield from feed.rejects()


LINES = 60
"""Lines that a quoted cell may run over: a long abstract with its breaks. More is a stray quote."""
_STRAY = f"a quote that does not match, or one that is not closed within {LINES} lines"


def _quoting(sign: str) -> Literal[0, 3]:
    return csv.QUOTE_NONE if sign == "\t" else csv.QUOTE_MINIMAL


class _Feed:
    """Rows out of lines; lines that cannot be decoded are kept aside as rejects.

    The lines of the row that is being read are kept, so that reading can go back to the second of
    them when the row's quotes turn out to be stray.
    """

    def __init__(self, source: Source) -> None:
        self._lines = source.lines()
        self._name = source.name
        self._bad: list[int] = []
        self._again: deque[tuple[int, str]] = deque()
        self._taken: list[tuple[int, str]] = []
        self._most = MAX_FIELD.get() * LINE_FIELDS

    def __iter__(self) -> Iterator[str]:
        letters = 0
        while (line := self.line()) is not None:
            yield line + "\n"
            letters += len(line)
            if len(self._taken) > LINES or letters > self._most:
                return

    def line(self) -> str | None:
        """The next line that can be decoded."""
        if self._again:
            self._taken.append(self._again.popleft())
            return self._taken[-1][1]
        for number, line in self._lines:
            if line is None:
                self._bad.append(number)
            else:
                self._taken.append((number, line))
                return line
        return None

    def row(self, sign: str) -> tuple[int, list[str], str] | None:
        """The next row: its first line, its cells, and why it cannot be used, if it cannot."""
        self._taken = []
        cells: list[str] = []
        reason = ""
        try:
            cells = next(csv.reader(self, delimiter=sign, quoting=_quoting(sign), strict=True))
        except StopIteration:
            if not self._taken:
                return None
        except csv.Error:
            reason = _STRAY
        if not self._taken:
            return None
        number, first = self._taken[0]
        if reason and first.count('"') % 2 == 0:
            # Quotes inside of a quoted cell that are not doubled: on a line of its own it is read
            # as most programs read it.
            self.back()
            cells = next(csv.reader([first], delimiter=sign, quoting=_quoting(sign)))
            return number, cells, ""
        if reason:
            self.back()
        return number, cells, reason

    def back(self) -> None:
        """Read on at the line after the row's first."""
        self._again.extendleft(reversed(self._taken[1:]))
        del self._taken[1:]

    def rejects(self) -> Iterator[Reject]:
        for number in self._bad:
            yield Reject(self._name, f"line {number}", BAD_LINE)
        self._bad.clear()
