"""The line format of the 2009, 2010, 2011 and 2012 tasks: ``c="chest pain" 12:3
12:4||t="problem"``.

Lines count from 1, tokens of a line from 0, split at blanks; several spans of one phrase are
separated by commas. A phrase may itself hold quotes, so it ends at the last quote before the
offsets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIELD = re.compile(
    r'^\s*(?P<key>[A-Za-z0-9/]+)="(?P<text>.*)"(?P<spans>(?:\s*,?\s*\d+:\d+\s+\d+:\d+)*)\s*$',
    re.DOTALL,
)
_SPAN = re.compile(r"(\d+):(\d+)\s+(\d+):(\d+)")


class BadLine(ValueError):
    """A line that is not of the format, or that points past the text."""


@dataclass(frozen=True)
class Field:
    key: str
    text: str
    spans: tuple[tuple[int, int, int, int], ...] = ()

    @property
    def place(self) -> str:
        """Line and tokens as a source shows them."""
        return ",".join(f"{a}:{b}-{c}:{d}" for a, b, c, d in self.spans)


def fields(line: str) -> list[Field]:
    """The fields of one annotation line."""
    # "||" (in some files "|||") separates fields; a lone "|" or a quote may stand in a phrase.
    result = []
    for part in re.split(r"\|{2,}(?=\s*[A-Za-z0-9/]+=\")", line.strip().rstrip("|")):
        match = _FIELD.match(part)
        if match is None:
            raise BadLine('not a field of the form key="phrase" line:token line:token')
        spans = tuple(
            (int(a), int(b), int(c), int(d)) for a, b, c, d in _SPAN.findall(match.group("spans"))
        )
        result.append(Field(match.group("key"), match.group("text"), spans))
    return result


class NoteLines:
    """A note as lines of tokens, to check offsets against."""

    def __init__(self, text: str) -> None:
        self.lines = [line.split() for line in text.split("\n")]

    def shown(self, field: Field) -> tuple[str, int, int]:
        """The line that a phrase stands in, and where in it; nothing for a phrase without a
        place."""
        if not field.spans:
            return "", 0, 0
        line = " ".join(self.lines[field.spans[0][0] - 1])
        start = line.casefold().find(" ".join(field.text.split()).casefold())
        return line, max(start, 0), start + len(field.text) if start >= 0 else 0

    def check(self, field: Field) -> None:
        """Raise ``BadLine`` when a span points past the text or covers other words."""
        words: list[str] = []
        for line, token, end_line, end_token in field.spans:
            if not (1 <= line <= end_line <= len(self.lines)):
                raise BadLine("line past the end of the note")
            if token >= len(self.lines[line - 1]) or end_token >= len(self.lines[end_line - 1]):
                raise BadLine("token past the end of its line")
            if (line, token) > (end_line, end_token):
                raise BadLine("a span that ends before it starts")
            if line == end_line:
                words += self.lines[line - 1][token : end_token + 1]
            else:
                words += self.lines[line - 1][token:]
                for between in range(line, end_line - 1):
                    words += self.lines[between]
                words += self.lines[end_line - 1][: end_token + 1]
        if words and field.text and "..." not in field.text:
            said, stands = _letters(field.text), _letters(" ".join(words))
            if said not in stands and stands not in said:
                raise BadLine("offsets that cover other words than the phrase")


def _letters(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalnum())
