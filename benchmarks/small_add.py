"""A small ``add`` to a large linked library: five papers at a time.

    python benchmarks/small_add.py [--documents 20000] [--rounds 9]

Documents are real citations (osler fetch pubmed-sample), linked to MeSH (osler fetch mesh). Printed
are the processor's time and the clock's of an ``add`` of five (committed, words indexed, linked,
postings of concepts brought up to date), and, in the same run and as its peer, the processor's time
to make the postings again with nothing in hand, as every such ``add`` once did.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path

from growth import citations
from osler import Library
from osler.fetch import fetched
from osler.retrieve.concepts import ConceptIndex

AT_ONCE = 5
BATCH = 2_000


def filled(folder: Path, count: int) -> tuple[Library, list[list[object]]]:
    """A linked library of ``count`` citations, and the next ones by five."""
    library = Library.create(folder)
    papers = citations()
    left = count
    while left > 0 and (batch := list(islice(papers, min(BATCH, left)))):
        library.add_documents(batch)
        left -= len(batch)
    library.add(sorted(fetched("mesh").glob("*.tsv")))
    later = [list(islice(papers, AT_ONCE)) for _ in range(100)]
    return library, [five for five in later if len(five) == AT_ONCE]


def anew(library: Library) -> float:
    """Processor seconds to make all postings of concepts again."""
    held = library.knowledge
    start = time.process_time()
    ConceptIndex.build(held.index.mentions, held.graph)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        library, later = filled(Path(temporary) / "library", given.documents)
        # The first one loads what the others have in hand.
        library.add_documents(later.pop(0))
        adding, clock, again = [], [], []
        for five in later[: given.rounds]:
            started, wall = time.process_time(), time.perf_counter()
            library.add_documents(five)
            adding.append(time.process_time() - started)
            clock.append(time.perf_counter() - wall)
            again.append(anew(library))
        print(f"{len(library):,} citations, {AT_ONCE} added at a time, {len(adding)} times")
        print(f"add: {1000 * statistics.median(adding):.0f} ms of processor (bar: under 300)")
        print(f"add: {1000 * statistics.median(clock):.0f} ms by the clock")
        print(f"all postings again: {1000 * statistics.median(again):.0f} ms of processor")
        shares = [b / a for a, b in zip(adding, again, strict=True)]
        low, high = min(shares), max(shares)
        print(f"times a whole add: {statistics.median(shares):.2f} ({low:.2f} to {high:.2f})")
        library.close()


if __name__ == "__main__":
    main()
