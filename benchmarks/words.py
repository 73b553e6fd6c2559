"""A words query in a library of 50,000 citations, beside bare tantivy, bm25s, LanceDB and Lucene;
what importing and a cold command cost.

    python benchmarks/words.py [--library FOLDER] [--documents 0] [--peers NAME...] [--json FILE]

All index titles, abstracts and keywords of the same papers and answer the same ten questions with
ids and titles of the best ten. Osler is the whole library: the query language, the truth's
snapshot, the document's record for each hit, reasons for its score.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from beside import (
    Comparison,
    Cost,
    Result,
    Table,
    attempt,
    json_option,
    ratio,
    seconds,
    show,
    turns,
    write,
)
from engines import PEERS, Found, Search
from osler import Document, Library
from osler.fetch import fetch
from osler.files.reader import recognise
from osler.files.source import Source

QUERIES = (
    "vitamin D deficiency",
    "asthma in children",
    "breast cancer screening",
    "statins and muscle pain",
    "heart failure treatment",
    "COVID-19 vaccine side effects",
    "insulin resistance in obesity",
    "antibiotic resistance of staphylococcus aureus",
    "depression in older adults",
    "renal function after transplantation",
)
K = 10
LOOPS = 5
BY_SIZE = "Osler and bare tantivy by size: a part of Osler's time does not grow"
BY_SIZE_HEAD = ["citations", "osler, processor time", "tantivy", "Osler's speed in tantivy's own"]
REASON = (
    "a hit of Osler's is held to the truth at the query's sequence number, comes as a whole record "
    "out of SQLite, carries the parts of its score, and a query may hold fields, phrases and NOT; "
    "bare tantivy gives back a stored title"
)


def build(folder: Path, documents: int) -> Library:
    """Both files of the sample whole, or the first citations of the newer one."""
    library = Library.create(folder)
    files = [fetch("pubmed-sample") / f"pubmed{name}.xml.gz" for name in ("21n1298", "20n0014")]
    if documents:
        source = Source(files[0])
        papers = (item for item in recognise(source).read(source) if isinstance(item, Document))
        library.add_documents(islice(papers, documents))
    else:
        library.add(files)
    return library


def command(*arguments: str, repeats: int = 7) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def by_size(sizes: Sequence[int], rounds: int) -> list[list[str]]:
    """Osler and bare tantivy on smaller collections: what does not grow weighs more there."""
    rows = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as temporary:
            library = build(Path(temporary) / "library", size)
            place = Path(temporary) / "tantivy"
            place.mkdir()
            peer = PEERS["tantivy"](list(library.documents()), place)
            work = {"osler": all_of(ours(library)), "tantivy": all_of(peer)}
            for ask in work.values():
                ask()
            rows.append(size_row(len(library), turns(work, rounds, per=LOOPS * len(QUERIES))))
            library.close()
    return rows


def size_row(documents: int, costs: Mapping[str, Cost]) -> list[str]:
    own, peer = (statistics.median(costs[name].cpu) for name in ("osler", "tantivy"))
    found = ratio(costs["tantivy"].cpu, costs["osler"].cpu)
    return [f"{documents:,}", seconds(own), seconds(peer), str(found)]


def ours(library: Library) -> Search:
    def search(text: str, k: int) -> Found:
        return [
            (hit.id, hit.title, hit.score)
            for hit in library.search(text, k=k, method="words", evidence=False)
        ]

    return search


def all_of(search: Search) -> Callable[[], None]:
    def work() -> None:
        for _ in range(LOOPS):
            for text in QUERIES:
                search(text, K)

    return work


def starts(library: Path) -> dict[str, float]:
    """What a user waits for before anything happens, by the clock."""
    importing = command("-c", "import osler") - command("-c", "pass")
    cold = command("-m", "osler.cli.main", "search", str(library), QUERIES[0], "--method", "words")
    print(f"import osler: {importing:.3f} s (bar: under 0.2)")
    print(f"osler search, cold, words: {cold:.3f} s (bar: under 0.8)")
    return {"import osler s": importing, "cold words search s": cold}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path)
    parser.add_argument(
        "--documents", type=int, default=0, help="how many, where no library is given; 0 takes all"
    )
    parser.add_argument("--peers", nargs="*", choices=list(PEERS), help="these alone, no starts")
    parser.add_argument("--smaller", type=int, nargs="*", default=[2_000, 8_000], help="sizes")
    parser.add_argument("--rounds", type=int, default=9)
    json_option(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.library or Path(temporary) / "library"
        library = Library.open(folder) if folder.exists() else build(folder, given.documents)
        papers = list(library.documents())

        searches: dict[str, Search] = {"osler": ours(library)}
        missing: dict[str, str] = {}
        for name, make in PEERS.items():
            if given.peers and name not in given.peers:
                missing[name] = "left out of this run (--peers)"
                continue
            place = Path(temporary) / name.split()[0]
            place.mkdir()
            begun = time.process_time()
            found = attempt(missing, name, lambda m=make, p=place: m(papers, p))
            if found is not None:
                searches[name] = found
                print(f"{name}: indexed in {time.process_time() - begun:.1f} s", flush=True)

        work = {name: all_of(search) for name, search in searches.items()}
        for name in list(work):
            # Once before it counts; a peer that fails here is missing, not the end of the run.
            if attempt(missing, name, lambda n=name: work[n]() or True) is None and name != "osler":
                del work[name]
        row = Comparison(
            name="words",
            title="Words",
            task=f"{len(QUERIES)} questions to {len(papers):,} citations, the best {K} with titles",
            unit="a query",
            costs=turns(work, given.rounds, per=LOOPS * len(QUERIES)),
            notes={
                "osler": "query language, snapshot of the truth, whole records, parts of the score",
                "tantivy": "the engine that Osler builds on: three stored fields, nothing else",
                "bm25s": "all in memory; no filter, no deletion, no change without a new index",
                "LanceDB": "one column, its own full-text index",
                "Lucene (Pyserini)": "one field, Java called from Python",
            },
            missing=missing,
            reason=REASON,
        )
        show(row)
        facts: dict[str, float] = {}
        if not given.peers:
            facts = starts(folder)
        tables = []
        if "tantivy" in row.costs:
            rows = by_size(given.smaller, given.rounds)
            rows.append(size_row(len(papers), row.costs))
            tables.append(Table(title=BY_SIZE, head=BY_SIZE_HEAD, rows=rows))
            for line in rows:
                print("  ".join(line))
        write(
            Result(name="words", comparisons=[row], tables=tables, facts=facts),
            given.json,
        )


if __name__ == "__main__":
    main()
