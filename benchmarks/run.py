"""Every comparison, one after the other, each with its results in a file; then the page.

    python benchmarks/run.py [--data DIR] [--out out/bench] [--results benchmarks/results]
                             [--only NAME...] [--quick]

What needs data sets (DIR) is left out without them, and says so: its results stay as they are. A
benchmark that fails is named at the end and stops no other. Logs, and the libraries of the quality
tables, which are made once and used again, stand under the output folder.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from osler import Library
from osler.fetch import fetch

HERE = Path(__file__).parent
SETS = ("nfcorpus", "cystic_fibrosis")


@dataclass(frozen=True)
class Step:
    """One call of a script. DATA and LIBRARIES in its arguments are put in place of the folders."""

    name: str
    arguments: tuple[str, ...]
    quick: tuple[str, ...] = ()
    # Those without peers print to their log only.
    results: bool = True

    @property
    def data(self) -> bool:
        return any("DATA" in argument for argument in self.arguments)


def on_sets(script: str, *more: str) -> list[Step]:
    return [
        Step(
            f"{script.split('_')[-1].removesuffix('.py')}-{name}",
            (
                script,
                f"LIBRARIES/{name}",
                f"DATA/{name}/queries.jsonl",
                f"DATA/{name}/qrels.tsv",
                "--title",
                name,
                *more,
            ),
        )
        for name in SETS
    ]


STEPS = [
    Step("reading", ("reading.py",), ("--citations", "1000", "--rounds", "2")),
    Step("adding", ("adding.py",), ("--rounds", "1")),
    Step("words", ("words.py",), ("--documents", "1000", "--smaller", "300", "--rounds", "3")),
    Step("encoding", ("encoding.py", "--texts", "200"), ("--texts", "40")),
    Step("linking", ("linking.py",), ("--megabytes", "0.2", "--rounds", "2")),
    Step("paths", ("paths.py", "--data", "DATA", "--millions", "0"), ("--rounds", "3")),
    Step(
        "graph_embeddings",
        ("graph_embeddings.py", "--data", "DATA"),
        ("--epochs", "3", "--tested", "100"),
    ),
    Step(
        "whole",
        ("whole_search.py", "--documents", "3000"),
        ("--documents", "300", "--rounds", "2"),
    ),
    *on_sets("search_quality.py", "--peers"),
    *on_sets("milvus.py"),
    Step("bulk", ("bulk.py",), ("--documents", "200")),
    Step(
        "growth",
        ("growth.py",),
        ("--documents", "500", "1000", "--triples", "1000", "10000"),
    ),
    Step("rank", ("rank.py",), results=False),
    Step("ask", ("ask.py",), results=False),
    Step("match", ("match.py", "--data", "DATA"), results=False),
]


def library(place: Path, data: Path) -> None:
    """A set's papers with vectors and MeSH."""
    with Library.open(place) if place.exists() else Library.create(place) as made:
        made.add([data / place.name / "corpus.jsonl.gz", data / "mesh" / "descriptors.tsv.gz"])
        made.embed()


def run(step: Step, given: argparse.Namespace) -> bool:
    places = {"DATA": str(given.data), "LIBRARIES": str(given.out / "libraries")}
    arguments = [*step.arguments, *(step.quick if given.quick else ())]
    for word, place in places.items():
        arguments = [argument.replace(word, place) for argument in arguments]
    begun = time.perf_counter()
    log = given.out / f"{step.name}.log"
    command = [sys.executable, str(HERE / arguments[0]), *arguments[1:]]
    if step.results:
        command += ["--json", str(given.results / f"{step.name}.json")]
    with log.open("w", encoding="utf-8") as written:
        done = subprocess.run(command, stdout=written, stderr=subprocess.STDOUT)
    took = time.perf_counter() - begun
    state = "done" if not done.returncode else f"ended with code {done.returncode}, see {log}"
    print(f"{step.name}: {state}, {took:.0f} s", flush=True)
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="the folder that holds the data sets")
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--only", nargs="*", choices=[step.name for step in STEPS])
    parser.add_argument("--quick", action="store_true", help="small sizes: to see that all runs")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name in ("pubmed-sample", "mesh", "hpo", "minilm"):
        fetch(name)
    failed = []
    for step in STEPS:
        if given.only and step.name not in given.only:
            continue
        if step.data and not (given.data and given.data.is_dir()):
            print(f"{step.name}: left out, needs data sets (--data DIR)")
            continue
        if any("LIBRARIES" in argument for argument in step.arguments):
            library(given.out / "libraries" / step.arguments[1].rpartition("/")[2], given.data)
        if not run(step, given):
            failed.append(step.name)
    if failed:
        print("not whole:", ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
