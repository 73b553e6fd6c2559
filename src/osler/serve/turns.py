"""Turns: work that Python can only do one piece of at a time is given out one piece at a time.

Two threads that both want the interpreter hand it to each other dozens of times in one search, and
pay for each time. So the next piece begins when the last one has ended; a slow one is not waited
for, and the next begins beside it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

PATIENCE = 0.05
"""Seconds after which a piece of work is slow, and no reason to wait."""


class Turns:
    """At most ``most`` pieces at once, of which all but one are slow."""

    def __init__(self, most: int, patience: float = PATIENCE) -> None:
        self.most = most
        self.patience = patience
        self._begun: dict[object, float] = {}
        self._waiting: deque[asyncio.Future[object]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[bool]:
        """Wait for a turn, and hold it inside the block; whether something slow goes on beside."""
        place: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._admit()
        try:
            await place
            yield len(self._begun) > 1
        finally:
            # Somebody who left while waiting has nothing to give back.
            self._begun.pop(place, None)
            self._admit()

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
