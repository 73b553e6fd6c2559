"""What was found out about texts, kept by the hash of the text: it depends on nothing else, so it
holds in every state of a library. Papers of one question come back with the next page and the next
question."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Findings by their text; all are dropped when there are ``most``. Several threads may ask."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._held)

    def of(self, text: Hashable, find: Callable[[], T]) -> T:
        """What is kept of a text, or what ``find`` gives."""
        key = hash(text)
        held = self._held.get(key)
        if held is None:
            held = find()
            if len(self._held) >= self.most:
                self._held.clear()
            self._held[key] = held
        return held
