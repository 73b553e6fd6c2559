"""What every comparison shares: turns, processor and clock time, ratios with their spread, a file.

A comparison gives the same work to Osler and to its peers in one process and one run. Each repeat
lets all of them work once, in an order that turns, so that a busy machine slows all alike. A ratio
is taken within a repeat (a peer's time through Osler's: above 1, Osler is quicker); the page shows
the median and the range over repeats. Processor time counts all threads.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

OSLER = "osler"
PACKAGES = [
    "osler",
    "bm25s",
    "flashtext",
    "lancedb",
    "networkx",
    "pykeen",
    "pyserini",
    "rustworkx",
    "sentence-transformers",
    "spacy",
    "tantivy",
    "torch",
    "txtai",
    "milvus-lite",
    "distributed",
]


def versions() -> dict[str, str]:
    """The packages that could take part, as they are installed here."""
    found = {}
    for name in PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


class Cost(msgspec.Struct):
    """Seconds of one contender, a number a repeat."""

    cpu: list[float] = []
    wall: list[float] = []


class Comparison(msgspec.Struct, kw_only=True):
    """One row of the page: who took part, what it cost each, and why Osler is where it is."""

    name: str
    title: str
    # What was done, on what, in one sentence.
    task: str
    # What one unit of the times is: "a query", "a file".
    unit: str
    costs: dict[str, Cost]
    # What a contender does more or less than the others.
    notes: dict[str, str] = {}
    # Peers that could not take part, with the error.
    missing: dict[str, str] = {}
    # Contenders that are no peers but the floor of what any program could take.
    floors: list[str] = []
    # Why Osler is behind, where it is: the page refuses a row without it.
    reason: str = ""

    @property
    def peers(self) -> list[str]:
        return [n for n in self.costs if not n.startswith(OSLER) and n not in self.floors]


class Table(msgspec.Struct, kw_only=True):
    """A table that the page prints as it is."""

    title: str
    head: list[str]
    rows: list[list[str]]
    note: str = ""


class Curve(msgspec.Struct, kw_only=True):
    """Something that grows: sizes, and named values at each."""

    title: str
    x: str
    sizes: list[int]
    values: dict[str, list[float]]


class Result(msgspec.Struct, kw_only=True):
    """What a benchmark found, as its file holds it."""

    name: str
    command: str = msgspec.field(default_factory=lambda: asked())
    comparisons: list[Comparison] = []
    tables: list[Table] = []
    curves: list[Curve] = []
    # Numbers by name, for pages that calculate with them.
    facts: dict[str, float] = {}
    cores: int = msgspec.field(default_factory=lambda: os.cpu_count() or 1)
    threads: str = msgspec.field(default_factory=lambda: os.environ.get("OMP_NUM_THREADS", "all"))
    versions: dict[str, str] = msgspec.field(default_factory=versions)
    load: float = msgspec.field(default_factory=lambda: round(os.getloadavg()[0], 1))


def turns(
    contenders: Mapping[str, Callable[[], object]], rounds: int, *, per: float = 1.0
) -> dict[str, Cost]:
    """Each contender once a round, the first one changing; times divided by ``per``."""
    costs = {name: Cost(cpu=[], wall=[]) for name in contenders}
    names = list(contenders)
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            wall, cpu = time.perf_counter(), time.process_time()
            contenders[name]()
            costs[name].cpu.append((time.process_time() - cpu) / per)
            costs[name].wall.append((time.perf_counter() - wall) / per)
    return costs


class Ratio(msgspec.Struct):
    """A ratio over repeats."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{number(self.median)} ({number(self.low)} to {number(self.high)})"


def number(value: float) -> str:
    """Three digits that say something."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratio(peer: list[float], own: list[float]) -> Ratio:
    """How many times as quick Osler is, repeat by repeat."""
    found = [theirs / ours for theirs, ours in zip(peer, own, strict=True)]
    return Ratio(statistics.median(found), min(found), max(found))


def ratios(row: Comparison, *, clock: bool = False, of: str = OSLER) -> dict[str, Ratio]:
    """A ratio for each other contender of a row."""

    def taken(name: str) -> list[float]:
        cost = row.costs[name]
        return cost.wall if clock else cost.cpu

    return {name: ratio(taken(name), taken(of)) for name in row.costs if name != of}


def show(row: Comparison) -> None:
    """What a comparison found, for a terminal."""
    print(f"{row.title}: {row.task}")
    for name, cost in row.costs.items():
        print(f"  {name:26} {seconds(statistics.median(cost.cpu))} processor, "
              f"{seconds(statistics.median(cost.wall))} clock, {row.unit}")  # fmt: skip
    for name, found in ratios(row).items():
        print(f"  osler against {name}: {found} times as quick by processor time, "
              f"{ratios(row, clock=True)[name]} by the clock")  # fmt: skip
    for name, why in row.missing.items():
        print(f"  {name} is missing: {why}")


def seconds(value: float) -> str:
    if value < 1e-3:
        return f"{value * 1e6:.0f} µs"
    return f"{value * 1e3:.2f} ms" if value < 1 else f"{value:.2f} s"


def asked(arguments: Sequence[str] | None = None) -> str:
    """The command that is running, as anyone could give it: no places of this machine in it."""
    script, *rest = sys.argv if arguments is None else arguments
    shown, before = [], ""
    for word in rest:
        if word != "--json" and before != "--json":
            path = Path(word)
            if path.is_dir():
                word = "DIR" if before == "--data" else "LIB"
            elif len(path.parts) > 1:
                word = "/".join(path.parts[-2:])
            shown.append(word)
        before = word
    return " ".join(["python", f"benchmarks/{Path(script).name}", *shown])


def why_not(problem: BaseException) -> str:
    """An error in one line, without places of this machine."""
    text = " ".join(str(problem).split()) or type(problem).__name__
    words = [Path(word).name if word.count("/") > 2 else word for word in text.split(" ")]
    return f"{type(problem).__name__}: {' '.join(words)}"[:200]


def json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, help="write what was found to this file")


def write(result: Result, path: Path | None) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")


def read(path: Path) -> Result:
    return msgspec.json.decode(path.read_bytes(), type=Result)


def attempt(missing: dict[str, str], name: str, make: Callable[[], Any]) -> Any:
    """What ``make`` makes, or None with the error noted under the peer's name."""
    try:
        return make()
    except Exception as problem:
        missing[name] = why_not(problem)
        return None
