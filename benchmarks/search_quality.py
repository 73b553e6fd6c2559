"""Search quality and speed of one library, method by method, as differences and ratios.

    python benchmarks/search_quality.py LIBRARY QUERIES.jsonl QRELS.tsv [--without-each-part]

The library must hold vectors and, for the concept methods, a terminology. Quality is nDCG@10 with
its difference from plain hybrid search and the paired bootstrap's p-value (Holm over the table);
time is the median of whole searches (reasons and evidence included), as a ratio to search by words
in the same run, since a machine's own pace says little.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from osler import Library
from osler.measures.comparison import compare
from osler.measures.trec import read_qrels, read_queries
from osler.search import Ranker, rankers
from osler.search.concepts import PARTS, Concepts

METHODS = ("words", "vectors", "hybrid", "concepts-paper", "concepts", "concepts-learned")
TIMED = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("--without-each-part", action="store_true", help="print the ablations")
    options = parser.parse_args()
    queries, qrels = read_queries(options.queries), read_qrels(options.qrels)
    methods: dict[str, Ranker] = {name: rankers.resolve(name) for name in METHODS}
    if options.without_each_part:
        methods |= {f"concepts without {part}": Concepts(off=[part]) for part in PARTS}
    with Library.open(options.library) as library:
        runs = {
            name: library.search_many(queries, k=100, method=ranker)
            for name, ranker in methods.items()
        }
        pace = {name: median(library, list(queries.values()), methods[name]) for name in METHODS}
    table = compare(qrels, runs, ("nDCG@10",), base="hybrid")
    tests = {one.run: one for one in table.comparisons}
    print(f"{'method':34} {'nDCG@10':>8} {'over hybrid':>12} {'p':>7} {'ms':>7} {'x words':>8}")
    for name in runs:
        line = f"{name:34} {table.means[name]['nDCG@10'].value:8.4f}"
        test = tests.get(name)
        line += f" {test.difference.mean:+12.4f} {test.bootstrap_holm:7.4f}" if test else " " * 21
        if name in pace:
            line += f" {pace[name]:7.1f} {pace[name] / pace['words']:8.1f}"
        print(line)


def median(library: Library, texts: list[str], ranker: Ranker) -> float:
    """Milliseconds of a whole search, after a few that warm what is loaded once."""
    for text in texts[:5]:
        library.search(text, method=ranker, plain=True)
    times = []
    for text in texts[:TIMED]:
        start = time.perf_counter()
        library.search(text, method=ranker, plain=True)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


if __name__ == "__main__":
    main()
