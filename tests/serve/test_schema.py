"""schemathesis over the OpenAPI description, with its default checks, against a real server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import serving

EXAMPLES = 2
"""For each operation; ``make schema`` takes more."""


def test_schemathesis_finds_no_failure(served_library, tmp_path):
    pytest.importorskip("schemathesis")
    program = Path(sys.executable).parent / "schemathesis"
    with serving.served(served_library) as address:
        done = subprocess.run(
            [
                program,
                "run",
                f"{address}/api/v1/openapi.json",
                f"--max-examples={EXAMPLES}",
                "--phases=fuzzing",
                "--seed=1",
                "--no-color",
                "--generation-database=none",
            ],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=300,
        )
    assert done.returncode == 0, done.stdout[-4000:]
