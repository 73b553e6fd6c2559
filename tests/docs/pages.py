"""Runs what a page of the documentation shows, and compares what it prints.

A page is run from top to bottom in one new folder, in one shell and one Python:

- a block marked ``sh`` is typed into the shell; it must end with exit code 0;
- a block marked ``python`` is run, with the names that blocks above it have left;
- a block marked ``text`` right below one of them is all that it prints, standard output and error
  together. Without one it must print nothing;
- ``<!-- beforehand: NAME -->`` above a block names what its reader has by other means (see
  ``beforehand.py``): it is there when the page is run;
- ``<!-- until: TEXT -->`` above a block that serves: it is stopped, as by Ctrl-C, when it has
  printed TEXT;
- ``<!-- not run: REASON -->`` above a block leaves it out.

``pip install`` installs nothing here: it fails where it is asked for an extra that does not exist
or whose packages are missing. The home folder is one of the page's own.

In a ``text`` block ``...`` stands for anything within a line (a time, a size, a score), and a line
that is nothing but ``...`` for any number of lines. Blanks at the end of a line do not count.

``python tests/docs/pages.py PAGE ...`` runs pages; ``--write`` puts what was printed where it
differs, to be looked at before it is kept.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from docs.beforehand import BEFOREHAND
from servers import Unavailable

ROOT = Path(__file__).parent.parent.parent
PAGES = [
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
]
RUN = ("sh", "python")
ABOVE = re.compile(r"<!-- (not run|beforehand|until): (.+) -->")
FENCE = re.compile(r"^```(\S*)\s*$")


_FIELDS = {"not run": "reason", "beforehand": "beforehand", "until": "until"}


@dataclass
class Block:
    """A fenced block; lines are counted from 0, ``end`` is the closing fence's."""

    kind: str
    text: str
    start: int
    end: int
    reason: str = ""
    """Why it is not run; empty where it is."""
    beforehand: str = ""
    """What must be there, by its name in ``beforehand.py``."""
    until: str = ""
    """What it prints before it is stopped; empty where it ends by itself."""
    printed: Block | None = None
    """The block with what it prints."""

    @property
    def runs(self) -> bool:
        return self.kind in RUN and not self.reason


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page; one with output belongs to the block right above it."""
    lines = page.splitlines()
    read: list[Block] = []
    at = 0
    while at < len(lines):
        opening = FENCE.match(lines[at])
        if not opening:
            at += 1
            continue
        end = next(n for n in range(at + 1, len(lines)) if lines[n].strip() == "```")
        block = Block(opening[1], "\n".join(lines[at + 1 : end]), at, end)
        for line in reversed(lines[:at]):
            above = ABOVE.match(line.strip())
            if above is None:
                break
            setattr(block, _FIELDS[above[1]], above[2])
        before = read[-1] if read else None
        between = lines[before.end + 1 : at] if before else []
        if block.kind == "text" and before and before.kind in RUN and not any(between):
            before.printed = block
        read.append(block)
        at = end + 1
    return read


def matches(expected: str, printed: str) -> bool:
    """Whether a text block says what was printed."""
    pattern = ""
    for line in expected.rstrip().splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            parts = [re.escape(part) for part in line.rstrip().split("...")]
            pattern += r".*?".join(parts) + r"[ \t]*\n"
    whole = "".join(line.rstrip() + "\n" for line in printed.rstrip().splitlines())
    return re.fullmatch(pattern, whole) is not None


END = "--- end of block"
PIP = """
import runpy, sys
if sys.argv[1] != "install":
    runpy.run_module("pip", run_name="__main__")
from importlib.metadata import requires, version
from packaging.requirements import Requirement
for asked in map(Requirement, (word for word in sys.argv[2:] if not word.startswith("-"))):
    known = [Requirement(line) for line in requires(asked.name) or ()]
    for extra in asked.extras:
        needed = [one for one in known if one.marker and one.marker.evaluate({"extra": extra})]
        assert needed, f"{asked.name} has no extra {extra}"
        for one in needed:
            version(one.name)
"""
SHELL = """trap 'echo "(exit code $?)"' ERR; . '{block}' </dev/null; trap - ERR; echo '{end}'\n"""
"""Runs a block; a command that fails anywhere in it says so where it stands."""
PYTHON = """
import sys, traceback
names = {"__name__": "__page__"}
for place in sys.stdin:
    try:
        exec(compile(open(place.strip()).read(), "<page>", "exec"), names)
    except Exception:
        traceback.print_exc()
    print(sys.argv[1], flush=True)
