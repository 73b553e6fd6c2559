"""Search quality of one library, method by method and beside the peers, with significance.

    python benchmarks/search_quality.py LIBRARY QUERIES.jsonl QRELS.tsv [--title NAME]
                                        [--without-each-part] [--peers] [--json FILE]

The library must hold vectors and, for the concept methods, a terminology. Quality is nDCG@10 with a
95 % interval, its difference from plain hybrid search and the paired bootstrap's p-value (Holm over
the table); time is the median of whole searches (reasons and evidence included), as a ratio to
search by words in the same run, since a machine's own pace says little. ``--peers`` gives the same
papers to bare tantivy, bm25s, LanceDB, Lucene and txtai, as they come.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from beside import Result, Table, attempt, json_option, write
from osler import Library
from osler.measures.comparison import compare
from osler.measures.trec import read_qrels, read_queries
from osler.search import SearchRanker, rankers
from osler.search.concepts import PARTS, Concepts

METHODS = ("words", "vectors", "hybrid", "concepts-paper", "concepts", "concepts-learned")
TIMED = 60
DEPTH = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("--title", help="the set's name; the library's without it")
    parser.add_argument("--without-each-part", action="store_true", help="print the ablations")
    parser.add_argument("--peers", action="store_true", help="the peers on the same papers")
    json_option(parser)
    options = parser.parse_args()
    queries, qrels = read_queries(options.queries), read_qrels(options.qrels)
    title = options.title or options.library.name
    methods: dict[str, SearchRanker] = {name: rankers.resolve(name) for name in METHODS}
    if options.without_each_part:
        methods |= {f"concepts without {part}": Concepts(off=[part]) for part in PARTS}
    missing: dict[str, str] = {}
    with Library.open(options.library) as library:
        runs = {
            name: library.search_many(queries, k=DEPTH, method=ranker)
            for name, ranker in methods.items()
        }
        pace = {name: median(library, list(queries.values()), methods[name]) for name in METHODS}
        if options.peers:
            runs |= peers(library, queries, missing)
        size = len(library)
    table = compare(qrels, runs, ("nDCG@10",), base="hybrid")
    tests = {one.run: one for one in table.comparisons}
    print(f"{'method':34} {'nDCG@10':>8} {'over hybrid':>12} {'p':>7} {'ms':>7} {'x words':>8}")
    rows = []
    for name in runs:
        mean = table.means[name]["nDCG@10"]
        cells = [name, f"{mean.value:.4f}", f"{mean.low:.3f} to {mean.high:.3f}"]
        test = tests.get(name)
        cells += (
            [f"{test.difference.mean:+.4f}", f"{test.bootstrap_holm:.4f}"] if test else ["", ""]
        )
        cells += [f"{pace[name] / pace['words']:.1f}" if name in pace else ""]
        rows.append(cells)
        timed = f"{pace[name]:7.1f}" if name in pace else " " * 7
        print(f"{name:34} {cells[1]:>8} {cells[3]:>12} {cells[4]:>7} {timed} {cells[5]:>8}")
    for name, why in missing.items():
        rows.append([name, "missing", why, "", "", ""])
        print(f"{name} is missing: {why}")
    write(
        Result(
            name=f"quality-{title}",
            tables=[
                Table(
                    title=f"{title}: {size:,} papers, {len(qrels)} queries",
                    head=[
                        "method",
                        "nDCG@10",
                        "95 % interval",
                        "over hybrid",
                        "p (Holm)",
                        "time, times words",
                    ],
                    rows=rows,
                )
            ],
            facts={name: table.means[name]["nDCG@10"].value for name in runs},
        ),
        options.json,
    )


def median(library: Library, texts: list[str], ranker: SearchRanker) -> float:
    """Milliseconds of a whole search, after a few that warm what is loaded once."""
    for text in texts[:5]:
        library.search(text, method=ranker, plain=True)
    times = []
    for text in texts[:TIMED]:
        start = time.perf_counter()
        library.search(text, method=ranker, plain=True)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def peers(
    library: Library, queries: dict[str, str], missing: dict[str, str]
) -> dict[str, dict[str, dict[str, float]]]:
    """A run of each peer over the library's papers."""
    from engines import PEERS
    from whole_search import txtai

    papers = list(library.documents())
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, build in PEERS.items():
            place = Path(folder) / name.split()[0]
            place.mkdir()

            def run(build=build, place=place) -> dict[str, dict[str, float]]:
                search = build(papers, place)
                return {
                    query: {id: score for id, _, score in search(text, DEPTH)}
                    for query, text in queries.items()
                }

            if (scored := attempt(missing, name, run)) is not None:
                found[f"{name}, words"] = scored

        def hybrid() -> dict[str, dict[str, float]]:
            search = txtai(library)
            # txtai gives an order; a falling score says the same to the measures.
            return {
                query: {id: 1.0 / place for place, id in enumerate(search(text, DEPTH), 1)}
                for query, text in queries.items()
            }

        if (scored := attempt(missing, "txtai", hybrid)) is not None:
            found["txtai, hybrid"] = scored
    return found


if __name__ == "__main__":
    main()
