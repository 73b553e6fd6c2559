"""The desk: takes work on the library from the server's event loop to threads and brings it back.

There are five lanes, so that a long training never keeps a search waiting: ``look`` (several
threads: search, documents, graph), ``brief`` (one: searches for words, one after the other, as
long as none is slow), ``think`` (one: match, grade, ask), ``learn`` (one: rank) and ``write`` (one:
judgements, since a library has one writer). Each counts what it has to do by itself: a queue of
rankings turns away rankings, never a search.

Work whose client has left, or whose time is over, is dropped where it waits, and asked to stop at
its next checkpoint where it runs (``osler.stopping``).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from osler.errors import LimitError
from osler.library import Library
from osler.serve.reader import Reader, Shared
from osler.serve.turns import Turns
from osler.settings import DEFAULT_ENCODER, SERVE_SECONDS, SERVE_THREADS, SERVE_WAITING
from osler.stopping import stoppable

if TYPE_CHECKING:
    from osler.text.encoder import Encoder

log = logging.getLogger(__name__)

T = TypeVar("T")
Lane = Literal["brief", "look", "think", "learn", "write"]
LANES: tuple[Lane, ...] = ("brief", "look", "think", "learn", "write")


WARMING = 10.0
"""Seconds that threads wait for each other while all open the library."""


def lookers() -> int:
    """How many searches go on at once. Python runs one thread at a time, so that more of them
    than processors only take turns more often, which costs."""
    return SERVE_THREADS.get() or max(2, min(8, os.cpu_count() or 1))


class BusyError(LimitError):
    """The server has too much to do, or a request took too long."""


class Desk:
    """Runs work over a library in threads; each thread has a reader of its own."""

    def __init__(self, path: str | Path, *, encoder: str | Encoder = DEFAULT_ENCODER) -> None:
        self.path = Path(path)
        # A folder that is no library is told at the start, not at the first request.
        Reader.open(self.path).close()
        self.shared = Shared(self.path, encoder)
        self._local = threading.local()
        self._readers: list[Reader] = []
        self._guard = threading.Lock()
        self._load: dict[Lane, int] = dict.fromkeys(LANES, 0)
        self._stops: set[threading.Event] = set()
        self._turns = Turns(lookers())
        sizes: dict[Lane, int] = {
            "brief": 1,
            "look": lookers(),
            "think": 1,
            "learn": 1,
            "write": 1,
        }
        self._lanes = {
            lane: ThreadPoolExecutor(size, thread_name_prefix=f"osler-{lane}")
            for lane, size in sizes.items()
        }

    def open_library(self) -> Library:
        """A library of one's own to write into."""
        return Library.open(self.path, encoder=self.shared.given)

    def _reader(self) -> Reader:
        reader: Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = Reader.of(self.shared)
            self._local.reader = reader
            with self._guard:
                self._readers.append(reader)
        else:
            reader.refresh()
        return reader

    def _work(self, work: Callable[[Reader], T], stop: threading.Event) -> T:
        self._stops.add(stop)
        try:
            with stoppable(stop):
                return work(self._reader())
        finally:
            self._stops.discard(stop)

    async def run(
        self, work: Callable[[Reader], T], *, lane: Lane = "look", brief: bool = False
    ) -> T:
        """What ``work`` makes of a reader, within the limits of the settings. What is ``brief`` is
        nearly all Python and waits for its turn."""
        loop = asyncio.get_running_loop()
        end = loop.time() + SERVE_SECONDS.get()
        counted = lane
        if self._load[counted] >= self._most(counted):
            raise BusyError("the server has too much to do", cure="try again in a moment")
        self._load[counted] += 1

        def ended() -> None:
            self._load[counted] -= 1

        try:
            place = await self._turn(end) if brief else None
        except BaseException:
            ended()
            raise
        if place is not None and not self._turns.crowded:
            lane = "brief"
        stop = threading.Event()
        piece = self._lanes[lane].submit(self._work, work, stop)

        def over(_: Future[T]) -> None:
            # The thread has its turn, and its place in the count, until it ends: however long
            # somebody waits for it.
            ended()
            if place is not None:
                self._turns.give(place)

        # Called by the thread that did it; a loop that is closed has nobody to tell.
        def told(done: Future[T]) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(over, done)

        piece.add_done_callback(told)
        future = asyncio.wrap_future(piece)
        try:
            await asyncio.wait((future,), timeout=end - loop.time())
        finally:
            if not piece.done() and not piece.cancel():
                # It runs already: it is asked to stop at its next checkpoint.
                stop.set()
            if not future.done():
                # Its late result must not be an error.
                future.add_done_callback(_forget)
        if not future.done() or future.cancelled():
            raise _too_long()
        return future.result()

    @staticmethod
    def _most(lane: Lane) -> int:
        """Pieces that a lane takes before it turns new ones away. What takes seconds each lets
        fewer wait: the last of them would not be reached in time."""
        most = SERVE_WAITING.get()
        return most if lane in ("look", "brief") else max(1, most // 8)

    def load(self) -> dict[Lane, int]:
        """Pieces of work that each lane has: running and waiting."""
        return dict(self._load)

    async def _turn(self, end: float) -> asyncio.Future[None]:
        """A place whose turn has come before ``end``."""
        place = self._turns.ask()
        try:
            await asyncio.wait((place,), timeout=end - asyncio.get_running_loop().time())
            if not place.done():
                raise _too_long()
        except BaseException:
            self._turns.give(place)
            raise
        return place

    def warm(self) -> None:
        """Load what the first question would wait for: every thread opens the library, one also
        searches it, and one goes through the other steps. A visitor's work comes between two of
        them, not behind the last."""
        from osler.serve.warming import STEPS, look

        size = lookers()
        met = threading.Barrier(size)

        def opened(reader: Reader) -> None:
            # No thread may take two of these tasks.
            met.wait(WARMING)
            reader.counts()

        def quietly(work: Callable[[Reader], object]) -> None:
            try:
                self._work(work, threading.Event())
            except Exception as error:
                log.info("not everything could be loaded ahead: %s", type(error).__name__)

        for _ in range(size):
            self._lanes["look"].submit(quietly, opened)
        self._lanes["look"].submit(quietly, look)
        self._lanes["brief"].submit(quietly, Reader.counts)

        def step(number: int) -> None:
            quietly(STEPS[number])
            if number + 1 < len(STEPS):
                with contextlib.suppress(RuntimeError):  # the server stops
                    self._lanes["think"].submit(step, number + 1)

        self._lanes["think"].submit(step, 0)

    def close(self) -> None:
        for stop in tuple(self._stops):
            stop.set()
        for lane in self._lanes.values():
            lane.shutdown(wait=True, cancel_futures=True)
        for reader in self._readers:
            reader.close()
        self.shared.close()


def _too_long() -> BusyError:
    return BusyError(
        f"the request took longer than {SERVE_SECONDS.get():g} seconds",
        cure="ask for less, or raise OSLER_SERVE_SECONDS",
    )


def _forget(future: asyncio.Future[T]) -> None:
    if not future.cancelled():
        future.exception()
