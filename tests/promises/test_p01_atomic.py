"""P1, P4, P16: at every write, sync and rename the library is the old one or the new one; an error
of the disk is an ordinary error; and the same command, given again, ends as if nothing had been.

``make faults`` tries every point; here a few of each job are tried, spread over its length.
"""

from __future__ import annotations

import importlib.util

import pytest

from promises import jobs
from promises.jobs import JOBS


def needs(job: str) -> None:
    package = JOBS[job].needs
    if package and importlib.util.find_spec(package) is None:
        pytest.skip(f"{job} needs {package}")


@pytest.mark.parametrize("job", list(JOBS))
def test_a_kill_or_a_power_cut_leaves_the_old_or_the_new(job, disturb):
    """P1, P4: killed before a call, inside a write, or with the power gone after it."""
    needs(job)
    for told in disturb(job, "kill", "torn", "cut"):
        assert told["bad"] == 0, told
        assert told["points"] + told.get("shorter", 0) >= 3
        if told["mode"] != "cut":
            assert told["killed"] == told["points"]


def test_a_job_killed_again_and_again_ends_as_if_never_killed(disturb):
    """P4: always the same library, killed at random points until it is through."""
    (told,) = disturb("add", "often", most=12)
    assert told["bad"] == 0, told
    assert told["killed"] >= 12


@pytest.mark.parametrize("job", ["add", "link", "embed", "train"])
def test_a_full_broken_or_forbidden_disk_is_an_ordinary_error(job, disturb):
    """P16: StorageError (or the job was through already), and nothing of the library is hurt."""
    needs(job)
    for told in disturb(job, "full", "lost", "broken"):
        assert told["bad"] == 0, told
        if told["mode"] != "broken":
            assert told["StorageError"] > 0


def test_the_faults_are_seen_by_sqlite_tantivy_and_python(faults, tmp_path):
    """The layer itself: each of the three that write passes through it."""
    import os
    import subprocess
    import sys
    from pathlib import Path

    here = Path(__file__).parent
    script = (
        "import sys, os; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from promises import jobs, points, disk\n"
        "work = Path(sys.argv[2]); folder = jobs.prepare('add', work)\n"
        "log = os.open(work / 'log', os.O_CREAT | os.O_WRONLY)\n"
        "points.arm(folder, points.COUNT, 0, 0, log)\n"
        "jobs.JOBS['add'].run(folder, lambda: None)\n"
        "for point in disk.read_log(work / 'log'): print(point.what, point.path)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", script, here.parent, tmp_path / "work"],
        env={**os.environ, "LD_PRELOAD": str(faults)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    written = {line[2:].rsplit("/", 1)[1] for line in out.splitlines() if line[0] == "w"}
    assert "truth.sqlite-wal" in written
    assert any(name.endswith(".store") for name in written)
    assert any(name.startswith(".state.json.") for name in written)
    assert {line[0] for line in out.splitlines()} >= set("cwstru")


def test_what_killed_writers_left_is_taken_away(tmp_path, make_library):
    """Found by killing one job again and again: thousands of files that nobody would ever use."""
    import fcntl
    import os

    from osler.learn.card import Card
    from osler.learn.saved import save_model

    library = make_library([])
    words = library.layout.words
    left = [words / ".tmpa1B2c3", words / ".manifest.json.abcd1234"]
    for path in left:
        path.write_text("half")
    library.add_documents(jobs.documents(0, 3))
    assert not [path.name for path in left if path.exists()]
    dead, alive = (tmp_path / f".model.{name}" for name in ("deadbeef", "stillhot"))
    for folder in (dead, alive):
        folder.mkdir()
        (folder / "model.safetensors").write_text("half")
    handle = os.open(alive, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    save_model(tmp_path / "model", {}, {}, Card(name="m", what="test"))
    os.close(handle)
    assert not dead.exists()
    assert alive.exists(), "another program is writing it"
    save_model(tmp_path / "model", {}, {}, Card(name="m", what="test"))
    assert not alive.exists()
    assert sorted(p.name for p in tmp_path.glob("*model*")) == ["model"]
