"""A library as one thread of the server reads it.

Each thread has a library of its own (connections, searchers), so that nothing is shared that can
change under a search. What is large and only read is shared: the encoder and the knowledge.
"""

from __future__ import annotations

import threading
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from osler.library import Library
from osler.retrieve.knowing import Knowing
from osler.settings import DEFAULT_ENCODER
from osler.store.documents import Documents
from osler.store.graph_rows import GraphRows
from osler.store.keeping import Kept
from osler.store.layout import Layout
from osler.store.truth import Truth

if TYPE_CHECKING:
    from osler.retrieve.concepts import Knowledge
    from osler.text.encoder import Encoder
    from osler.text.team import Team

FRESH = 1.0
"""Seconds for which a reader may not have seen what another program wrote."""


class OnceKnowing(Knowing):
    """Knowledge that many threads ask for and one loads."""

    def __init__(self, layout: Layout) -> None:
        self.truth = Truth(layout.truth)
        super().__init__(layout.knowledge, Documents(self.truth), GraphRows(self.truth))
        self._loading = threading.Lock()

    def load(self) -> Knowledge | None:
        with self._loading:
            return super().load()


class Shared:
    """What all readers of one library use together."""

    def __init__(self, path: Path, encoder: str | Encoder) -> None:
        self.path = path
        self.knowing = OnceKnowing(Layout(path))
        self.given = encoder
        self._team: Team | None = None
        self._loading = threading.Lock()
        self.kept = Kept()

    @property
    def team(self) -> Team:
        """The library's encoders, loaded once for all threads."""
        with self._loading:
            if self._team is None:
                from osler.text.team import Team

                given = self.given
                if isinstance(given, str) and given == DEFAULT_ENCODER:
                    given = Layout(self.path).chosen_encoder() or DEFAULT_ENCODER
                self._team = Team.of(given)
            return self._team

    def close(self) -> None:
        self.knowing.truth.close()


class Reader(Library):
    """A library for one thread of a server."""

    shared: Shared
    _looked: float
    _seen: tuple[int, ...]

    @classmethod
    def of(cls, shared: Shared) -> Reader:
        """Open the library and catch up what a kill left unfinished."""
        opened = cls.open(shared.path)
        assert isinstance(opened, Reader)
        opened.shared = shared
        opened.kept = shared.kept
        opened._knowing = shared.knowing
        opened._looked = time.monotonic()
        opened._seen = opened._stamp()
        return opened

    @cached_property
    def team(self) -> Team:
        return self.shared.team

    def refresh(self) -> None:
        """See what other programs have committed since; looked for at most once a second."""
        now = time.monotonic()
        if now - self._looked < FRESH:
            return
        self._looked = now
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen = stamp
            self.engine.reload()

    def _stamp(self) -> tuple[int, ...]:
        """Changes with every commit: each one renames files in the indexes' folders. To look is
        cheaper than to reload, which forgets how frequent words are."""
        stamps = [self.truth.seq()]
        for folder in (self.layout.words, self.layout.passages):
            try:
                stamps.append(folder.stat().st_mtime_ns)
            except OSError:
                stamps.append(0)
        return tuple(stamps)
