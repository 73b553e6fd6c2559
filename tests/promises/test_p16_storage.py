"""P16: a real file system that is full, and one that is read-only. Faults at every single call are
in ``test_p01_atomic.py``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
SCRIPT = """
import os, subprocess, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from promises import jobs
from osler import Library
from osler.errors import OslerError, StorageError
where = Path(sys.argv[2]); where.mkdir()
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + sys.argv[3], "osler", where], check=True)
inputs = Path(sys.argv[4]); inputs.mkdir()
"""
FULL = (
    SCRIPT
    + """
import json
folder = where / "library"
with Library.create(folder) as library:
    library.add_documents(jobs.documents(0, 24))
before = Library.open(folder); digest = before.digest(); before.close()
file = inputs / "much.jsonl"
text = " ".join(f"w{n}" for n in range(400))
file.write_text("".join(
    json.dumps({"_id": f"m{n}", "title": "common", "text": f"{text} {n}"}) + chr(10)
    for n in range(4000)))
os.environ["OSLER_BATCH"] = "200"
told = []
try:
    with Library.open(folder) as library:
        summary = library.add([file])
        told = list(summary.failed.values())
except OslerError as error:
    assert isinstance(error, StorageError), repr(error)
    told = [str(error)]
assert told and all(line.startswith("E205") for line in told), told
print("TOLD", told[0])
subprocess.run(["mount", "-o", "remount,size=200m", where], check=True)
with Library.open(folder) as library:
    assert library.verify() == [], library.verify()
    held = len(library)
    assert 24 <= held < 4024, held
    summary = library.add([file])
    assert not summary.failed, summary.failed
    assert len(library) == 4024
    assert library.verify() == []
print("HELD", held)
"""
)
READ_ONLY = (
    SCRIPT
    + """
from samples import TrigramEncoder
folder = where / "library"
with Library.create(folder, encoder=TrigramEncoder()) as library:
    library.add_documents(jobs.documents(0, 24))
    library.embed()
    digest = library.digest()
subprocess.run(["mount", "-o", "remount,ro", where], check=True)
with Library.open(folder, encoder=TrigramEncoder()) as library:
    assert library.digest() == digest
    assert len(library.search("common", k=50, method="words")) == 24
    assert len(library.search("common", k=50, method="hybrid")) > 0
    assert library.verify() == []
    for change in (
        lambda: library.add_documents(jobs.documents(100, 2)),
        lambda: library.remove(["d001"]),
        lambda: library.embed(),
        lambda: library.judge({"q": {"d001": 1}}, {"q": "x"}),
        lambda: library.rebuild(),
        lambda: Library.create(where / "other"),
    ):
        try:
            change()
        except StorageError as error:
            print("TOLD", error)
        else:
            raise SystemExit("a change of a read-only library said nothing")
    assert len(library.search("common", k=50, method="words")) == 24
"""
)


def run(script: str, tmp_path: Path, size: str) -> str:
    """In a space of mounts of its own, so that nothing stays behind."""
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare (util-linux)")
    probe = tmp_path / "probe"
    probe.mkdir()
    able = subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "osler", probe], capture_output=True
    )
    if able.returncode:
        pytest.skip("this system does not let a user mount a tmpfs")
    done = subprocess.run(
        ["unshare", "-rm", sys.executable, "-c", script, TESTS, tmp_path / "disk", size]
        + [tmp_path / "inputs"],
        capture_output=True,
        text=True,
        timeout=1_800,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OSLER_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_a_full_disk_is_an_ordinary_error_and_loses_nothing(tmp_path):
    out = run(FULL, tmp_path, "3m")
    assert "TOLD E205" in out
    assert "Traceback" not in out


def test_a_read_only_medium_answers_and_refuses_changes(tmp_path):
    out = run(READ_ONLY, tmp_path, "20m")
    assert out.count("TOLD E205") == 6


def test_a_folder_that_cannot_be_made_is_an_ordinary_error(tmp_path, monkeypatch):
    """Seen at one of link's 394 calls: the folder of the knowledge could not be made, and that was
    a bare exception."""
    from osler import Library
    from osler.errors import StorageError
    from promises import jobs

    folder = jobs.prepare("link", tmp_path)
    real = Path.mkdir

    def forbidden(self, *given, **named):
        if self.parent.name == "knowledge":
            raise PermissionError(13, "Permission denied")
        return real(self, *given, **named)

    monkeypatch.setattr(Path, "mkdir", forbidden)
    with Library.open(folder) as library, pytest.raises(StorageError, match="Permission denied"):
        library.add([tmp_path / "terms.tsv"], format="terms")
    monkeypatch.undo()
    with Library.open(folder) as library:
        assert library.verify() == []
        assert len(library.graph) == 1 + len(jobs.DISEASES)
