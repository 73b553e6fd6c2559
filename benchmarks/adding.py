"""Adding the 2021 PubMed file with words indexed, against lxml merely parsing it.

python benchmarks/adding.py [--rounds 3]
"""

from __future__ import annotations

import argparse
import gzip
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from osler.fetch import fetch


def parse(path: Path) -> float:
    """What lxml alone needs."""
    from lxml import etree

    start = time.perf_counter()
    with gzip.open(path) as stream:
        for _, element in etree.iterparse(stream, tag="PubmedArticle"):
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    return time.perf_counter() - start


def add(path: Path) -> float:
    from osler import Library

    with tempfile.TemporaryDirectory() as folder, Library.create(Path(folder) / "library") as lib:
        start = time.perf_counter()
        lib.add([path])
        return time.perf_counter() - start


def child(what: str, path: Path) -> tuple[float, float]:
    """Seconds and peak memory in MB, in a process of its own."""
    out = subprocess.run(
        [sys.executable, __file__, "--child", what, str(path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return float(out[0]), float(out[1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=2)
    given = parser.parse_args()
    if given.child:
        what, path = given.child
        seconds = {"parse": parse, "add": add}[what](Path(path))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
        print(seconds, peak)
        return
    path = fetch("pubmed-sample") / "pubmed21n1298.xml.gz"
    ratios, peaks = [], []
    for number in range(given.rounds):
        bare, _ = child("parse", path)
        whole, peak = child("add", path)
        ratios.append(whole / bare)
        peaks.append(peak)
        print(f"round {number + 1}: lxml {bare:.2f} s, add {whole:.2f} s, {whole / bare:.2f} times")
    print(
        f"adding / parsing: {statistics.median(ratios):.2f} times (bar: at most 3); "
        f"peak memory {max(peaks):.0f} MB (bar: under 1000)"
    )


if __name__ == "__main__":
    main()
