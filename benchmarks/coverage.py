"""Search while vectors are being made: nDCG@10 with vectors for some of the papers.

    python benchmarks/coverage.py LIBRARY QUERIES.jsonl QRELS.tsv [--shares 0.05,0.3,0.6,1]

Works on a copy of the library, whose vectors must all have been made: the index is emptied and
filled again out of the library's own cache, in the order in which `osler embed` takes papers. The
bar: neither hybrid search nor the concept search falls below words alone, at any share.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from osler import Library
from osler.measures.retrieval import evaluate
from osler.measures.trec import read_qrels, read_queries
from osler.store import embedding

# As finely as the shares are asked for.
embedding.CHUNK = 16

METHODS = ("hybrid", "concepts")
MEASURE = "nDCG@10"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("--shares", default="0.05,0.3,0.6,1")
    parser.add_argument("--every", type=int, default=1, help="take every n-th query")
    options = parser.parse_args()
    asked, qrels = read_queries(options.queries), read_qrels(options.qrels)
    judged = [id for id in asked if id in qrels][:: options.every]
    queries, wanted = {id: asked[id] for id in judged}, {id: qrels[id] for id in judged}
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "library"
        shutil.copytree(options.library, copy)

        def measured(library: Library, method: str) -> float:
            run = library.search_many(queries, k=10, method=method)
            return float(evaluate(wanted, run, (MEASURE,))[MEASURE])

        with Library.open(copy) as library:
            words = measured(library, "words")
        print(f"{len(judged)} queries; words alone {words:.4f}")
        print(f"{'papers with a vector':22} " + " ".join(f"{name:>18}" for name in METHODS))
        held = True
        for share in map(float, options.shares.split(",")):
            shutil.rmtree(copy / "derived" / "vectors", ignore_errors=True)
            with Library.open(copy) as library:
                library.embed(limit=round(share * len(library)))
                coverage = library.coverage()
                found = [measured(library, name) for name in METHODS]
            held = held and min(found) >= words
            told = " ".join(f"{value:9.4f} {value - words:+8.4f}" for value in found)
            print(f"{coverage.done:8,} {100 * coverage.share:11.0f} % {told}", flush=True)
    print("never below words alone" if held else "below words alone")
    raise SystemExit(0 if held else 1)


if __name__ == "__main__":
    main()