"""


class Session:
    """One shell and one Python in one folder."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self.folder = folder
        self._tools = tempfile.TemporaryDirectory(prefix="osler-docs-")
        tools = Path(self._tools.name)
        _program(tools / "osler", f'exec "{sys.executable}" -m osler.cli.main "$@"')
        _program(tools / "python", f'exec "{sys.executable}" "$@"')
        (tools / "check_pip.py").write_text(PIP, "utf-8")
        _program(tools / "pip", f'exec "{sys.executable}" "{tools}/check_pip.py" "$@"')
        (tools / "home").mkdir()
        self._env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("OSLER_")},
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry),
            "PYTHONUNBUFFERED": "1",  # lines of both streams in the order of their printing
            "COLUMNS": "100",
            "OMP_NUM_THREADS": "1",
            "HOME": str(tools / "home"),
            "BROWSER": "true",  # nothing opens
            **variables,
        }
        self._programs: dict[str, subprocess.Popen[str]] = {}

    def close(self) -> None:
        for program in self._programs.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)
            program.communicate()
        self._tools.cleanup()

    def run(self, block: Block) -> str:
        """What a block prints; an exit code other than 0 stands below the command's output."""
        place = Path(self._tools.name) / f"block.{block.kind}"
        place.write_text(block.text + "\n", "utf-8")
        if block.until:
            return self._run_until(block.until, place)
        line = SHELL.format(block=place, end=END) if block.kind == "sh" else f"{place}\n"
        program = self._program(block.kind)
        assert program.stdin
        assert program.stdout
        program.stdin.write(line)
        program.stdin.flush()
        printed = ""
        for text in program.stdout:
            before, mark, _ = text.partition(END)
            printed += before
            if mark:
                return printed
        return f"{printed}({block.kind} ended)\n"

    def _run_until(self, awaited: str, place: Path) -> str:
        """What a block prints that serves until it is stopped."""
        printed = ""
        with subprocess.Popen(
            ["bash", "--norc", str(place)],
            cwd=self.folder,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # What a shell starts in the background ignores Ctrl-C, and so would all that it starts.
            preexec_fn=_heeds_ctrl_c,
        ) as program:
            assert program.stdout
            for text in program.stdout:
                printed += text
                if awaited in printed:
                    _answers(printed)
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(program.pid, signal.SIGINT)
                    awaited = END  # it is asked once
        return printed

    def _program(self, kind: str) -> subprocess.Popen[str]:
        """The shell or the Python of this page, begun when it is first needed."""
        if kind not in self._programs:
            shell = ["bash", "--norc"]
            self._programs[kind] = subprocess.Popen(  # noqa: S603
                shell if kind == "sh" else [sys.executable, "-c", PYTHON, END],
                cwd=self.folder,
                env=self._env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,  # so that what it started in the background ends with it
            )
        return self._programs[kind]


def _heeds_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _answers(printed: str) -> None:
    """Wait until the address that was printed answers: before that nobody would stop it."""
    address = re.search(r"http://([\d.]+):(\d+)", printed)
    for _ in range(1_200 if address else 0):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", int(address[2]))):
            return
        time.sleep(0.05)


def _program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
    path.chmod(0o755)


def run(page: Path, folder: Path) -> Iterator[tuple[Block, str]]:
    """Every block that runs, with what it printed."""
    read = blocks(page.read_text("utf-8"))
    with contextlib.ExitStack() as held:
        variables: dict[str, str] = {}
        missing: set[str] = set()
        for name in dict.fromkeys(block.beforehand for block in read if block.beforehand):
            try:
                variables |= held.enter_context(BEFOREHAND[name](folder))
            except Unavailable as why:
                missing.add(name)
                print(f"{page.name}: what needs {name} is left out: {why}")
        session = Session(folder, variables)
        held.callback(session.close)
        for block in read:
            if block.runs and block.beforehand not in missing:
                yield block, session.run(block)


def expected(block: Block) -> str:
    return block.printed.text if block.printed else ""


def _kept(line: str) -> str:
    """A printed line without what differs from machine to machine and from day to day."""
    line = re.sub(r"\d+\.\d{2,}", "...", line.rstrip())
    return line.replace(datetime.now(UTC).date().isoformat(), "...")


def _write(page: Path, ran: list[tuple[Block, str]]) -> None:
    lines = page.read_text("utf-8").splitlines()
    for block, printed in reversed(ran):
        if matches(expected(block), printed):
            continue
        shown = ["```text", *map(_kept, printed.rstrip().splitlines()), "```"]
        if block.printed:
            lines[block.printed.start : block.printed.end + 1] = shown
        else:
            lines[block.end + 1 : block.end + 1] = ["", *shown]
    page.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    wrong = 0
    for page in given.pages:
        with tempfile.TemporaryDirectory() as folder:
            ran = list(run(page, Path(folder)))
        for block, printed in ran:
            if not matches(expected(block), printed):
                wrong += 1
                print(f"{page}:{block.start + 1} printed\n{printed}")
        if given.write:
            _write(page, ran)
        left = [one for one in blocks(page.read_text("utf-8")) if one.reason]
        print(f"{page}: {len(ran)} blocks ran, {len(left)} did not")
        for block in left:
            print(f"  line {block.start + 1}: {block.reason}")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
