"""A brake on wrong tokens: so many within a minute, then an address has to wait."""

from __future__ import annotations

import time
from collections import OrderedDict, deque

from osler.settings import SERVE_TRIES

MINUTE = 60.0
_REMEMBERED = 10_000
"""Addresses that are remembered: whoever has many of them does not fill the memory."""


class Brake:
    """Counts wrong tokens by the address that they came from."""

    def __init__(self) -> None:
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()

    def wrong(self, client: str) -> None:
        """A wrong token came from there."""
        tries = self._tries.setdefault(client, deque(maxlen=SERVE_TRIES.get()))
        tries.append(time.monotonic())
        self._tries.move_to_end(client)
        while len(self._tries) > _REMEMBERED:
            self._tries.popitem(last=False)

    def waits(self, client: str) -> bool:
        """Whether an address has to wait: its tokens are not even looked at."""
        tries = self._tries.get(client)
        if tries is None or len(tries) < SERVE_TRIES.get():
            return False
        return time.monotonic() - tries[0] < MINUTE
