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
from pathlib import Path

import pytest

import osler


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


def test_a_day_s_work_looks_up_no_name(day, resolver):
    base, _, _ = day
    assert not (base / "lookups.txt").exists(), (base / "lookups.txt").read_text()


def test_the_record_of_look_ups_works(resolver, tmp_path):
    script = "import socket\ntry: socket.getaddrinfo('example.invalid', 80)\nexcept OSError: pass\n"
    environment = {
        **os.environ, "LD_PRELOAD": str(resolver), "OSLER_LOOKUPS": str(tmp_path / "lookups.txt"),
    }  # fmt: skip
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert (tmp_path / "lookups.txt").read_text() == "getaddrinfo example.invalid\n"


def test_no_package_that_we_stand_on_reports_to_its_maker(resolver, tmp_path):
    """The pinned ONNX Runtime looks a host of its maker up, and puts a device id into the user's
    cache at its import; neither happens, with every extra in use."""
    home, lookups, work = tmp_path / "home", tmp_path / "lookups.txt", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    environment = {
        **{k: v for k, v in os.environ.items() if k not in osler.SILENCED},
        "LD_PRELOAD": str(resolver),
        "OSLER_LOOKUPS": str(lookups),
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "OSLER_CACHE": str(tmp_path / "cache"),
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, Path(__file__).parent / "every_extra.py", work],
        env=environment,
        capture_output=True,
        text=True,
        timeout=1_800,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert {"onnx", "vectors", "page"} <= set(done.stdout.splitlines())
    assert not lookups.exists(), lookups.read_text()
    left = [str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()]
    assert not [path for path in left if "deviceid" in path or "Microsoft" in path], left


def test_nobody_imports_onnx_runtime_but_one_place():
    """There it is silenced; ``import osler`` has set what it reads before that."""
    source = Path(osler.__file__).parent
    importing = [
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if re.search(r"^\s*(import|from) onnxruntime\b", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert importing == ["text/onnx_runtime.py"]
    assert all(os.environ[name] == value for name, value in osler.SILENCED.items())


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
        assert re.fullmatch(r"[0-9a-f]{64}", thing.archive.sha256)
        assert thing.archive.size > 0
        assert all(size > 0 for _, size in thing.members.values())


def test_importing_opens_no_socket(monkeypatch):
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    import importlib

    import osler.library

    importlib.reload(osler.library)
