"""Narrative blocks of a clinical note, found by rules: a heading, then text up to the next one.

A heading is a short line, or the start of a line, that ends in a colon (``FAMILY HISTORY:``), or a
line in capitals that is one of the known headings. The block's type is the heading in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

_COLON = re.compile(r"^[ \t]*([A-Za-z][A-Za-z /&'()-]{2,48}?)[ \t]*[:：]", re.MULTILINE)
_CAPITALS = re.compile(r"^[ \t]*([A-Z][A-Z /&'()-]{3,48})[ \t]*$", re.MULTILINE)

# Headings that often stand in the middle of mixed-case prose lines are taken only from this list;
# a heading all in capitals with a colon is taken whatever it says.
KNOWN = frozenset((files(__package__) / "headings.txt").read_text(encoding="utf-8").split("\n")) - {
    ""
}

# Headings whose text is the record's own bookkeeping, not a fact about the patient.
SKIPPED = frozenset(
    {"report status", "discharge date", "admission date", "service", "signed", "note"}
)
MAX_BLOCK = 2_000


@dataclass(frozen=True)
class Block:
    """One narrative block; ``start`` and ``end`` are characters of the note."""

    heading: str
    text: str
    start: int
    end: int


def blocks(text: str) -> Iterator[Block]:
    """The narrative blocks of a note, in order; a heading without text gives none."""
    starts: dict[int, tuple[str, int]] = {}
    for match in _COLON.finditer(text):
        heading = _heading(match.group(1))
        if heading in KNOWN or match.group(1).isupper():
            starts[match.start()] = (heading, match.end())
    for match in _CAPITALS.finditer(text):
        heading = _heading(match.group(1))
        if heading in KNOWN:
            starts.setdefault(match.start(), (heading, match.end()))
    places = sorted(starts)
    for position, place in enumerate(places):
        heading, begin = starts[place]
        stop = places[position + 1] if position + 1 < len(places) else len(text)
        body = text[begin:stop]
        shown = " ".join(body.split())[:MAX_BLOCK]
        if not shown or heading in SKIPPED:
            continue
        lead = len(body) - len(body.lstrip())
        yield Block(heading, shown, begin + lead, begin + len(body.rstrip()))


def _heading(raw: str) -> str:
    return " ".join(raw.replace("(", " ").replace(")", " ").split()).lower()
