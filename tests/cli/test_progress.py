"""What a person is told of work that takes long, and after Ctrl-C."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from osler import Library
from osler.cli.main import stopped
from osler.cli.show import clock, how_far
from samples import TrigramEncoder, paper


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0:00"), (9.6, "0:10"), (61, "1:01"), (3599.7, "1:00:00"), (3725, "1:02:05")],
)
def test_clock(seconds, told):
    assert clock(seconds) == told


@pytest.mark.parametrize(
    ("done", "total", "spent", "told"),
    [
        (500, None, 5.0, "500, 0:05 gone"),
        (0, 1_000, 1.0, "0 of 1,000, 0:01 gone"),
        (250, 1_000, 10.0, "250 of 1,000, 0:10 gone, 0:30 left"),
        (1_000, 1_000, 40.0, "1,000 of 1,000, 0:40 gone"),
    ],
)
def test_how_far(done, total, spent, told):
    assert how_far(done, total, spent) == told


def test_what_goes_on_is_told_how():
    assert stopped(["add", "my papers", "a.csv"]) == (
        "stopped; what was committed stays. To go on: osler add 'my papers' a.csv"
    )
    assert stopped(["search", "lib", "asthma"]) == "stopped"
    assert stopped([]) == "stopped"


MANY = 60_000


def test_ctrl_c_says_how_to_go_on_and_it_does(tmp_path):
    papers = tmp_path / "many.csv"
    rows = (f"p{n},Title {n} of many,Words {n % 97} of an abstract." for n in range(MANY))
    papers.write_text("id,title,abstract\n" + "\n".join(rows))
    lib = tmp_path / "lib"
    Library.create(lib).close()
    told, terminal = pty.openpty()
    command = [sys.executable, "-m", "osler.cli.main", "add", str(lib), str(papers)]
    adding = subprocess.Popen(
        command,
        stderr=terminal,
        stdout=terminal,
        start_new_session=True,
        # A shell's background jobs are deaf to Ctrl-C, and hand that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(terminal)
    seen = b""
    deadline = time.monotonic() + 120
    while b" gone" not in seen and time.monotonic() < deadline:
        seen += os.read(told, 4_096)
    adding.send_signal(signal.SIGINT)
    try:
        while piece := os.read(told, 4_096):
            seen += piece
    except OSError:  # the terminal's other end is closed
        pass
    assert adding.wait(timeout=60) == 130
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode(errors="replace"))
    assert re.search(r"reading .* [\d,]+, \d+:\d\d gone", text)
    assert f"To go on: osler add {lib} {papers}" in text.replace("\r\n", "\n")
    with Library.open(lib) as library:
        assert 0 <= len(library) < MANY
        library.add([papers])
        assert len(library) == MANY


def test_a_limit_makes_so_many_vectors(tmp_path):
    with Library.create(tmp_path / "lib", encoder=TrigramEncoder()) as library:
        library.add_documents([paper(str(n), f"Paper {n} on asthma") for n in range(9)])
        assert library.embed(limit=4) == 4
        assert (library.coverage().done, library.coverage().waiting) == (4, 5)
        assert library.embed(limit=4) == 4
        assert library.embed() == 1


def test_what_is_gone_or_changed_is_not_counted_twice(tmp_path):
    with Library.create(tmp_path / "lib", encoder=TrigramEncoder()) as library:
        library.add_documents([paper(str(n), f"Paper {n} on asthma") for n in range(6)])
        library.embed()
        library.add_documents([paper("0", "Another title altogether", revised="2030")])
        changed = library.coverage()
        assert (changed.done, changed.readable, changed.waiting) == (5, 6, 1)
        library.remove(["5"])
        gone = library.coverage()
        assert (gone.done, gone.readable, gone.waiting) == (4, 5, 1)
        library.embed()
        whole = library.coverage()
        assert (whole.done, whole.readable, whole.share) == (5, 5, 1.0)
        library.remove(["4"])
        assert library.coverage().waiting == 0
        assert "wait for a vector" not in " ".join(library.status()["notes"])
