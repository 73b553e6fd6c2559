"""Plain tables for a terminal, a pipe or a file: columns lined up, never cut."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under their heads. The first column stands left, columns of numbers right."""
    table = [list(heads), *(list(row) for row in rows)]
    widths = [max(_width(row[i]) for row in table) for i in range(len(heads))]
    right = [i > 0 and all(_number(row[i]) for row in rows) for i in range(len(heads))]
    lines = []
    for row in table:
        cells = [
            " " * (widths[i] - _width(cell)) + cell
            if right[i]
            else cell + " " * (widths[i] - _width(cell))
            for i, cell in enumerate(row)
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _width(text: str) -> int:
    # A Chinese character takes two columns of a terminal.
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _number(cell: str) -> bool:
    return not cell or cell[0].isdigit() or cell[0] in "+-<≥≤"
