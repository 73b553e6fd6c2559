"""A library on Milvus beside the same library on the embedded engine: quality and time.

    python benchmarks/milvus.py LIBRARY QUERIES.jsonl QRELS.tsv [--uri URI] [--queries 100]
                                [--title NAME] [--json FILE]

The library's truth is copied and given to Milvus (Milvus Lite unless an address is named), which
is then filled from it; vectors come out of the library's cache. Printed for each method: nDCG@10 on
both, the difference, the share of queries whose first ten are the same, and the median time of a
search as a ratio to the embedded engine's in the same run.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from beside import Result, Table, json_option, write
from osler import Library
from osler.measures.retrieval import evaluate
from osler.measures.trec import read_qrels, read_queries
from osler.store.engines import new_card
from osler.store.layout import Layout

METHODS = ("words", "vectors", "hybrid", "concepts")
BAR = 0.005
TIMED = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("--uri", help="a server's address; a file of Milvus Lite without it")
    parser.add_argument("--collection", default="osler_benchmark")
    parser.add_argument("--queries", type=int, default=0, dest="most", help="how many; 0 takes all")
    parser.add_argument("--title", help="the set's name; the library's without it")
    json_option(parser)
    options = parser.parse_args()
    qrels = read_qrels(options.qrels)
    queries = {id: text for id, text in read_queries(options.queries).items() if id in qrels}
    if options.most:
        queries = dict(list(queries.items())[: options.most])
        qrels = {id: qrels[id] for id in queries}
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        copy = on_milvus(options.library, Path(folder) / "copy", options.uri, options.collection)
        with Library.open(options.library) as one, Library.open(copy) as other:
            words = time.perf_counter() - start
            other.embed()
            vectors = time.perf_counter() - start - words
            print(
                f"{len(one):,} documents; into Milvus: words {len(one) / words:,.0f} documents/s, "
                f"vectors from the cache {len(one) / max(vectors, 1e-9):,.0f}/s"
            )
            facts = {
                "words into Milvus, documents/s": len(one) / words,
                "vectors into Milvus, documents/s": len(one) / max(vectors, 1e-9),
            }
            rows, found = report(one, other, queries, qrels)
            if options.uri:
                other.engine.erase()
            title = options.title or options.library.name
            table = Table(
                title=f"{title}: {len(one):,} papers, {len(queries)} queries, Milvus Lite"
                if not options.uri
                else f"{title}: {len(one):,} papers, {len(queries)} queries, a server",
                head=[
                    "method",
                    "nDCG@10 embedded",
                    "nDCG@10 Milvus",
                    "difference",
                    "same first ten",
                    "ms embedded",
                    "ms Milvus",
                    "time, times embedded",
                ],
                rows=rows,
            )
            write(
                Result(
                    name=f"milvus-{title}",
                    tables=[table],
                    facts=facts | found,
                ),
                options.json,
            )


def on_milvus(library: Path, copy: Path, uri: str | None, collection: str) -> Path:
    """The same truth, cache and knowledge under another engine."""
    copy.mkdir(parents=True)
    for name in ("truth.sqlite", "vectors.sqlite"):
        shutil.copy(library / name, copy / name)
    layout = Layout(copy)
    if (library / "derived" / "knowledge").exists():
        shutil.copytree(library / "derived" / "knowledge", layout.knowledge)
    layout.write_card(engine=new_card(layout, "milvus", uri=uri, collection=collection))
    return copy


def report(
    one: Library,
    other: Library,
    queries: dict[str, str],
    qrels: dict[str, dict[str, int]],
) -> tuple[list[list[str]], dict[str, float]]:
    rows, facts = [], {}
    print(
        f"{'method':10} {'embedded':>9} {'Milvus':>9} {'difference':>11} {'same ten':>9} "
        f"{'ms':>7} {'Milvus ms':>10} {'ratio':>6}"
    )
    for method in METHODS:
        (left, slow), (right, slower) = (run(library, queries, method) for library in (one, other))
        scores = [evaluate(qrels, r, ("nDCG@10",))["nDCG@10"] for r in (left, right)]
        same = statistics.mean(first(left[id]) == first(right[id]) for id in queries)
        cells = [f"{scores[0]:.4f}", f"{scores[1]:.4f}", f"{scores[1] - scores[0]:+.4f}"]
        cells += [f"{same:.1%}", f"{slow:.1f}", f"{slower:.1f}", f"{slower / slow:.1f}"]
        rows.append([method, *cells])
        facts[f"{method} difference"] = scores[1] - scores[0]
        facts[f"{method} ms"], facts[f"{method} Milvus ms"] = slow, slower
        widths = (9, 9, 11, 9, 7, 10, 6)
        shown = " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        print(f"{method:10} {shown}", flush=True)
    worst = max(abs(facts[f"{method} difference"]) for method in METHODS)
    print(f"bar (nDCG@10 within {BAR}):", "held" if worst <= BAR else "missed")
    return rows, facts


def run(library: Library, queries: dict[str, str], method: str) -> tuple[dict, float]:
    """A run, and the median milliseconds of its searches after the first round has warmed up."""
    found = library.search_many(queries, k=100, method=method)
    times = []
    for text in list(queries.values())[:TIMED]:
        start = time.perf_counter()
        library.search_many({"": text}, k=100, method=method)
        times.append(1000 * (time.perf_counter() - start))
    return found, statistics.median(times)


def first(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda id: (-scores[id], id))[:10]


if __name__ == "__main__":
    main()
