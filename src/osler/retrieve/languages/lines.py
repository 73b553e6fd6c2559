"""Strategies of several lines: ``1. exp Asthma/``, ``2. wheez*.ti,ab.``, ``3. 1 or 2``.

The last line is what is asked; it may speak of earlier ones by their number. A line may end with
the count that a database printed beside it: after a tab, or in brackets.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MOST = 200
"""Lines that a strategy may have."""
_NUMBERED = re.compile(r"\s*#?(?P<number>\d{1,3})(?:[.):]\s*|\t\s*|\s+(?=\D))(?P<text>\S.*)")
_COUNT = re.compile(r"(?:\t\s*[\d,]+|\s+\([\d,]+\))\s*$")


class Line(NamedTuple):
    """One line: its number, its text, and where that begins in the whole."""

    number: int
    text: str
    place: int


def split(query: str) -> list[Line]:
    """The lines of a query, numbered as they are or in their order. Lines without numbers are one
    text that was broken to fit a page."""
    given: list[Line] = []
    place = 0
    for text in query.splitlines(keepends=True):
        match = _NUMBERED.fullmatch(text.rstrip())
        if match:
            held = _COUNT.sub("", match["text"]) or match["text"]
            given.append(Line(int(match["number"]), held, place + match.start("text")))
        elif text.strip():
            given.append(Line(0, text.rstrip(), place))
        place += len(text)
    if len(given) < 2 or not all(line.number for line in given):
        return [Line(1, query, 0)]
    return given
