"""Words by their length: what is a slip or two away from a word is about as long."""

from __future__ import annotations

from collections.abc import Iterable


class ByLength:
    """Words, to be asked for by how long they are."""

    def __init__(self, words: Iterable[str]) -> None:
        self._groups: dict[int, list[str]] = {}
        groups = self._groups
        for word in words:
            size = len(word)
            if size in groups:
                groups[size].append(word)
            else:
                groups[size] = [word]

    def within(self, lengths: range | None) -> list[str]:
        """Those of some lengths; all of them where none are named."""
        wanted = self._groups if lengths is None else lengths
        return [word for size in wanted for word in self._groups.get(size, ())]
