"""Turns: work that Python can only do one piece of at a time is given out one piece at a time.

Two threads that both want the interpreter hand it to each other dozens of times in one search, and
pay for each time. So the next piece begins when the last one has ended; a slow one is not waited
for, and the next begins beside it.
"""

from __future__ import annotations

import asyncio
from collections import deque

PATIENCE = 0.05
"""Seconds after which a piece of work is slow, and no reason to wait."""


class Turns:
    """At most ``most`` pieces at once, of which all but one are slow."""

    def __init__(self, most: int, patience: float = PATIENCE) -> None:
        self.most = most
        self.patience = patience
        self._begun: dict[asyncio.Future[None], float] = {}
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def ask(self) -> asyncio.Future[None]:
        """A place, done when its turn has come; whoever has one gives it back."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._admit()
        return place

    def give(self, place: asyncio.Future[None]) -> None:
        """Give a place back: the work has ended, or nobody waits for it any more."""
        place.cancel()
        self._begun.pop(place, None)
        self._admit()

    @property
    def crowded(self) -> bool:
        """Whether more than one piece goes on: all but the last begun are slow."""
        return len(self._begun) > 1

    def _admit(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting and self._free(loop.time()):
            place = self._waiting.popleft()
            if not place.done():
                self._begun[place] = loop.time()
                place.set_result(None)
        if self._waiting and self._timer is None:
            self._timer = loop.call_later(self.patience, self._look_again)

    def _free(self, now: float) -> bool:
        slow = (now - begun >= self.patience for begun in self._begun.values())
        return len(self._begun) < self.most and all(slow)

    def _look_again(self) -> None:
        self._timer = None
        self._admit()
