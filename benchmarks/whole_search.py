"""A whole search in the demo's library: words, vectors, concepts and evidence, in process.

python benchmarks/whole_search.py [--library FOLDER] [--random-vectors]

Builds the library that ``make demo`` builds (20,783 papers with MeSH and HPO) unless one is given.
``--random-vectors`` fills the matrix with random unit vectors instead of encoding every paper: the
time of a search does not depend on their values, the order of the hits then means nothing.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from osler import Library
from osler.fetch import fetch

QUERIES = (
    "does vitamin D protect against COVID-19",
    "heart attack in young women",
    "machine learning to predict sepsis in intensive care",
    "kidney stones and diet",
    "statins and muscle pain",
    "breast cancer screening in older women",
    "antibiotic resistance in urinary tract infections",
    "depression after stroke",
    "telemedicine for diabetes",
    "gut microbiome and obesity",
)


def build(folder: Path) -> Library:
    library = Library.create(folder)
    library.add([fetch("pubmed-sample") / "pubmed21n1298.xml.gz"])
    library.add([fetch("mesh") / "mesh_id_label_mappings.tsv", fetch("hpo") / "hp.obo"])
    return library


def fill(library: Library) -> None:
    """Random unit vectors for every paper."""
    with library.truth.snapshot() as connection:
        rows = connection.execute(
            "SELECT row, seq FROM documents WHERE deleted = 0 ORDER BY seq"
        ).fetchall()
    encoder = library.encoder
    matrix = np.random.default_rng(0).normal(size=(len(rows), encoder.dimension))
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    library.engine.add_vectors(
        encoder.fingerprint,
        [row for row, _ in rows],
        [seq for _, seq in rows],
        matrix.astype(np.float32),
        applied=rows[-1][1],
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", type=Path)
    parser.add_argument("--random-vectors", action="store_true")
    parser.add_argument("--repeats", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.library or Path(temporary) / "library"
        library = Library.open(folder) if folder.exists() else build(folder)
        if library.coverage().waiting:
            if given.random_vectors:
                fill(library)
            else:
                library.embed()
        for method in ("words", "hybrid", "concepts"):
            for query in QUERIES:
                library.search(query, method=method)
            times = []
            for _ in range(given.repeats):
                for query in QUERIES:
                    start = time.perf_counter()
                    library.search(query, method=method)
                    times.append(time.perf_counter() - start)
            times.sort()
            p50, p95 = statistics.median(times) * 1e3, times[int(len(times) * 0.95)] * 1e3
            bar = " (bar for the whole search: under 40)" if method == "concepts" else ""
            print(f"{method}, {len(library):,} papers: p50 {p50:.1f} ms, p95 {p95:.1f} ms{bar}")


if __name__ == "__main__":
    main()
