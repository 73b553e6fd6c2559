"""Install the peers, one by one, into the environment whose Python runs this.

    python benchmarks/install.py --missing FILE [--constraints constraints.txt]

Each line of requirements.txt is installed by itself, so that one that fails takes no other with it;
what failed is written to FILE with pip's last word, for the page to name.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def wanted(path: Path) -> list[list[str]]:
    """The arguments of pip for each peer; a line can begin with --no-deps."""
    lines = (line.partition("#")[0].split() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requirements", type=Path, default=HERE / "requirements.txt")
    parser.add_argument("--constraints", type=Path, default=HERE.parent / "constraints.txt")
    parser.add_argument("--missing", type=Path, required=True)
    given = parser.parse_args()
    missing = {}
    for line in wanted(given.requirements):
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "install"]
        done = subprocess.run(
            [*pip, "-c", str(given.constraints), *line], capture_output=True, text=True
        )
        if done.returncode:
            errors = [text for text in done.stderr.splitlines() if text.startswith("ERROR")]
            missing[line[-1]] = (errors or ["pip failed"])[-1].removeprefix("ERROR: ")[:200]
            print(f"{line[-1]} cannot be installed: {missing[line[-1]]}")
    given.missing.parent.mkdir(parents=True, exist_ok=True)
    given.missing.write_text(json.dumps(missing, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
