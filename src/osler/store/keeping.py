"""What is dear to make and only read: made once for each state of what it is made of."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Kept:
    """What is dear to make and only read, by name, each under a stamp: the state of what it is made
    of. Threads that ask for one at once make it once."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._things: dict[str, tuple[object, Any]] = {}
        self._locks: dict[str, threading.RLock] = {}

    def keep(self, name: str, stamp: object, make: Callable[[], T]) -> T:
        """What ``make`` makes, until ``stamp`` (the state of what it is made of) is another."""
        with self._guard:
            lock = self._locks.setdefault(name, threading.RLock())
        with lock:
            known = self._things.get(name)
            if known is None or known[0] != stamp:
                self._things.pop(name, None)  # two of them at once might not fit
                known = self._things[name] = (stamp, make())
            value: T = known[1]
            return value
