"""How time, memory and disk grow with documents and with triples.

    python benchmarks/growth.py [--documents 1000 10000 50000] [--triples 10000 100000 1000000]

Documents are real citations (the two PubMed files of osler fetch pubmed-sample), linked to MeSH
(osler fetch mesh). Triples are made: a graph of a few hubs and many leaves. Each size runs in a
process of its own, so that its peak of memory is its own. The last column is the cost of one more
document or triple between the two largest sizes.
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
from itertools import islice
from pathlib import Path

from osler import Document, Entity, Library, Triple
from osler.fetch import fetched
from osler.files.reader import recognise
from osler.files.source import Source

QUESTIONS = (
    "statins and muscle pain",
    "vaccination of health workers",
    "risk factors of stroke in young adults",
    "treatment of severe asthma in children",
    "covid-19 lockdown and mental health",
)


def citations() -> Iterator[Document]:
    for path in sorted(fetched("pubmed-sample").glob("*.xml.gz")):
        source = Source(path)
        for item in recognise(source).read(source):
            if isinstance(item, Document):
                yield item


def size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def documents(count: int) -> dict[str, float]:
    """Reading, adding, linking and searching so many citations."""
    found: dict[str, float] = {}
    start = time.perf_counter()
    for _ in islice(citations(), count):
        pass
    found["read s"] = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        library = Library.create(Path(folder) / "library")
        start = time.perf_counter()
        papers = citations()
        while batch := list(islice(papers, min(2_000, count - len(library)))):
            library.add_documents(batch)
            if len(library) >= count:
                break
        found["add s"] = time.perf_counter() - start
        start = time.perf_counter()
        library.add(sorted(fetched("mesh").glob("*.tsv")))
        found["link s"] = time.perf_counter() - start
        for method in ("words", "concepts"):
            times = []
            for text in QUESTIONS * 3:
                start = time.perf_counter()
                library.search(text, method=method)
                times.append(1000 * (time.perf_counter() - start))
            found[f"{method} ms"] = statistics.median(times)
        layout = library.layout
        library.close()
        found["truth MB"] = layout.truth.stat().st_size / 1e6
        found["words MB"] = size(layout.words) / 1e6
        found["knowledge MB"] = size(layout.knowledge) / 1e6
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
    start = time.perf_counter()
    graph = Graph.build((Entity(id=name, name=name) for name in names), made())
    found["build s"] = time.perf_counter() - start
    times = []
    for _ in range(20):
        pair = chance.sample(names, 2)
        start = time.perf_counter()
        paths(graph, [pair[0]], [pair[1]], 3)
        times.append(1000 * (time.perf_counter() - start))
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


def table(what: str, sizes: list[int]) -> None:
    rows = {count: child(what, count) for count in sizes}
    print(f"\n{what:14}" + "".join(f"{count:>12,}" for count in sizes) + f"{'one more':>14}")
    low, high = sizes[-2:] if len(sizes) > 1 else (0, sizes[-1])
    for name in rows[sizes[-1]]:
        line = f"{name:14}" + "".join(f"{rows[count][name]:12.3f}" for count in sizes)
        if name.endswith((" s", " MB")) and low:
            more = (rows[high][name] - rows[low][name]) / (high - low)
            line += f"{1e6 * more:11.1f} " + ("µs" if name.endswith(" s") else "B")
        print(line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, nargs="*", default=[1_000, 10_000, 50_000])
    parser.add_argument("--triples", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        what, count = options.child
        found = {"documents": documents, "triples": triples}[what](int(count))
        found["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(found))
        return
    if options.documents:
        table("documents", sorted(options.documents))
    if options.triples:
        table("triples", sorted(options.triples))


if __name__ == "__main__":
    main()
