"""What the proofs share: the fault layer, compiled when it is first asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
POINTS = int(os.environ.get("OSLER_POINTS", "3"))
"""Points of each job and mode that one test run tries; ``make faults`` tries every one."""


@pytest.fixture(scope="session")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shared object that sits between a program and its files."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("faults are injected into the C library's calls: needs Linux and a C compiler")
    target = tmp_path_factory.mktemp("faults") / "faults.so"
    subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", "-o", target, HERE / "faults.c", "-ldl", "-lpthread"],
        check=True,
    )
    return target


@pytest.fixture(scope="session")
def resolver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shared object that records which names a program looks up."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("look-ups are recorded in the C library: needs Linux and a C compiler")
    target = tmp_path_factory.mktemp("resolver") / "resolver.so"
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", target, HERE / "resolver.c", "-ldl"]
    subprocess.run(command, check=True)
    return target


@pytest.fixture(scope="session")
def day(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Any:
    """A day's work (``everyday.py``) with logs at their loudest and, where the layer can be built,
    the network watched: where it wrote, how it ended, what each command said."""
    base = tmp_path_factory.mktemp("day")
    for name in ("work", "home", "cache", "tmp"):
        (base / name).mkdir()
    environment = {
        **{k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")},
        "HOME": str(base / "home"),
        "TMPDIR": str(base / "tmp"),
        "OSLER_CACHE": str(base / "cache"),
        "XDG_CACHE_HOME": str(base / "home" / ".cache"),
        "OSLER_LOG": "DEBUG",
        "OMP_NUM_THREADS": "1",
        "OSLER_NETWORK_LOG": str(base / "tried.txt"),
    }
    if shutil.which("cc") and sys.platform == "linux":
        layers = [request.getfixturevalue(name) for name in ("faults", "resolver")]
        environment["LD_PRELOAD"] = ":".join(map(str, layers))
        environment["OSLER_LOOKUPS"] = str(base / "lookups.txt")
    done = subprocess.run(
        [sys.executable, HERE / "everyday.py", base / "work"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=1_800,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads((base / "work" / "printed.json").read_text("utf-8"))
    return base, done, told


@pytest.fixture
def disturb(faults: Path, tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """``disturb("add", "kill", "cut", most=4)``: what came of the job under each kind of fault."""

    def run(job: str, *modes: str, most: int = POINTS) -> list[dict[str, Any]]:
        done = subprocess.run(
            [sys.executable, HERE / "points.py", tmp_path / "work", job, *modes]
            + ["--most", str(most)],
            env={**os.environ, "LD_PRELOAD": str(faults), "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=3_000,
        )
        assert done.stdout, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run
