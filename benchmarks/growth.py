"""How time, memory and disk grow with documents and with triples.

    python benchmarks/growth.py [--documents 1000 10000 50000] [--triples 10000 100000 1000000]
                                [--json FILE]

Documents are real citations (the two PubMed files of osler fetch pubmed-sample), linked to MeSH
(osler fetch mesh). Triples are made: a graph of a few hubs and many leaves. Each size runs in a
process of its own, so that its peak of memory is its own. All times are the processor's, all
threads counted, so that other work on the machine disturbs little; those of a search are medians.
Vectors are random: a search's time does not depend on their values. The last column is the cost of
one more document or triple between the two largest sizes.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path

from beside import Curve, Result, json_option, write
from osler import Document, Entity, Library, Triple
from osler.fetch import fetched
from osler.files.reader import recognise
from osler.files.source import Source
from whole_search import fill

QUESTIONS = (
    "statins and muscle pain",
    "vaccination of health workers",
    "risk factors of stroke in young adults",
    "treatment of severe asthma in children",
    "covid-19 lockdown and mental health",
)


def citations() -> Iterator[Document]:
    """Both files of the sample in turns, so that every size has the same mix: half of 2021, most
    with abstracts, and half of the 1970s, most without."""

    def read(path: Path) -> Iterator[Document]:
        source = Source(path)
        for item in recognise(source).read(source):
            if isinstance(item, Document):
                yield item

    files = sorted(fetched("pubmed-sample").glob("*.xml.gz"))
    for group in zip_longest(*map(read, files)):
        yield from (document for document in group if document is not None)


def size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


class Clock:
    """Processor seconds of named steps."""

    def __init__(self) -> None:
        self.found: dict[str, float] = {}
        self.begun = time.process_time()

    def mark(self, name: str) -> None:
        self.found[name] = time.process_time() - self.begun
        self.begun = time.process_time()


def documents(count: int) -> dict[str, float]:
    """Reading, adding, linking and searching so many citations."""
    clock = Clock()
    for _ in islice(citations(), count):
        pass
    clock.mark("read s")
    found = clock.found
    with tempfile.TemporaryDirectory() as folder:
        library = Library.create(Path(folder) / "library")
        papers = citations()
        clock.mark("")
        while batch := list(islice(papers, min(2_000, count - len(library)))):
            library.add_documents(batch)
            if len(library) >= count:
                break
        clock.mark("read and add s")
        library.add(sorted(fetched("mesh").glob("*.tsv")))
        clock.mark("link s")
        fill(library)
        for method in ("words", "hybrid", "concepts"):
            times = []
            for text in QUESTIONS * 5:
                start = time.process_time()
                library.search(text, method=method)
                times.append(1000 * (time.process_time() - start))
            found[f"{method} ms"] = statistics.median(times[len(QUESTIONS) :])
        layout = library.layout
        library.close()
        found["truth MB"] = layout.truth.stat().st_size / 1e6
        found["words MB"] = size(layout.words) / 1e6
        found["vectors MB"] = size(layout.vectors) / 1e6
        found["knowledge MB"] = size(layout.knowledge) / 1e6
    found.pop("")
    return found


def triples(count: int) -> dict[str, float]:
    """Adding so many triples and walking between them."""
    chance = random.Random(1)
    nodes = max(10, count // 5)
    names = [f"x:{number}" for number in range(nodes)]
    hubs = names[: max(2, nodes // 1000)]

    def made() -> Iterator[Triple]:
        for _ in range(count):
            head = chance.choice(hubs if chance.random() < 0.05 else names)
            yield Triple(head, chance.choice("rst"), chance.choice(names))

    from osler.knowledge.graph import Graph
    from osler.knowledge.paths import paths

    found: dict[str, float] = {}
    start = time.process_time()
    graph = Graph.build((Entity(id=name, name=name) for name in names), made())
    found["build s"] = time.process_time() - start
    times = []
    for _ in range(20):
        pair = chance.sample(names, 2)
        start = time.process_time()
        paths(graph, [pair[0]], [pair[1]], 3)
        times.append(1000 * (time.process_time() - start))
    found["paths ms"] = statistics.median(times)
    with tempfile.TemporaryDirectory() as folder:
        graph.save(Path(folder) / "graph")
        found["graph MB"] = size(Path(folder)) / 1e6
    return found


def child(what: str, count: int) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, __file__, "--child", what, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return dict(json.loads(done.stdout))


def table(what: str, sizes: list[int]) -> tuple[Curve, dict[str, float]]:
    """Print the growth; return its curve and what one more costs."""
    rows = {count: child(what, count) for count in sizes}
    print(f"\n{what:14}" + "".join(f"{count:>12,}" for count in sizes) + f"{'one more':>14}")
    low, high = sizes[-2:] if len(sizes) > 1 else (0, sizes[-1])
    more = {}
    for name in rows[sizes[-1]]:
        line = f"{name:14}" + "".join(f"{rows[count][name]:12.3f}" for count in sizes)
        if name.endswith((" s", " MB")) and low:
            # In millionths: of a second, or of a megabyte.
            one = 1e6 * (rows[high][name] - rows[low][name]) / (high - low)
            unit = "µs" if name.endswith(" s") else "B"
            line += f"{one:11.1f} {unit}"
            more[f"{what}: {name.removesuffix(' s').removesuffix(' MB')}, {unit} each"] = one
        print(line, flush=True)
    values = {name: [rows[count][name] for count in sizes] for name in rows[sizes[-1]]}
    return Curve(title=what, x=what, sizes=sizes, values=values), more


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, nargs="*", default=[1_000, 10_000, 50_000])
    parser.add_argument("--triples", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    json_option(parser)
    options = parser.parse_args()
    if options.child:
        what, count = options.child
        found = {"documents": documents, "triples": triples}[what](int(count))
        found["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(found))
        return
    curves, facts = [], {}
    for what in ("documents", "triples"):
        if sizes := sorted(getattr(options, what)):
            curve, more = table(what, sizes)
            curves.append(curve)
            facts |= more
    write(
        Result(name="growth", curves=curves, facts=facts),
        options.json,
    )


if __name__ == "__main__":
    main()
