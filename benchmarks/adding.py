"""Adding the 2021 PubMed file with words indexed, against lxml merely parsing it.

python benchmarks/adding.py [--rounds 3] [--json FILE]
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

from beside import Comparison, Cost, Result, json_option, show, write
from osler.fetch import fetch


def parse(path: Path) -> None:
    """What lxml alone needs."""
    from lxml import etree

    with gzip.open(path) as stream:
        for _, element in etree.iterparse(stream, tag="PubmedArticle"):
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def add(path: Path) -> None:
    from osler import Library

    with tempfile.TemporaryDirectory() as folder, Library.create(Path(folder) / "library") as lib:
        lib.add([path])


def child(what: str, path: Path, cost: Cost) -> float:
    """Seconds, and peak memory in MB, in a process of its own."""
    out = subprocess.run(
        [sys.executable, __file__, "--child", what, str(path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    cost.wall.append(float(out[0]))
    cost.cpu.append(float(out[1]))
    return float(out[2])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    json_option(parser)
    given = parser.parse_args()
    if given.child:
        what, path = given.child
        wall, cpu = time.perf_counter(), time.process_time()
        {"parse": parse, "add": add}[what](Path(path))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000)
        return
    path = fetch("pubmed-sample") / "pubmed21n1298.xml.gz"
    costs = {"osler": Cost(cpu=[], wall=[]), "lxml, bare": Cost(cpu=[], wall=[])}
    peak = 0.0
    for _ in range(given.rounds):
        child("parse", path, costs["lxml, bare"])
        peak = max(peak, child("add", path, costs["osler"]))
    row = Comparison(
        name="adding",
        title="Adding PubMed",
        task="a file of 20,788 citations read, checked, committed to the truth, words indexed",
        unit="the file",
        costs=costs,
        notes={"lxml, bare": "no peer but the floor: elements parsed and thrown away"},
        floors=["lxml, bare"],
    )
    show(row)
    pairs = zip(costs["osler"].cpu, costs["lxml, bare"].cpu, strict=True)
    times = statistics.median(whole / bare for whole, bare in pairs)
    print(f"adding / parsing: {times:.2f} times (bar: at most 3); "
          f"peak memory {peak:.0f} MB (bar: under 1000)")  # fmt: skip
    write(
        Result(
            name="adding",
            comparisons=[row],
            facts={"times lxml": times, "peak MB": peak},
        ),
        given.json,
    )


if __name__ == "__main__":
    main()
