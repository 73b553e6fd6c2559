"""One million citations on this machine: read, stored, indexed, linked and searched.

    python benchmarks/million.py [--sizes 20000 100000 300000 1000000] [--batch 20000]
                                 [--folder FOLDER] [--json FILE]

Citations are the 50,783 real ones of the two PubMed files (osler fetch pubmed-sample) and, after
these, variations of them: each gets a name of its own, and sentences of another citation of its
file in place of a third of its own, so that no two are the same paper while words and concepts are
as frequent as they were. They are added in batches to a library that holds MeSH (osler fetch mesh),
each batch indexed, linked and given the static table's vectors, as ``osler add`` does; vectors of a
larger encoder, which ``osler embed`` makes behind (``encoding.py`` says at what cost), are not.

Printed at each size, as it is reached: processor time of a citation added since the last size and
of one in all, the most memory so far, bytes on disk by part, and the processor's p50 of a question.
What is printed was measured; where a run is stopped, its last line is how far it got.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from msgspec import structs

from beside import Result, Table, json_option, write
from growth import QUESTIONS, citations, size
from osler import Document, Library
from osler.fetch import fetch
from osler.kinds import Section
from osler.text.sentences import sentences

SHARE = 1 / 3
"""Sentences of a variation that are another citation's."""
HEAD = [
    "citations",
    "added, each since the last line",
    "each in all",
    "most memory",
    "truth",
    "words",
    "concepts",
    "vectors",
    "words p50",
    "hybrid p50",
    "concepts p50",
]
METHODS = ("words", "hybrid", "concepts")


def spoken(document: Document) -> list[str]:
    return [document.abstract[low:high] for low, high in sentences(document.abstract)]


def varied(document: Document, other: list[str], turn: int, chosen: random.Random) -> Document:
    """A citation of another name, with sentences of another one among its own."""
    own = spoken(document)
    text = " ".join(
        chosen.choice(other) if other and chosen.random() < SHARE else sentence for sentence in own
    )
    name = f"{document.id}.{turn}"
    return structs.replace(
        document,
        id=name,
        ids={},
        title=f"{document.title} ({turn})",
        sections=(Section(text),) if text else (),
    )


def endless() -> Iterator[Document]:
    """The real citations, then variations of them, for as long as somebody asks."""
    yield from citations()
    chosen = random.Random(0)
    for turn in count(1):
        other: list[str] = []
        for document in citations():
            yield varied(document, other, turn, chosen)
            other = spoken(document) or other


def p50(library: Library, method: str, rounds: int) -> float:
    times: list[float] = []
    for turn in range(rounds):
        for question in QUESTIONS:
            begun = time.process_time()
            library.search(question, method=method)
            if turn:  # the first one opens what the others find open
                times.append(time.process_time() - begun)
    return statistics.median(times)


def megabytes(*paths: Path) -> str:
    total = sum(size(path) if path.is_dir() else path.stat().st_size for path in paths)
    return f"{total / 1e6:,.0f} MB"


def line(library: Library, spent: float, since: tuple[int, float], rounds: int) -> list[str]:
    """What is told of one size; ``since`` are the citations and the time of the line before."""
    held, derived = len(library), library.path / "derived"
    before, earlier = since
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return [
        f"{held:,}",
        f"{(spent - earlier) / max(1, held - before) * 1e3:.2f} ms",
        f"{spent / held * 1e3:.2f} ms",
        f"{peak:.2f} GB",
        megabytes(*library.path.glob("truth.sqlite*")),
        megabytes(derived / "words"),
        megabytes(derived / "knowledge"),
        megabytes(derived / "vectors"),
        *(f"{p50(library, method, rounds) * 1e3:.1f} ms" for method in METHODS),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=[20_000, 100_000, 300_000, 10**6])
    parser.add_argument("--batch", type=int, default=20_000, help="citations added together")
    parser.add_argument("--folder", type=Path, help="where the library is made, and left")
    parser.add_argument("--rounds", type=int, default=5)
    json_option(parser)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        library = Library.create((given.folder or Path(temporary)) / "library")
        library.add(sorted(fetch("mesh").glob("*.tsv")))
        papers, spent, since = endless(), 0.0, (0, 0.0)
        print(" | ".join(HEAD), flush=True)
        for wanted in sorted(given.sizes):
            while len(library) < wanted:
                batch = list(islice(papers, min(given.batch, wanted - len(library))))
                begun = time.process_time()
                library.add_documents(batch)
                spent += time.process_time() - begun
            rows.append(line(library, spent, since, given.rounds))
            since = (len(library), spent)
            print(" | ".join(rows[-1]), flush=True)
            table = Table(title="Citations added, linked and searched", head=HEAD, rows=rows)
            write(Result(name="million", tables=[table]), given.json)
        library.close()


if __name__ == "__main__":
    main()
