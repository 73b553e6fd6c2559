"""Golden runs: nDCG@10 of the search rankers on two collections, to hold before and after a change.

    python benchmarks/golden.py --data DIR --out DIR [--against before.json]

The library of each collection (documents, vectors, MeSH) is built below ``--out`` the first time
and used again afterwards, so that what changes between two runs is the code. Where a collection has
training questions, ``concepts`` is measured once more in a copy of its library that holds their
judgements (``--no-judged`` leaves that out). The encoder is the one that ships. The gain of
``concepts`` over ``hybrid`` is told with its p (paired randomisation over questions), and what of
it the feedback brings and what the terminology. The numbers go to ``--out``/golden.json;
``--against`` prints the difference to an earlier file and leaves with 1 where a number fell.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from pathlib import Path

from osler import Library
from osler.measures.retrieval import aggregate, per_query
from osler.measures.significance import randomisation
from osler.measures.trec import read_qrels, read_queries
from osler.search import SearchRanker
from osler.search.concepts import Concepts

COLLECTIONS = ("nfcorpus", "cystic_fibrosis")
METHODS = ("words", "hybrid", "concepts without terminology", "concepts")
TERMINOLOGY = ("synonyms", "concepts", "concept feedback")
"""The parts of the concept search that draw on the terminology; the others are feedback."""
MEASURE = "nDCG@10"
GAINS = (("concepts", "hybrid"), (METHODS[2], "hybrid"), ("concepts", METHODS[2]))
JUDGED = "judged"
"""The row of the concept search that knows the judgements of the training questions."""
TRAINING = "queries.train.jsonl"
DEPTH = 1_000
SLACK = 5e-5
"""Half a unit of the fourth decimal: what a reader of the table cannot see is no fall."""


def open_library(name: str, data: Path, place: Path) -> Library:
    """The collection's library with vectors and MeSH, built on the first call."""
    if place.exists():
        return Library.open(place)
    library = Library.create(place)
    library.add([data / name / "corpus.jsonl.gz"])
    library.embed()
    library.add([data / "mesh" / "descriptors.tsv.gz"], format="mesh")
    return library


def measured(name: str, data: Path, out: Path, methods: list[str]) -> dict[str, float]:
    """nDCG@10 by method."""
    queries = read_queries(data / name / "queries.jsonl")
    judged = read_qrels(data / name / "qrels.tsv")
    numbers = {}
    by_question: dict[str, list[float]] = {}
    for method in methods:
        opened = judged_library if method == JUDGED else open_library
        with opened(name, data, out / name) as library:
            started = time.perf_counter()
            run = library.search_many(queries, k=DEPTH, method=ranker(method))
            each = per_query(judged, run, [MEASURE])[MEASURE]
            numbers[f"{name} {method}"] = aggregate(MEASURE, each)
            by_question[method] = [each[id] for id in sorted(each)]
            took = time.perf_counter() - started
        print(f"{name:16} {method:28} {numbers[f'{name} {method}']:.4f}  {took:.0f} s", flush=True)
    for better, worse in GAINS:
        if better in by_question and worse in by_question:
            test = randomisation(by_question[better], by_question[worse])
            told = f"{name:16} {better} over {worse}: {test.statistic:+.4f}, p {test.p:.4f}"
            print(told, flush=True)
    return numbers


def ranker(method: str) -> str | SearchRanker:
    if method == METHODS[2]:
        return Concepts(off=TERMINOLOGY)
    return "concepts" if method == JUDGED else method


def judged_library(name: str, data: Path, place: Path) -> Library:
    """The same library with the judgements of the training questions, in a copy of its own."""
    copy = place.with_name(f"{name}-{JUDGED}")
    if copy.exists():
        return Library.open(copy)
    open_library(name, data, place).close()
    shutil.copytree(place, copy)
    library = Library.open(copy)
    folder = data / name
    library.judge(read_qrels(folder / "qrels.train.tsv.gz"), read_queries(folder / TRAINING))
    return library


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--collection", action="append", choices=COLLECTIONS)
    parser.add_argument("--method", action="append")
    parser.add_argument("--judged", action=argparse.BooleanOptionalAction, default=True)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    numbers: dict[str, float] = {}
    for name in asked.collection or COLLECTIONS:
        methods = asked.method or list(METHODS)
        if asked.judged and not asked.method and (asked.data / name / TRAINING).exists():
            methods.append(JUDGED)
        numbers |= measured(name, asked.data, asked.out, methods)
        (asked.out / "golden.json").write_text(json.dumps(numbers, indent=1) + "\n")
    if asked.against is None:
        return 0
    before = json.loads(asked.against.read_text())
    fell = 0
    for key, value in numbers.items():
        change = value - before.get(key, value)
        fell += change < -SLACK
        print(f"{key:28} {before.get(key, float('nan')):.4f} -> {value:.4f} {change:+.4f}")
    return 1 if fell else 0


if __name__ == "__main__":
    sys.exit(main())
