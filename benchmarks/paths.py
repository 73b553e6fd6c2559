"""Paths: Osler beside networkx on a real graph, and ten million triples in memory.

    python benchmarks/paths.py --data DIR [--millions 10]

Takes the triples of DIR/kg_zh, draws pairs of sets of ten entities (seeded), and finds all simple
paths of up to three entities between them: with networkx's all_simple_edge_paths, one call a source
with all targets at once (its quickest way), and with Osler, path objects included. Results are
compared for equality, nothing is cut. Then a synthetic graph is built to measure memory.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import networkx

from osler.files.source import Source
from osler.kinds import Path as Walk
from osler.kinds import Triple
from osler.kinds.graph import Step
from osler.knowledge.graph import Graph
from osler.knowledge.paths import paths, paths_many
from osler.knowledge.readers.triples import Triples


def compare(data: Path, rounds: int) -> bool:
    source = Source(data / "kg_zh" / "triples.tsv.gz")
    triples = [item for item in Triples().read(source) if isinstance(item, Triple)]
    graph = Graph.build([], triples)
    peer = networkx.MultiGraph()
    peer.add_edges_from((t.head, t.tail, (t.head, t.relation, t.tail)) for t in triples)
    print(f"{len(triples):,} triples, {len(graph):,} entities, {graph.nbytes / 1e6:.1f} MB")
    rng = random.Random(7)
    diseases = sorted({t.head for t in triples})
    everything = list(graph.ids)
    drawn = [
        (rng.sample(pool, 10), rng.sample(pool, 10))
        for pool in (diseases, everything)
        for _ in range(rounds)
    ]
    paths(graph, *drawn[0], 3, hub=None, limit=None)
    ratios = []
    for sources, targets in drawn:
        begun = time.process_time()
        walks = [
            walk
            for start in sources
            for walk in networkx.all_simple_edge_paths(peer, start, set(targets), cutoff=2)
        ]
        slow = time.process_time() - begun
        reference = Counter(
            Walk(walk[0][0], tuple(Step(key[1], to, key[0] != a) for a, to, key in walk))
            for walk in walks
            if walk
        )
        # Once: a query that was asked before is no measure of a new one.
        begun = time.process_time()
        found = paths(graph, sources, targets, 3, hub=None, limit=None).paths
        quick = time.process_time() - begun
        assert Counter(found) == reference, "the two do not agree"
        ratios.append(slow / quick)
        shown = f"{slow * 1e3:9.1f} ms  {quick * 1e3:7.2f} ms  x {slow / quick:,.0f}"
        print(f"{len(found):5} paths: {shown}")
    halves = (statistics.median(ratios[:rounds]), statistics.median(ratios[rounds:]))
    print(f"median ratio: {halves[0]:,.0f} between diseases, {halves[1]:,.0f} between any entities")
    begun = time.process_time()
    many = paths_many(graph, [(s[:3], t[:3]) for s, t in drawn] * (2000 // len(drawn)), 3, hub=3000)
    took = time.process_time() - begun
    total = sum(map(len, many))
    print(f"paths_many: {len(many):,} pairs of sets of 3 in {took:.2f} s, {total:,} paths")
    ok = halves[0] >= 500
    print("bar (500 times, between diseases):", "held" if ok else "missed")
    return ok


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
    given = parser.parse_args()
    # Memory first: a peak never falls again.
    fine = memory(given.millions) if given.millions else True
    if given.data:
        fine = compare(given.data, given.rounds) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
