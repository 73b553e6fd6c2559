"""The page of benchmarks, from what the benchmarks wrote: tables, plots, and a verdict a row.

    python benchmarks/page.py [--results benchmarks/results] [--docs docs]

Nothing on the page is typed by hand: `make bench` writes the results, this writes
docs/benchmarks.md and its pictures. A row in which a peer is quicker and no reason is given is
refused, as is one without any peer or word on what is missing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from beside import OSLER, Comparison, Curve, Result, Table, number, ratios, read, seconds
from run import STEPS

HERE = Path(__file__).parent
# The bar: Osler never takes more than this many times the time of the quickest.
BAR = 3.0
ORDER = ("reading", "adding", "words", "encoding", "linking", "paths", "graph_embeddings", "whole")
INTRO = """# Osler and its peers, side by side

Written by `make bench DATA=DIR` (`python benchmarks/run.py`, then `python benchmarks/page.py`); do
not edit. Each comparison gives the same work to Osler and its peers in the same run, in turns. A
ratio is a peer's time through Osler's within one repeat: **above 1, Osler is quicker**. Shown are
the median and, in brackets, the range over repeats. Processor time counts all threads, so that
other work on the machine disturbs it little; the clock's ratio stands beside it. Absolute times
belong to the machine that they were taken on and are there to show the scale.
"""


class Behind(ValueError):
    """A row that the page cannot print: a peer is quicker and nobody said why."""


def fastest(row: Comparison) -> str:
    return min(row.peers, key=lambda name: statistics.median(row.costs[name].cpu))


LEVEL = 0.8
"""From this median on a range that reaches 1 is called level."""


def verdict(row: Comparison) -> str:
    """Ahead of all peers, or behind with the reason; a miss of the bar is said in so many words."""
    if not row.peers:
        if not row.floors and not row.missing:
            raise Behind(f"{row.name} has no peer, and nothing that says why")
        return "no peer here" if row.missing else "shown beside the floor"
    found = ratios(row)[fastest(row)]
    if found.median >= 1:
        return "ahead"
    if not row.reason:
        raise Behind(f"{row.name} is behind {fastest(row)}, and no reason is given")
    # A wide range on a busy machine makes nobody level.
    if found.high >= 1 and found.median >= LEVEL:
        state = "level, within the range"
    elif found.median >= 1 / BAR:
        state = "behind"
    else:
        state = f"BEHIND BY MORE THAN {BAR:g} TIMES"
    return f"{state}: {row.reason}"


def line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [line(head), line(["---"] * len(head)), *(line(row) for row in rows), ""]


def busy(result: Result) -> bool:
    """Whether more wanted to run than there are cores: the clock then says little."""
    return result.load > result.cores


def glance(rows: Sequence[tuple[Comparison, Result]]) -> list[str]:
    cells = []
    for row, result in rows:
        if row.peers:
            peer = fastest(row)
            clock = "" if busy(result) else str(ratios(row, clock=True)[peer])
            cells.append([row.title, peer, str(ratios(row)[peer]), clock, verdict(row)])
        else:
            cells.append([row.title, "none", "", "", verdict(row)])
    head = ["job", "quickest peer", "times as quick, processor", "by the clock", "so Osler is"]
    return grid(head, cells)


def section(row: Comparison, result: Result) -> list[str]:
    found = ratios(row)
    clock = dict.fromkeys(found, "") if busy(result) else ratios(row, clock=True)
    cells = []
    for name, cost in row.costs.items():
        against = ["", ""] if name == OSLER else [str(found[name]), str(clock[name])]
        cells.append(
            [name, seconds(statistics.median(cost.cpu)), *against, row.notes.get(name, "")]
        )
    cells += [[name, "missing", "", "", why] for name, why in row.missing.items()]
    head = [
        "",
        f"processor time, {row.unit}",
        "Osler's speed in its own",
        "by the clock",
        "what it does",
    ]
    repeats = len(row.costs[OSLER].cpu)
    return [
        f"### {row.title}",
        "",
        f"{row.task[:1].upper()}{row.task[1:]}; {repeats} repeats. `{result.command}`",
        "",
        *grid(head, cells),
    ]


def table(made: Table, command: str) -> list[str]:
    note = [made.note, ""] if made.note else []
    return [f"**{made.title}** (`{command}`)", "", *grid(made.head, made.rows), *note]


def growth(curve: Curve) -> list[str]:
    def shown(value: float) -> str:
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

    rows = [[name, *map(shown, values)] for name, values in curve.values.items()]
    return grid([curve.x, *(f"{size:,}" for size in curve.sizes)], rows)


def machine(results: Sequence[Result]) -> str:
    cores = ", ".join(sorted({str(result.cores) for result in results}))
    threads = sorted({result.threads for result in results})
    allowed = "a library may use" if len(threads) == 1 else "libraries may use, by benchmark:"
    loads = [result.load for result in results]
    versions = {name: number for result in results for name, number in result.versions.items()}
    listed = ", ".join(f"{name} {number}" for name, number in sorted(versions.items()))
    told = (
        f" Other work ran beside (load average {min(loads):g} to {max(loads):g}), so that the "
        "clock is left out where more wanted to run than there are cores."
        if any(map(busy, results))
        else ""
    )
    may = f"threads that {allowed} {', '.join(threads)}"
    return f"Machine: {cores} cores; {may}.{told} Versions: {listed}."


def text(results: Sequence[Result], missing: dict[str, str]) -> str:
    """The whole page."""
    by_name = {result.name: result for result in results}
    ordered = [by_name[name] for name in ORDER if name in by_name]
    rows = [(row, result) for result in ordered for row in result.comparisons]
    found = [INTRO, machine(results), "", "## At a glance", ""]
    found += glance(rows)
    if any(row.peers for row, _ in rows):
        found += ["![How many times as quick as each peer](images/bench-ratios.png)", ""]
    if missing:
        named = "; ".join(f"{name}: {why}" for name, why in sorted(missing.items()))
        found += [f"Peers that could not be installed: {named}.", ""]
    found += ["## Row by row", ""]
    for result in ordered:
        for row in result.comparisons:
            found += section(row, result)
        for made in result.tables:
            found += table(made, result.command)
    for title, prefix, picture in (
        ("Quality", "quality-", "bench-quality.png"),
        ("On Milvus, against the embedded engine", "milvus-", ""),
        ("On Dask", "bulk", ""),
    ):
        here = [result for result in results if result.name.startswith(prefix)]
        if here:
            found += [f"## {title}", ""]
            for result in here:
                for made in result.tables:
                    found += table(made, result.command)
            if picture:
                found += [f"![{title}](images/{picture})", ""]
    if "growth" in by_name:
        found += ["## Growth", "", f"`{by_name['growth'].command}`", ""]
        for curve in by_name["growth"].curves:
            found += growth(curve)
        found += ["![Time and memory against size](images/bench-growth.png)", ""]
        found += ["What it comes to for millions: [scale](explanation/scale.md).", ""]
    found += [
        "Where the time of a question goes, cold and in an open library: "
        "[speed](explanation/speed.md) (`python benchmarks/question_time.py`).",
        "",
    ]
    waiting = [step for step in STEPS if step.results and step.name not in by_name]
    if waiting:
        found += ["## Not measured here yet", ""]
        found += [f"- {step.name}: `python benchmarks/{step.arguments[0]}`" for step in waiting]
    return "\n".join(found).rstrip("\n") + "\n"


def not_installed(folder: Path) -> dict[str, str]:
    """What install.py could not install."""
    path = folder / "missing" / "peers.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def load(folder: Path) -> list[Result]:
    return [read(path) for path in sorted(folder.glob("*.json"))]


def bars(rows: Sequence[Comparison]) -> Iterator[tuple[str, float, float, float]]:
    for row in rows:
        for name in row.peers:
            found = ratios(row)[name]
            yield f"{row.title}: {name}", found.median, found.low, found.high


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--docs", type=Path, default=HERE.parent / "docs")
    given = parser.parse_args()
    results = load(given.results)
    if not results:
        sys.exit(f"no results in {given.results}: make bench")
    try:
        page = text(results, not_installed(given.results))
    except Behind as problem:
        sys.exit(str(problem))
    from plots import draw_growth, draw_quality, draw_ratios

    pictures = given.docs / "images"
    pictures.mkdir(parents=True, exist_ok=True)
    rows = [row for result in results for row in result.comparisons]
    draw_ratios(list(bars(rows)), pictures / "bench-ratios.png")
    draw_quality(
        {
            r.name.removeprefix("quality-"): r.facts
            for r in results
            if r.name.startswith("quality-")
        },
        pictures / "bench-quality.png",
    )
    draw_growth([c for result in results for c in result.curves], pictures / "bench-growth.png")
    (given.docs / "benchmarks.md").write_text(page, encoding="utf-8")
    ahead = [row for row in rows if row.peers]
    worst = min(ahead, key=lambda row: ratios(row)[fastest(row)].median, default=None)
    if worst is not None:
        found = ratios(worst)[fastest(worst)]
        least = f"{worst.title}, {number(found.median)} times {fastest(worst)}"
        print(f"{len(rows)} rows; the least: {least}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
