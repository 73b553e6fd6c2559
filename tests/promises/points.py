"""Runs a job again and again, each time with one more fault: the driver behind the promises
P1, P4 and P16. Started with ``faults.c`` preloaded; prints one JSON object.

    python points.py FOLDER JOB MODE [--most N] [--at POINT]

MODE is ``kill`` (die before the point), ``torn`` (die inside a write), ``cut`` (the power goes
after the point: see disk.py), ``full`` (from the point on the disk is full), ``broken`` (one call
fails with EIO), ``lost`` (from the point on nothing may be written: EACCES), ``often`` (killed at
random points of one and the same library until the job ends by itself; N kills in all).
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import json
import os
import random
import shutil
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent.parent
sys.path.insert(0, str(TESTS))

from osler.errors import DamageError, LibraryError, OslerError  # noqa: E402
from promises import disk, jobs  # noqa: E402

COUNT, KILL, TORN, FAIL, FAIL_ONCE = 1, 2, 3, 4, 5
MODES = {
    "kill": (KILL, 0),
    "torn": (TORN, 0),
    "full": (FAIL, errno.ENOSPC),
    "lost": (FAIL, errno.EACCES),
    "broken": (FAIL_ONCE, errno.EIO),
}


def arm(folder: Path, mode: int, at: int, error: int, log: int = -1) -> None:
    layer = ctypes.CDLL(None)
    layer.faults_arm(
        str(folder).encode(), ctypes.c_int(mode), ctypes.c_long(at), ctypes.c_int(error),
        ctypes.c_int(log),
    )  # fmt: skip


def points() -> int:
    return int(ctypes.CDLL(None).faults_points())


def forked(work: Callable[[], Any]) -> tuple[int, Any]:
    """Runs something in a child of its own: the signal it died by (0 if none), what it gave."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        code = 0
        try:
            given: Any = work()
        except BaseException:
            given, code = traceback.format_exc(), 1
        data = json.dumps(given).encode()
        while data:
            data = data[os.write(writer, data) :]
        os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        data = stream.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status), None
    given = json.loads(data)
    if os.WEXITSTATUS(status):
        raise RuntimeError(given)
    return 0, given


def _points_of(told: str) -> int:
    """How many calls a job that nothing stopped says that it made."""
    kind, _, count = told.partition(" ")
    return int(count) if kind == "finished" else sys.maxsize


