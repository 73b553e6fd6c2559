"""A kill at any point of ``add`` loses nothing that was committed, and the next run finishes it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from osler import Library

PAPERS = 600


def corpus(path: Path) -> Path:
    rng = random.Random(5)
    vocabulary = [f"word{i}" for i in range(300)]
    lines = []
    for i in range(PAPERS):
        text = " ".join(rng.choices(vocabulary, k=30))
        lines.append(json.dumps({"_id": f"d{i:04}", "title": f"Paper {i}", "text": text}))
    lines[100] = "{not json"  # a bad record must be listed once, however often the read resumes
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


# The child dies by its own hand at the n-th call that could leave something half done.
CHILD = """
import os, signal, sqlite3, sys
from osler.store import derived, layout, truth
left = int(sys.argv[3])
def maybe():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
def before_and_after(holder, name):
    original = getattr(holder, name)
    def wrapped(*args, **kwargs):
        maybe()
        result = original(*args, **kwargs)
        maybe()
        return result
    setattr(holder, name, wrapped)
for holder, name in (
    (derived.TantivyIndex, "commit"), (derived.TantivyIndex, "apply"),
    (layout, "write_bytes"), (os, "fsync"), (os, "replace"),
):
    before_and_after(holder, name)
class Connection(sqlite3.Connection):
    def execute(self, sql, *rest):
        if sql.startswith(("BEGIN IMM", "COMMIT", "UPDATE files")):
            maybe()
        result = super().execute(sql, *rest)
        if sql.startswith(("BEGIN IMM", "COMMIT", "UPDATE files")):
            maybe()
        return result
real = sqlite3.connect
sqlite3.connect = lambda *a, **k: real(*a, **{**k, "factory": Connection})
from osler import Library
Library.open(sys.argv[1]).add([sys.argv[2]])
print("finished", left)
"""


def run_child(library: Path, file: Path, die_at: int) -> bool:
    """Whether the child finished."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(library), str(file), str(die_at)],
        capture_output=True,
        text=True,
        env={**os.environ, "OSLER_BATCH": "150", "OSLER_THREADS": "1"},
        timeout=120,
    )
    if done.returncode == -signal.SIGKILL:
        return False
    assert done.returncode == 0, done.stderr
    return True


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> tuple[Path, str, list[tuple[str, str]]]:
    """The corpus and what an uninterrupted read makes of it."""
    folder = tmp_path_factory.mktemp("whole")
    file = corpus(folder / "corpus.jsonl")
    with Library.create(folder / "library") as library:
        library.add([file])
        rejects = [(r.place, r.reason) for r in library.rejects()]
        return file, library.digest(), rejects


@pytest.mark.parametrize("start", range(3))
def test_killed_everywhere_it_ends_as_if_never_killed(tmp_path, whole, start):
    file, digest, rejects = whole
    rng = random.Random(start)
    library = tmp_path / "library"
    Library.create(library).close()
    kills = 0
    while kills < 8 and not run_child(library, file, rng.randint(1, 60)):
        kills += 1
        with Library.open(library) as opened:
            assert opened.verify() == []
            count = len(opened)
            # Whole batches are in, or nothing of them: never a mix.
            assert count % 150 in (0, 149) or count == PAPERS - 1
            assert opened.engine.words.size == count
    run_child(library, file, 10**9)
    with Library.open(library) as opened:
        assert opened.digest() == digest
        assert [(r.place, r.reason) for r in opened.rejects()] == rejects
        assert opened.engine.words.size == len(opened) == PAPERS - 1
        assert opened.verify() == []
    assert kills > 0
