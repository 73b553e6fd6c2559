"""Linking and embedding on Dask: two one-thread workers beside one, and what a document costs.

    python benchmarks/bulk.py [--documents 5000] [--repeats 1] [--most 2] [--json FILE]

The same citations (the PubMed sample) are linked to MeSH and embedded by one worker and by more, in
turns, each from the same library without links and vectors. Printed: the time of each step, how
many times as fast, and whether the digests are the same. Both fetches are needed: osler fetch
pubmed-sample mesh minilm.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path

from beside import Result, Table, json_option, write
from osler import Document, Library
from osler.bulk.cluster import Cluster
from osler.bulk.giving import linking
from osler.bulk.worker import encode_texts
from osler.fetch import fetched
from osler.files.reader import recognise
from osler.files.source import Source
from osler.text.encoder import load_encoder

SAMPLE = "pubmed21n1298.xml.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--most", type=int, default=2, help="workers")
    json_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "start"
        prepare(start, options.documents)
        times: dict[int, list[tuple[float, float]]] = {1: [], options.most: []}
        digests = set()
        for turn in range(options.repeats):
            for workers in sorted(times, reverse=bool(turn % 2)):
                place = Path(folder) / f"{workers}-{turn}"
                shutil.copytree(start, place)
                linked, embedded, digest = measure(place, workers)
                times[workers].append((linked, embedded))
                digests.add(digest)
                print(
                    f"{workers} workers: linking {linked:.1f} s "
                    f"({options.documents / linked:,.0f} documents/s), embedding {embedded:.1f} s "
                    f"({options.documents / embedded:,.0f}/s), load {os.getloadavg()[0]:.1f}",
                    flush=True,
                )
        sums = {n: [sum(pair) for pair in found] for n, found in times.items()}
        most = options.most
        gains = [one / more for one, more in zip(sums[1], sums[most], strict=True)]
        gain, same = statistics.median(gains), len(digests) == 1
        print(f"{most} workers are {gain:.2f} times as fast as one")
        print("the digests are the same" if same else "THE DIGESTS DIFFER")
        each = {
            f"{step} on {n} workers, s a document": statistics.median(t[place] for t in found)
            / options.documents
            for n, found in times.items()
            for place, step in enumerate(("linking", "embedding"))
        }
        rows = [
            [f"{n} one-thread worker{'s' if n > 1 else ''}"]
            + [
                f"{each[f'{step} on {n} workers, s a document'] * 1000:.2f} ms"
                for step in ("linking", "embedding")
            ]
            + [f"{statistics.median(sums[1]) / statistics.median(sums[n]):.2f}"]
            for n in times
        ]
        spread = f", {min(gains):.2f} to {max(gains):.2f} over repeats" if len(gains) > 1 else ""
        table = Table(
            title=f"{options.documents:,} citations on Dask",
            head=["workers", "linking a document", "embedding a document", "times one worker"],
            rows=rows,
            note=f"{'The digests are the same' if same else 'THE DIGESTS DIFFER'}{spread}.",
        )
        facts = {"times as fast": gain, "digests": len(digests)} | each
        write(
            Result(name="bulk", tables=[table], facts=facts),
            options.json,
        )


def prepare(place: Path, documents: int) -> None:
    """A library with MeSH and documents in the truth, nothing linked or embedded."""
    source = Source(fetched("pubmed-sample") / SAMPLE)
    items = recognise(source).read(source)
    papers = list(islice((item for item in items if isinstance(item, Document)), documents))
    with Library.create(place) as library:
        library.add(sorted(fetched("mesh").glob("*.tsv")))
        with library.truth.transaction() as connection:
            library._documents.write(connection, papers)


def measure(place: Path, workers: int) -> tuple[float, float, str]:
    with Cluster(f"local:{workers}") as cluster:
        # A worker loads its model once for all that it ever does.
        fingerprint = load_encoder("minilm").fingerprint
        for worker in cluster.client.nthreads():
            given = ("minilm", fingerprint, ["warm"])
            cluster.client.submit(encode_texts, *given, workers=[worker], pure=False).result()
        with Library.open(place) as library:
            start = time.perf_counter()
            library._knowing.catch_up(link=linking(cluster))
            linked = time.perf_counter() - start
            start = time.perf_counter()
            library.embed(on=cluster)
            return linked, time.perf_counter() - start, library.digest()


if __name__ == "__main__":
    main()
