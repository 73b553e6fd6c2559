"""A whole search beside txtai: the same papers, the same vectors, the same model for the question.

    python benchmarks/whole_search.py [--library FOLDER] [--documents 5000] [--random-vectors]
                                      [--json FILE]

Builds a library of citations with MeSH and HPO unless one is given (``demo/library`` is one), gives
its papers and vectors to txtai (hybrid index, texts kept), and asks both the same questions. Each
encodes the question by its own means. ``--random-vectors`` fills the matrix with random unit
vectors instead of encoding every paper: the time of a search does not depend on their values, the
order of the hits then means nothing.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np

from beside import Comparison, Result, attempt, json_option, show, turns, write
from osler import Document, Library
from osler.fetch import fetch
from osler.files.reader import recognise
from osler.files.source import Source

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
K = 10


def build(folder: Path, documents: int) -> Library:
    library = Library.create(folder)
    source = Source(fetch("pubmed-sample") / "pubmed21n1298.xml.gz")
    papers = (item for item in recognise(source).read(source) if isinstance(item, Document))
    library.add_documents(islice(papers, documents or None))
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


def txtai(library: Library) -> Callable[[str, int], list[str]]:
    """txtai's hybrid index (its BM25 and its default nearest neighbours) with texts kept.

    Papers get the library's vectors, so that both search the same ones; a question is encoded as
    txtai would, by sentence-transformers.
    """
    from sentence_transformers import SentenceTransformer
    from txtai import Embeddings

    model = SentenceTransformer(str(fetch("minilm")), device="cpu")
    papers = {document.id: document for document in library.documents()}
    ids, matrix = library.vectors(list(papers))
    given = {papers[id].text: row for id, row in zip(ids, matrix, strict=True)}

    def transform(texts: list[str]) -> np.ndarray:
        if texts and texts[0] in given:
            return np.stack([given[text] for text in texts])
        return model.encode(texts, normalize_embeddings=True, show_progress_bar=False)

    index = Embeddings(method="external", transform=transform, hybrid=True, content=True)
    index.index((id, papers[id].text, None) for id in ids)

    def search(text: str, k: int) -> list[str]:
        return [found["id"] for found in index.search(text, k)]

    return search


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path)
    parser.add_argument("--documents", type=int, default=5_000, help="how many; 0 takes all")
    parser.add_argument("--random-vectors", action="store_true")
    parser.add_argument("--rounds", type=int, default=9)
    json_option(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.library or Path(temporary) / "library"
        library = Library.open(folder) if folder.exists() else build(folder, given.documents)
        if library.coverage().waiting:
            if given.random_vectors:
                fill(library)
            else:
                library.embed()

        def by(method: str, evidence: bool) -> Callable[[str, int], list[str]]:
            def search(text: str, k: int) -> list[str]:
                found = library.search(text, k=k, method=method, evidence=evidence)
                return [hit.id for hit in found]

            return search

        searches: dict[str, Callable[[str, int], list[str]]] = {
            "osler": by("hybrid", evidence=False),
            "osler with evidence": by("hybrid", evidence=True),
            "osler by concepts": by("concepts", evidence=True),
        }
        missing: dict[str, str] = {}
        peer = attempt(missing, "txtai", lambda: txtai(library))
        if peer is not None:
            searches["txtai"] = peer

        def once(search: Callable[[str, int], list[str]]) -> Callable[[], list[list[str]]]:
            return lambda: [search(text, K) for text in QUERIES]

        work = {name: once(search) for name, search in searches.items()}
        hits = {name: ask() for name, ask in work.items()}
        row = Comparison(
            name="whole",
            title="Whole search",
            task=f"{len(QUERIES)} questions to {len(library):,} citations, words and vectors "
            f"together, the best {K}, the question's encoding included",
            unit="a query",
            costs=turns(work, given.rounds, per=len(QUERIES)),
            notes={
                "osler": "hybrid, records and parts of the score, no evidence sentence",
                "osler with evidence": "the same with the sentence that answers",
                "osler by concepts": "the default with a terminology: linking, feedback, evidence",
                "txtai": "hybrid, texts",
            },
            missing=missing,
            reason="Osler compares every vector (exact), txtai an approximate index",
        )
        show(row)
        if peer is not None and not given.random_vectors:
            shared = statistics.mean(
                len(set(a) & set(b)) / K for a, b in zip(hits["osler"], hits["txtai"], strict=True)
            )
            print(f"of the best {K}, both have {shared:.0%} in common")
        facts = {}
        for method in ("words", "hybrid", "concepts"):
            times = []
            for _ in range(given.rounds):
                for query in QUERIES:
                    start = time.perf_counter()
                    library.search(query, method=method)
                    times.append(time.perf_counter() - start)
            times.sort()
            p50, p95 = statistics.median(times) * 1e3, times[int(len(times) * 0.95)] * 1e3
            facts[f"{method} p50 ms"], facts[f"{method} p95 ms"] = p50, p95
            bar = " (bar for the whole search: under 40)" if method == "concepts" else ""
            print(f"{method}, {len(library):,} papers: p50 {p50:.1f} ms, p95 {p95:.1f} ms{bar}")
        write(
            Result(
                name="whole",
                comparisons=[row],
                facts=facts,
            ),
            given.json,
        )


if __name__ == "__main__":
    main()
