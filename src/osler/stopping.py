"""Asking work to stop: a flag that whoever waits for it raises, and checkpoints that look at it.

A thread cannot be ended from outside. So long work looks now and then whether anybody still waits
for it (``check_stopped``), and ends itself where nobody does. Outside a server there is no flag,
and a checkpoint costs next to nothing.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextvars import ContextVar


class Stopped(BaseException):
    """Nobody waits for this work any more. No ordinary error: nothing on the way may take it for
    one and go on some other way."""


_flag: ContextVar[threading.Event | None] = ContextVar("osler_stopping", default=None)


@contextlib.contextmanager
def stoppable(flag: threading.Event) -> Iterator[None]:
    """What happens inside stops at its next checkpoint once ``flag`` is set."""
    token = _flag.set(flag)
    try:
        yield
    finally:
        _flag.reset(token)


def check_stopped() -> None:
    """A checkpoint: raises ``Stopped`` where nobody waits any more. Never inside a transaction."""
    flag = _flag.get()
    if flag is not None and flag.is_set():
        raise Stopped
