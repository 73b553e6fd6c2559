"""A note that is written token by token, so that every phrase knows where it stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Spot:
    """A phrase's place: line from 1, tokens from 0, characters from 0."""

    text: str
    line: int
    first: int
    last: int
    start: int
    end: int

    @property
    def lines(self) -> str:
        return f"{self.line}:{self.first} {self.line}:{self.last}"

    def field(self, key: str) -> str:
        return f'{key}="{self.text}" {self.lines}'


class Note:
    def __init__(self, *, lead: str = "") -> None:
        self._parts: list[str] = [lead] if lead else []
        self._length = len(lead)
        self._line = 1 + lead.count("\n")
        self._token = 0

    def put(self, text: str) -> Spot:
        """Write a phrase after a blank; a phrase never breaks over lines."""
        gap = " " if self._token else ""
        words = text.split()
        start = self._length + len(gap)
        self._parts.append(gap + " ".join(words))
        self._length = start + len(" ".join(words))
        first = self._token
        self._token += len(words)
        return Spot(" ".join(words), self._line, first, self._token - 1, start, self._length)

    def end_line(self) -> None:
        self._parts.append("\n")
        self._length += 1
        self._line += 1
        self._token = 0

    def line(self, text: str) -> None:
        if text:
            self.put(text)
        self.end_line()

    @property
    def text(self) -> str:
        return "".join(self._parts)
