"""What millions of citations would take, calculated from what the benchmarks measured.

    python benchmarks/scale.py [--results benchmarks/results] [--page docs/explanation/scale.md]

Writes the part of the page between its two marks. A unit cost that nobody has measured yet leaves
what depends on it open, and says which command measures it.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping
from pathlib import Path

import msgspec

from beside import Result, read

HERE = Path(__file__).parent
BEGIN, END = "<!-- calculated: benchmarks/scale.py -->", "<!-- end -->"
MILLIONS = (1, 10, 37)
WORKERS = (1, 16, 128)
# Links of HNSW at M = 16: 32 neighbours of four bytes on the ground level, a few above.
LINKS = 140.0
OPEN = "not measured yet"


class Unit(msgspec.Struct):
    """A measured cost: what it is of, the number in seconds or bytes, and the command."""

    what: str
    value: float | None
    command: str

    def __str__(self) -> str:
        if self.value is None:
            return OPEN
        return f"{self.value:,.0f} bytes" if self.value > 10 else f"{self.value * 1000:.3g} ms"


def units(results: Mapping[str, Result]) -> dict[str, Unit]:
    """Every unit cost that the tables below need."""
    grown = results["growth"].facts if "growth" in results else {}

    def of(name: str, unit: str) -> float | None:
        found = grown.get(f"documents: {name}, {unit} each")
        if found is None:
            return None
        return found * 1e-6 if unit == "µs" else found

    def typical(result: str, contender: str = "osler") -> float | None:
        if result not in results:
            return None
        return statistics.median(results[result].comparisons[0].costs[contender].cpu)

    def by(result: str, script: str) -> str:
        return results[result].command if result in results else f"python benchmarks/{script}"

    growth = by("growth", "growth.py")
    whole = by("whole", "whole_search.py")
    return {
        "read": Unit("reading a citation", of("read", "µs"), growth),
        "add": Unit("reading, checking, storing and indexing its words",
                    of("read and add", "µs"), growth),
        "link": Unit("linking its title and abstract to MeSH and HPO", typical("linking"),
                     by("linking", "linking.py")),
        "embed": Unit("embedding its title and abstract", typical("encoding"),
                      by("encoding", "encoding.py")),
        "truth": Unit("truth on disk", of("truth", "B"), growth),
        "words": Unit("words on disk", of("words", "B"), growth),
        "vectors": Unit("vector on disk and in memory", of("vectors", "B"), growth),
        "concepts": Unit("concepts on disk, mapped by a replica", of("knowledge", "B"), growth),
        "hybrid": Unit("a hybrid search, question encoded", typical("whole"),
                       whole),
        "by concepts": Unit("a search by concepts with evidence",
                            typical("whole", "osler by concepts"),
                            whole),
    }  # fmt: skip


def size(value: float) -> str:
    """Bytes in GB or TB."""
    if value >= 1e12:
        return f"{value / 1e12:.1f} TB"
    return f"{value / 1e9:.1f} GB" if value < 1e10 else f"{value / 1e9:,.0f} GB"


def span(value: float) -> str:
    """Seconds in what people say."""
    if value < 5400:
        return f"{value / 60:.0f} min"
    return f"{value / 3600:.0f} h" if value < 48 * 3600 else f"{value / 86400:.1f} days"


def row(title: str, shown: list[str]) -> str:
    return f"| {title} | {' | '.join(shown)} |"


def block(results: Mapping[str, Result]) -> str:
    """The calculated part of the page."""
    unit = units(results)
    lines = ["| of one citation | measured | command |", "| --- | --- | --- |"]
    lines += [row(one.what, [str(one), f"`{one.command}`"]) for one in unit.values()]
    if "bulk" in results:
        gain = results["bulk"].facts["times as fast"]
        lines.append(
            row(
                "two one-thread Dask workers against one, linking and embedding",
                [f"{gain:.2f} times", f"`{results['bulk'].command}`"],
            )
        )
    lines += ["", f"| | {' | '.join(f'{n} million' for n in MILLIONS)} |"]
    lines.append(f"| --- |{' --- |' * len(MILLIONS)}")

    def each(title: str, needed: tuple[str, ...], shown) -> None:  # type: ignore[no-untyped-def]
        values = [unit[name].value for name in needed]
        if any(value is None for value in values):
            lines.append(row(title, [OPEN] * len(MILLIONS)))
        else:
            lines.append(row(title, [shown(n * 1e6, *values) for n in MILLIONS]))

    each("truth, on the writer's disk", ("truth",), lambda n, b: size(n * b))
    each("words", ("words",), lambda n, b: size(n * b))
    each("vectors, in the memory that searches them", ("vectors",), lambda n, b: size(n * b))
    lines.append(row("links of HNSW (assumed)", [size(n * 1e6 * LINKS) for n in MILLIONS]))
    each("concepts of documents, mapped by each replica", ("concepts",), lambda n, b: size(n * b))
    each(
        "all on one disk",
        ("truth", "words", "vectors", "concepts"),
        lambda n, *b: size(n * (sum(b) + LINKS)),
    )
    each("reading, one core", ("read",), lambda n, c: span(n * c))
    each("the writer's own share: storing and indexing, one core", ("read", "add"),
         lambda n, r, a: span(n * (a - r)))  # fmt: skip
    for workers in WORKERS:
        name = "worker" if workers == 1 else "workers"
        each(
            f"reading, linking, embedding on {workers} one-core {name}",
            ("read", "link", "embed"),
            lambda n, *c, w=workers: span(n * sum(c) / w),
        )
    for name, title in (("hybrid", "hybrid"), ("by concepts", "by concepts, with evidence")):
        cost = unit[name].value
        shown = OPEN if cost is None else f"{1 / cost:.0f}"
        lines.append(
            row(f"queries a second for each core of a replica, {title}", [shown] * len(MILLIONS))
        )
    return "\n".join(lines)


def put(page: str, made: str) -> str:
    head, _, rest = page.partition(BEGIN)
    _, mark, tail = rest.partition(END)
    if not mark:
        raise SystemExit("the page has lost its marks")
    return f"{head}{BEGIN}\n{made}\n{END}{tail}"


def load(folder: Path) -> dict[str, Result]:
    return {result.name: result for path in sorted(folder.glob("*.json")) if (result := read(path))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=HERE / "results")
    page = HERE.parent / "docs" / "explanation" / "scale.md"
    parser.add_argument("--page", type=Path, default=page)
    given = parser.parse_args()
    made = put(given.page.read_text("utf-8"), block(load(given.results)))
    given.page.write_text(made, encoding="utf-8")
    print(block(load(given.results)))


if __name__ == "__main__":
    main()
