"""CSV for people's spreadsheets: the one place where it is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def inert(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula: they pass over blanks, tabs and line ends
    before they look for one."""
    if not isinstance(cell, str):
        return cell
    begins = cell.lstrip()[:1]
    odd = cell[:1] in ("\t", "\r", "\n")
    return f"'{cell}" if odd or begins in ("=", "+", "-", "@") else cell


def csv_rows(rows: Iterable[Sequence[object]], *, end: str = "\r\n") -> str:
    """Rows of a table in text; ``end`` is the line's."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=end)
    for row in rows:
        writer.writerow([inert(cell) for cell in row])
    return out.getvalue()
