"""The way of one command: the files that it enters, in order and by room, as ``sys.settrace`` sees.

    python benchmarks/way.py                       all four verbs, counts alone
    python benchmarks/way.py --verb search --list  one verb, every file in the order entered
    python benchmarks/way.py --lines               lines of Python by room
    python benchmarks/way.py --lines --since REF   beside those of a commit

A file counts when one of its functions is called between the command's own function and its end;
importing a module is not entering it. The library is made for the purpose: papers, a terminology,
question-answer pairs and records of nobody, all from the package itself; ``--library`` takes
another one.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from types import FrameType
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import osler

ROOT = Path(osler.__file__).parent
BARS = {"search": 9, "match": 10, "ask": 9, "grade": 9}
"""Rooms that a verb's command may enter."""
BEFORE = {"search": (52, 8), "match": (51, 8), "ask": (38, 6), "grade": (48, 9)}
"""Files and rooms by this script before the verbs had a floor of their own (commit e8b3b3f)."""


def build(folder: Path) -> Path:
    """A small library with something for each verb."""
    from osler import Document, Library
    from osler.kinds import Section
    from osler_papers.simulator import WRITERS, simulate

    own = Path(str(resources.files("osler.demo")))
    texts = (
        "Budesonide treated asthma better than placebo. There was no pneumonia.",
        "Asthma causes cough and dyspnea. Albuterol was used less often.",
        "Sumatriptan helped adults with migraine within two hours.",
        "Sleep was measured for a week. Melatonin helped insomnia in some adults.",
    )
    papers = [
        Document(id=str(n), title=text.split(".")[0], sections=(Section(text),))
        for n, text in enumerate(texts * 5)
    ]
    with Library.create(folder / "library") as library:
        library.add_documents(papers)
        library.add([own / "facts.tsv", own / "answers.tsv"])
        written = simulate(folder / "records", scale=0.001, topics=("medications",))
        for topic, path in written.items():
            library.add([path], format=WRITERS[topic][2])
    return folder / "library"


def words_of(verb: str, library: Path) -> list[str]:
    """The command line of a verb."""
    rest = {
        "search": ["budesonide for asthma"],
        "match": ["What helps against migraine?", "--explain"],
        "ask": ["What medications does patient P1 take?"],
        "grade": ["Asthma", "treated by", "Budesonide"],
    }
    return [verb, str(library), *rest[verb]]


class Way:
    """Files of the package whose functions were called, in the order of the first call."""

    def __init__(self, verb: str, *, imports: bool = False) -> None:
        self.verb = verb
        self.imports = imports
        self.files: dict[str, None] = {}
        self.begun = False

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        name = code.co_filename
        if not name.startswith(str(ROOT)):
            return
        path = Path(name).relative_to(ROOT)
        # The way begins at the command's own function: what declares commands is no step of it.
        self.begun |= path.parts[0] == "cli" and code.co_name == self.verb
        if self.begun and (self.imports or not _importing(frame)):
            self.files.setdefault(path.as_posix())


def _importing(frame: FrameType) -> bool:
    """Whether a call is made while a module's own body runs."""
    at: FrameType | None = frame
    while at is not None:
        if at.f_code.co_name == "<module>" and at.f_code.co_filename.startswith(str(ROOT)):
            return True
        at = at.f_back
    return False


def room_of(file: str) -> str:
    """The folder of a file: a folder is a room. Files beside the rooms have none."""
    first, _, rest = file.partition("/")
    return first if rest else ""


@contextlib.contextmanager
def traced(way: Way) -> Iterator[None]:
    threading.settrace(way)
    sys.settrace(way)
    try:
        yield
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]


def walk(verb: str, library: Path, *, imports: bool = False) -> list[str]:
    """The files that a verb's command enters, in order."""
    from osler.cli.main import build as commands

    app = commands()
    way = Way(verb, imports=imports)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), traced(way):
        app(words_of(verb, library), standalone_mode=False)
    return list(way.files)


def lines_now() -> Counter[str]:
    """Lines of Python in each room, those beside the rooms under the empty name."""
    counted: Counter[str] = Counter()
    for file in ROOT.rglob("*.py"):
        room = room_of(file.relative_to(ROOT).as_posix())
        counted[room] += len(file.read_text("utf-8").splitlines())
    return counted


def lines_of(commit: str) -> Counter[str]:
    """The same as a commit of this repository has it."""

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout

    counted: Counter[str] = Counter()
    for file in git("ls-tree", "-r", "--name-only", "--full-name", commit, ".").splitlines():
        if file.endswith(".py"):
            room = room_of(file.partition("src/osler/")[2])
            counted[room] += len(git("show", f"{commit}:{file}").splitlines())
    return counted


def show_lines(since: str | None) -> None:
    now = lines_now()
    before = lines_of(since) if since else Counter[str]()
    for room, number in sorted(now.items(), key=lambda pair: -pair[1]):
        was = f"  ({before[room]:,} before)" if since else ""
        print(f"{number:8,d}  {room or 'beside the rooms'}{was}")
    gone = sum(number for room, number in before.items() if room not in now)
    if gone:
        print(f"{0:8,d}  rooms that are gone  ({gone:,} before)")
    total = f"  ({before.total():,} before)" if since else ""
    print(f"{now.total():8,d}  src/osler{total}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verb", choices=sorted(BARS), action="append")
    parser.add_argument("--list", action="store_true", help="every file, in the order entered")
    parser.add_argument("--imports", action="store_true", help="count modules imported, too")
    parser.add_argument("--library", type=Path)
    parser.add_argument("--lines", action="store_true", help="lines of Python by room, and leave")
    parser.add_argument("--since", metavar="REF", help="with --lines: beside those of a commit")
    given = parser.parse_args()
    if given.lines:
        show_lines(given.since)
        return
    with tempfile.TemporaryDirectory() as folder:
        library = given.library or build(Path(folder))
        for verb in given.verb or BARS:
            files = walk(verb, library, imports=given.imports)
            rooms = Counter(room_of(file) for file in files)
            beside = rooms.pop("", 0)
            count, folders = BEFORE[verb]
            print(
                f"{verb}: {len(files)} files ({count} before), {len(rooms)} rooms ({folders} "
                f"before, at most {BARS[verb]}) and {beside} files beside them"
            )
            print("  " + ", ".join(f"{room} {number}" for room, number in rooms.items()))
            if given.list:
                for number, file in enumerate(files, 1):
                    lines = len((ROOT / file).read_text("utf-8").splitlines())
                    print(f"  {number:3d}  {file}  ({lines} lines)")


if __name__ == "__main__":
    main()
