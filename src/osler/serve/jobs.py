"""Long work that the page starts and that outlives a visit: files to read, vectors to make, an
addition to take back. One at a time, since a library has one writer; each says how far it is, can
be stopped, and is found again after a reload. What was committed before a stop stays, and the next
try goes on from there.
"""

from __future__ import annotations

import itertools
import logging
import threading
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec

from osler.errors import OslerError, UnknownId
from osler.library import Library
from osler.serve.problems import Problem, plain_problem, problem_of
from osler.stopping import Stopped, check_stopped, stoppable
from osler.store.documents import Documents
from osler.text.counted import counted

log = logging.getLogger(__name__)

State = Literal["waiting", "running", "done", "stopped", "failed"]
KEPT = 50
"""Jobs that are remembered."""
LISTED = 200
"""Rejected records that a job tells one by one."""


class Job(msgspec.Struct, kw_only=True):
    """A piece of work, and how far it is. ``total`` is None where nobody can know it."""

    number: int
    kind: str
    title: str
    state: State = "waiting"
    done: int = 0
    total: int | None = None
    unit: str = "records"
    now: str = ""
    """What is being worked on."""
    lines: list[str] = []
    """What came of it."""
    rejects: list[tuple[str, str, str]] = []
    """File, place and reason of what could not be read, the first of them."""
    rejected: int = 0
    problem: Problem | None = None
    paths: list[str] = []
    """Files that were asked for, so that they can be read again."""
    already: bool = False
    """Whether a file was passed over because it was read before."""
    since: int = 0
    """The library's number before it began."""
    until: int = 0
    papers: int = 0
    """Papers that it brought: an undo takes them out."""
    undone: bool = False

    @property
    def over(self) -> bool:
        return self.state in ("done", "stopped", "failed")

    def step(self, now: str, done: int, total: int | None = None) -> None:
        """How far it is; ends the work here where somebody stopped it."""
        self.now, self.done = now, done
        if total is not None:
            self.total = total
        check_stopped()


Work = Callable[[Library, Job], None]


class Jobs:
    """The jobs of one library."""

    def __init__(self, open_library: Callable[[], Library]) -> None:
        self._open = open_library
        self._all: deque[Job] = deque(maxlen=KEPT)
        self._stops: dict[int, threading.Event] = {}
        self._numbers = itertools.count(1)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="osler-job")

    def all(self) -> list[Job]:
        """The newest first."""
        return list(reversed(self._all))

    def get(self, number: int) -> Job:
        for job in self._all:
            if job.number == number:
                return job
        raise UnknownId(f"there is no job {number}", cure="the Library view lists them")

    def running(self, kind: str = "") -> Job | None:
        """The job that goes on or waits, of one kind or of any."""
        return next((j for j in self.all() if not j.over and kind in ("", j.kind)), None)

    def start(self, job: Job, work: Work) -> Job:
        """Take a job; it begins when those before it have ended."""
        stop = self._stops[job.number] = threading.Event()
        self._all.append(job)
        self._thread.submit(self._run, job, work, stop)
        return job

    def new(self, kind: str, title: str, *, unit: str = "records") -> Job:
        return Job(number=next(self._numbers), kind=kind, title=title, unit=unit)

    def stop(self, number: int) -> Job:
        """Ask a job to end at its next step."""
        job = self.get(number)
        stop = self._stops.get(number)
        if stop is not None:
            stop.set()
        return job

    def _run(self, job: Job, work: Work, stop: threading.Event) -> None:
        try:
            with stoppable(stop):
                check_stopped()
                job.state = "running"
                with self._open() as library:
                    job.since = library.truth.seq()
                    try:
                        work(library, job)
                    finally:
                        job.until = library.truth.seq()
                        job.papers = len(born(library, job))
            job.state = "done"
        except Stopped:
            job.state = "stopped"
        except OslerError as error:
            job.problem, job.state = problem_of(error), "failed"
        except Exception as error:
            # What went wrong may quote a record: its place alone is written down.
            places = "".join(traceback.format_tb(error.__traceback__))
            log.error("%s at\n%s", type(error).__name__, places)
            job.problem = plain_problem(500, "E000", "something went wrong in the server")
            job.state = "failed"
        finally:
            self._stops.pop(job.number, None)

    def close(self) -> None:
        for stop in tuple(self._stops.values()):
            stop.set()
        self._thread.shutdown(wait=True, cancel_futures=True)


def born(library: Library, job: Job) -> list[str]:
    """Papers of the library that first came with a job."""
    return Documents(library.truth).born(job.since, job.until)


def adding(
    paths: list[Path], *, again: bool = False, after: Callable[[], None] | None = None
) -> Work:
    """Read files into the library; ``again`` reads what was read before, and brings back what was
    taken out."""

    def work(library: Library, job: Job) -> None:
        try:
            summary = library.add(paths, again=again, revive=again, progress=job.step)
        finally:
            if after is not None:
                after()
        if summary.sum:
            job.lines.append(summary.sum)
        rows = {name: summary.counts[name] for name in ("entities", "triples", "pairs", "facts")}
        job.lines += [f"{count:,} {name}" for name, count in rows.items() if count]
        job.already = bool(summary.already)
        job.lines += [f"{name} was read before" for name in summary.already]
        job.lines += [f"{name} could not be read: {why}" for name, why in summary.failed.items()]
        job.lines += summary.notes
        job.rejected = len(summary.rejects)
        job.rejects = [(one.file, one.place, one.reason) for one in summary.rejects[:LISTED]]
        if summary.failed and not summary.counts["read"]:
            job.state = "failed"

    return work


def embedding(library: Library, job: Job) -> None:
    """Give vectors to papers that have none."""
    count = library.embed(progress=lambda done, total: job.step("making vectors", done, total))
    job.lines.append(f"{count:,} papers have a vector now that had none")


def undoing(added: Job) -> Work:
    """Take the papers out that an addition brought."""

    def work(library: Library, job: Job) -> None:
        ids = born(library, added)
        job.step("taking papers out", 0, len(ids))
        count = library.remove(ids)
        added.undone = True
        job.done = count
        job.lines.append(f"{counted(count, 'paper')} {'was' if count == 1 else 'were'} taken out")

    return work
