"""How long ``from osler import Library`` takes, beside what it is measured in.

    python benchmarks/import_time.py

Each line is the median of several fresh interpreters; the interpreter's own start is taken off.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

TIMED = "import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"
CODES = {
    "from osler import Library": "from osler import Library",
    "import numpy": "import numpy",
    "import msgspec": "import msgspec",
}
BAR = 0.4
"""Seconds that the first may take."""


def seconds(code: str, times: int) -> float:
    """The median time of running a line in a fresh interpreter."""
    taken = []
    for _ in range(times):
        command = [sys.executable, "-c", TIMED.format(code=code)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        taken.append(float(done.stdout))
        time.sleep(0.05)
    return statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=7)
    given = parser.parse_args()
    measured = {name: seconds(code, given.times) for name, code in CODES.items()}
    base = measured["import numpy"]
    for name, value in measured.items():
        print(f"{name}: {value:.3f} s, {value / base:.2f} times import numpy")
    first = measured["from osler import Library"]
    print(f"bar {BAR} s: {'met' if first < BAR else 'not met'}")


if __name__ == "__main__":
    main()
