"""An import that is only tried: everything is done, told and taken back."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from osler.store.truth import Truth


class _TakenBack(Exception):
    """Ends the transaction of a rehearsal."""


class Rehearsal(Truth):
    """The truth as it would become: one transaction that is never committed. What is written is
    read back by those who look through the same rehearsal, and by nobody else."""

    def __init__(self, truth: Truth) -> None:
        super().__init__(truth.path)
        self._real = truth
        self._connection: sqlite3.Connection | None = None

    @contextlib.contextmanager
    def trying(self) -> Iterator[None]:
        """The caller holds the writer's lock."""
        with contextlib.suppress(_TakenBack), self._real.transaction() as connection:
            self._connection = connection
            try:
                yield
            finally:
                self._connection = None
            raise _TakenBack

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        if self._connection is None:
            raise RuntimeError("a rehearsal is used inside of trying()")
        yield self._connection

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        with self.transaction() as connection:
            yield connection
