"""Paths: Osler beside networkx and rustworkx on a real graph, and ten million triples in memory.

    python benchmarks/paths.py --data DIR [--millions 10] [--json FILE]

Takes the triples of DIR/kg_zh, draws pairs of sets of ten entities (seeded), and finds all simple
paths of up to three entities between them: with networkx's all_simple_edge_paths and rustworkx's
all_simple_paths, one call a source with all targets at once (their quickest ways), and with Osler,
path objects included. Results are compared for equality, nothing is cut. Each draw is a repeat and
is asked once: what was asked before is no measure of a new question. Then a synthetic graph is
built to measure memory.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from beside import Comparison, Cost, Result, attempt, json_option, ratios, show, write
from osler.files.source import Source
from osler.kinds import Path as Walk
from osler.kinds import Triple
from osler.kinds.graph import Step
from osler.knowledge.graph import Graph
from osler.knowledge.paths import paths, paths_many
from osler.knowledge.readers.triples import Triples

Pairs = list[tuple[list[str], list[str]]]


def with_networkx(triples: list[Triple]) -> Callable[[list[str], list[str]], list[Any]]:
    import networkx

    graph = networkx.MultiGraph()
    graph.add_edges_from((t.head, t.tail, (t.head, t.relation, t.tail)) for t in triples)

    def find(sources: list[str], targets: list[str]) -> list[Any]:
        return [
            walk
            for start in sources
            for walk in networkx.all_simple_edge_paths(graph, start, set(targets), cutoff=2)
            if walk
        ]

    return find


def with_rustworkx(triples: list[Triple]) -> Callable[[list[str], list[str]], list[Any]]:
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=True)
    ids = sorted({end for t in triples for end in (t.head, t.tail)})
    numbers = dict(zip(ids, graph.add_nodes_from(ids), strict=True))
    # A triple that is said twice is one edge, as it is for the others.
    graph.add_edges_from(
        [(numbers[h], numbers[t], r) for h, r, t in {(t.head, t.relation, t.tail) for t in triples}]
    )

    def find(sources: list[str], targets: list[str]) -> list[Any]:
        ends = {numbers[target] for target in targets}
        return [
            [graph[node] for node in walk]
            for start in sources
            for walk in rustworkx.all_simple_paths(
                graph, numbers[start], ends - {numbers[start]}, cutoff=2
            )
        ]

    return find


def measured(find: Callable[[], Any], cost: Cost) -> Any:
    wall, cpu = time.perf_counter(), time.process_time()
    found = find()
    cost.cpu.append(time.process_time() - cpu)
    cost.wall.append(time.perf_counter() - wall)
    return found


def beside(graph: Graph, drawn: Pairs, peers: dict[str, Callable[..., list[Any]]]) -> dict:
    """The costs of each, after the results were held against each other."""
    costs = {name: Cost(cpu=[], wall=[]) for name in ("osler", *peers)}
    for sources, targets in drawn:
        ours = Counter(
            measured(
                lambda s=sources, t=targets: paths(graph, s, t, 3, hub=None, limit=None).paths,
                costs["osler"],
            )
        )
        for name, find in peers.items():
            walks = measured(lambda f=find, s=sources, t=targets: f(s, t), costs[name])
            if name == "networkx":
                same = ours == Counter(
                    Walk(walk[0][0], tuple(Step(key[1], to, key[0] != a) for a, to, key in walk))
                    for walk in walks
                )
            else:
                found = Counter(walk.entities for walk in ours.elements())
                same = found == Counter(map(tuple, walks))
            if not same:
                raise SystemExit(f"Osler and {name} do not find the same paths")
    return costs


def compare(data: Path, rounds: int) -> list[Comparison]:
    source = Source(data / "kg_zh" / "triples.tsv.gz")
    triples = [item for item in Triples().read(source) if isinstance(item, Triple)]
    graph = Graph.build([], triples)
    print(f"{len(triples):,} triples, {len(graph):,} entities, {graph.nbytes / 1e6:.1f} MB")
    missing: dict[str, str] = {}
    peers = {
        name: found
        for name, build in (("networkx", with_networkx), ("rustworkx", with_rustworkx))
        if (found := attempt(missing, name, lambda b=build: b(triples)))
    }
    rng = random.Random(7)
    pools = {"diseases": sorted({t.head for t in triples}), "any entities": list(graph.ids)}
    rows = []
    everything: Pairs = []
    for where, pool in pools.items():
        drawn = [(rng.sample(pool, 10), rng.sample(pool, 10)) for _ in range(rounds)]
        everything += drawn
        paths(graph, *drawn[0], 3, hub=None, limit=None)
        rows.append(
            Comparison(
                name=f"paths-{where.split()[0]}",
                title=f"Paths between {where}",
                task=f"all simple paths of up to three entities between two sets of ten, "
                f"{len(triples):,} triples",
                unit="a pair of sets",
                costs=beside(graph, drawn[1:], peers),
                notes={
                    "osler": "paths with relations and directions",
                    "networkx": "edges with keys",
                    "rustworkx": "nodes only, no relations",
                },
                missing=missing,
            )
        )
        show(rows[-1])
    begun = time.process_time()
    asked = [(s[:3], t[:3]) for s, t in everything] * (2000 // len(everything))
    many = paths_many(graph, asked, 3, hub=3000)
    took = time.process_time() - begun
    total = sum(map(len, many))
    print(f"paths_many: {len(many):,} pairs of sets of 3 in {took:.2f} s, {total:,} paths")
    return rows


def memory(millions: float) -> bool:
    count = int(millions * 1e6)
    entities = max(10, count // 20)

    def synthetic() -> Iterator[Triple]:
        rng = random.Random(1)
        relations = [f"relation {n}" for n in range(30)]
        for _ in range(count):
            # A square root of uniform numbers: some entities have many edges, most few.
            head, tail = (int(entities * rng.random() ** 2) for _ in range(2))
            yield Triple(f"X:{head}", relations[int(rng.random() * 30)], f"X:{tail}")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    begun = time.process_time()
    graph = Graph.build([], synthetic())
    took = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{count:,} triples, {graph.edges:,} edges, {len(graph):,} entities in {took:.0f} s")
    print(
        f"arrays {graph.nbytes / 1e6:.0f} MB; peak of building {peak:.2f} GB (before {before:.2f})"
    )
    with tempfile.TemporaryDirectory() as folder:
        graph.save(Path(folder) / "graph")
        del graph
        begun = time.perf_counter()
        graph = Graph.load(Path(folder) / "graph", check=False)
        opened = time.perf_counter() - begun
        begun = time.perf_counter()
        found = paths(graph, ["X:1000"], ["X:2000"], 4)
        print(f"opened in {opened * 1e3:.0f} ms; {len(found):,} paths of up to 4 entities in "
              f"{(time.perf_counter() - begun) * 1e3:.0f} ms")  # fmt: skip
    ok = peak < 1.0
    print("bar (under 1 GB, building included):", "held" if ok else "missed")
    return ok


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--millions", type=float, default=10.0)
    json_option(parser)
    given = parser.parse_args()
    # Memory first: a peak never falls again.
    fine = memory(given.millions) if given.millions else True
    if given.data:
        rows = compare(given.data, given.rounds)
        if "networkx" in rows[0].costs:
            held = ratios(rows[0])["networkx"].median >= 500
            print("bar (500 times networkx, between diseases):", "held" if held else "missed")
            fine = held and fine
        write(
            Result(
                name="paths",
                comparisons=rows,
            ),
            given.json,
        )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
