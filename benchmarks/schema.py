"""schemathesis over the REST interface of a library: default checks, every phase.

python benchmarks/schema.py [LIBRARY] [--max-examples 50]

It judges relevance, too, so it works on a copy of the library. Exit code 1 where a check fails.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from osler.settings import SERVE_SECONDS
from serving import serve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", nargs="?", default="demo/library", type=Path)
    parser.add_argument("--max-examples", type=int, default=50)
    options = parser.parse_args()
    if not (options.library / "library.json").exists():
        raise SystemExit(f"there is no library at {options.library}: make demo builds one")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "library"
        shutil.copytree(options.library, copy)
        process, port = serve(copy)
        try:
            done = subprocess.run(
                [
                    Path(sys.executable).parent / "schemathesis",
                    "run",
                    f"http://127.0.0.1:{port}/api/v1/openapi.json",
                    f"--max-examples={options.max_examples}",
                    "--seed=1",
                    # As long as the server itself allows: a busy machine is no failure.
                    f"--request-timeout={SERVE_SECONDS.get() + 5}",
                    "--generation-database=none",
                ],
                cwd=folder,
            )
        finally:
            process.terminate()
            process.wait(15)
    raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
