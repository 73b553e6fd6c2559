"""An engine while documents are written.

The truth does not wait for a server that is away: the engine is caught up when it is back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from osler.errors import AwayError
from osler.store.documents import Change
from osler.store.engine import Engine

log = logging.getLogger(__name__)

BEHIND = (
    "search does not find the new documents yet: its server is away; it catches up when the "
    "library is opened next"
)
REFUSED = (
    "search does not find the new documents yet: an index could not be written; it catches up when "
    "the library is opened next"
)


class Following:
    """Gives changes to an engine as far as it can be reached. ``catch_up`` brings it from wherever
    it is to the truth."""

    def __init__(self, engine: Engine, catch_up: Callable[[], None]) -> None:
        self.engine = engine
        self.catch_up = catch_up
        self.notes: list[str] = []
        self._last = 0
        self._away = False
        self._failed = False

    def start(self) -> None:
        self._try(self.catch_up)

    def apply(self, changes: list[Change]) -> None:
        self._last = changes[-1].seq
        # What comes after a failure must wait too, or a change would be passed over.
        if self._away or self._failed:
            return
        try:
            self._try(lambda: self.engine.apply(changes))
        except BaseException:
            # Taken in by half, perhaps: it is dropped, and made again from the truth when the
            # library is opened next. Not now: the disk that refused may refuse still.
            self._failed = True
            self.engine.abandon()
            raise

    def commit(self) -> None:
        if not self._last:
            return
        if self._failed:
            self.notes.append(REFUSED)
            return
        if not self._away:
            self._try(lambda: self.engine.commit(self._last))
        if self._away:
            self._away = False
            self._try(self.catch_up)
        if self._away:
            self.notes.append(BEHIND)

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except AwayError as error:
            log.warning("search is behind until its server is back: %s", error)
            self._away = True