class Driver:
    def __init__(self, work: Path, name: str) -> None:
        self.name, self.work = name, work
        self.damage: dict[str, str] = {}
        self.job = jobs.JOBS[name]
        if name == "train":
            jobs.MODELS.extend((jobs.model(0), jobs.model(1)))
        forked(lambda: jobs.prepare(name, work) and None)
        self.start = work / "library"
        # The library always works at one place: it is copied there anew before each fault.
        self.folder = work / "run" / "library"
        (work / "run").mkdir()
        for path in work.glob("*.*"):
            shutil.copy(path, work / "run")
        self.allowed, self.last = self._undisturbed()
        self.events = self._recorded()
        self.number = len(self.events)
        self.only: frozenset[int] = frozenset()

    def _fresh(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.start, self.folder)

    def _undisturbed(self) -> tuple[set[str], dict[str, Any]]:
        self._fresh()

        def whole() -> Any:
            seen = [jobs.truth(self.folder)]
            self.job.run(self.folder, lambda: seen.append(jobs.truth(self.folder)))
            return [*seen, jobs.truth(self.folder)], jobs.look(self.folder)

        _, (states, last) = forked(whole)
        assert last["problems"] == [], last
        self.final = states[-1]
        return set(states), last

    def _recorded(self) -> list[disk.Point]:
        """Every call of the job that changes a file, with its bytes."""
        self._fresh()
        log = self.work / "points.log"

        def recorded() -> None:
            handle = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
            arm(self.folder, COUNT, 0, 0, handle)
            self.job.run(self.folder, lambda: None)

        forked(recorded)
        return list(disk.read_log(log))

    def numbers(self, most: int, mode: str) -> list[int]:
        """The points to try, spread evenly; only a write can be torn."""
        every = [
            number
            for number, event in enumerate(self.events, 1)
            if mode != "torn" or event.what == "w"
        ]
        if self.only:
            return [number for number in every if number in self.only]
        if len(every) <= most:
            return every
        return [every[round(i * (len(every) - 1) / max(1, most - 1))] for i in range(most)]

    def run(self, mode: str, most: int) -> dict[str, Any]:
        if mode == "cut":
            return self._cuts(most)
        if mode == "often":
            return self._often(most)
        counts: Counter[str] = Counter()
        bad: list[str] = []
        how, error = MODES[mode]
        for at in self.numbers(most, mode):
            self._fresh()

            def disturbed(at: int = at) -> str:
                arm(self.folder, how, at, error)
                try:
                    self.job.run(self.folder, lambda: None)
                except OslerError as problem:
                    return f"{type(problem).__name__} {problem}"
                return f"finished {points()}"

            try:
                died, gave = forked(disturbed)
            except RuntimeError as problem:
                bad.append(f"point {at}: {problem}")
                continue
            if how in (KILL, TORN) and not died and _points_of(gave) < at:
                counts["shorter"] += 1  # this run had fewer calls: the point never came
                continue
            counts["points"] += 1
            if how in (KILL, TORN):
                counts["killed"] += died == signal.SIGKILL
            else:
                kind = gave.split()[0]
                counts[kind] += 1
                if kind not in ("finished", "StorageError", "LockedError"):
                    bad.append(f"point {at}: {gave}")
            self._judge(f"point {at}", counts, bad)
        return self._told(mode, counts, bad)

    def _judge(self, where: str, counts: Counter[str], bad: list[str], mend: bool = False) -> None:
        """The library reopened: old or new, sound; and the same job finishes it."""

        def reopened() -> Any:
            jobs.os.environ.pop("OSLER_BATCH", None)
            told = ""
            try:
                state, seen = jobs.truth(self.folder), jobs.look(self.folder)
                if mend and seen["problems"]:
                    raise DamageError("; ".join(seen["problems"]))
            except LibraryError as problem:
                if not mend:
                    raise
                # Said, not answered from; what is derived is made again out of the truth.
                if not isinstance(problem, DamageError):
                    raise
                told = str(problem)
                jobs.rebuild(self.folder)
                state, seen = jobs.truth(self.folder), jobs.look(self.folder)
            self.job.run(self.folder, lambda: None)
            return state, seen, jobs.truth(self.folder), jobs.look(self.folder), told

        try:
            died, given = forked(reopened)
        except RuntimeError as problem:
            bad.append(f"{where}: {problem}")
            return
        if died:
            bad.append(f"{where}: reopening died by {died}")
            return
        state, seen, finished, end, mended = given
        counts["mended"] += bool(mended)
        if mended:
            self.damage.setdefault(mended.split(":")[0][:80], f"{where}: {mended}"[:200])
        if state not in self.allowed:
            bad.append(f"{where}: a state that is neither old nor new")
        if seen["problems"]:
            bad.append(f"{where}: {seen['problems']}")
        if finished != self.final:
            bad.append(f"{where}: run again, it ends elsewhere")
        for key in ("held", "vectors", "matrix", "concepts", "rejects", "left", "problems"):
            # A power cut may undo a removal: what comes back goes with the next change.
            if key == "left" and mend:
                continue
            if end[key] != self.last[key]:
                expected = f"{end[key]!r:.300}, not {self.last[key]!r:.300}"
                bad.append(f"{where}: run again, {key} differ: {expected}")
        counts["old"] += state != self.final
        counts["new"] += state == self.final

    def _cuts(self, most: int) -> dict[str, Any]:
        self._fresh()
        counts: Counter[str] = Counter()
        bad: list[str] = []
        wanted = set(self.numbers(most, "cut"))
        held = disk.Disk(self.folder)
        for number, event in enumerate(self.events, 1):
            held.apply(event)
            if number not in wanted:
                continue
            for kind in disk.KINDS:
                shutil.rmtree(self.folder, ignore_errors=True)
                held.after_a_power_cut(self.folder, kind, number)
                counts["points"] += 1
                self._judge(f"cut {number} ({kind})", counts, bad, mend=True)
        return self._told("cut", counts, bad)

    def _often(self, kills: int) -> dict[str, Any]:
        """One library, killed, started again, killed again, until it is through; then another.

        A kill falls anywhere in the length of the undisturbed job. It must: a start that is always
        killed before the first step that it can keep would never get anywhere, however sound.
        """
        counts: Counter[str] = Counter()
        bad: list[str] = []
        rng = random.Random(kills)
        while counts["killed"] < kills and not bad:
            self._fresh()
            counts["rounds"] += 1
            died = signal.SIGKILL
            while died and counts["killed"] < kills:
                at = rng.randint(1, self.number)

                def disturbed(at: int = at) -> None:
                    arm(self.folder, KILL, at, 0)
                    self.job.run(self.folder, lambda: None)

                died, _ = forked(disturbed)
                counts["killed"] += bool(died)
            self._judge(f"after {counts['killed']} kills", counts, bad)
        return self._told("often", counts, bad)

    def _told(self, mode: str, counts: Counter[str], bad: list[str]) -> dict[str, Any]:
        return {
            "job": self.name,
            "mode": mode,
            "all_points": len(self.numbers(10**9, mode)),
            "states": len(self.allowed),
            **counts,
            "bad": len(bad),
            "first": bad[:5],
            "damage": list(self.damage.values())[:5],
        }


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", type=Path)
    asked.add_argument("job", choices=sorted(jobs.JOBS))
    asked.add_argument("modes", nargs="+", choices=[*MODES, "cut", "often"])
    asked.add_argument("--most", type=int, default=10**9)
    asked.add_argument("--at", type=int, action="append", default=[])
    given = asked.parse_args()
    driver = Driver(given.folder.resolve(), given.job)
    driver.only = frozenset(given.at)
    failed = False
    for mode in given.modes:
        told = driver.run(mode, given.most)
        failed |= bool(told["bad"])
        print(json.dumps(told), flush=True)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
