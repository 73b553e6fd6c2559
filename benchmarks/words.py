"""A words query in a library of 50,000 citations, against bare tantivy for the same query; what
importing and a cold command cost.

python benchmarks/words.py [--library FOLDER]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tantivy

from osler import Library
from osler.fetch import fetch

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


def bare_index(library: Library, folder: Path) -> tantivy.Index:
    """The same papers as a user of tantivy alone would index them: stemmed text, id and title
    stored."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("title", stored=True, tokenizer_name="en_stem")
    builder.add_text_field("abstract", tokenizer_name="en_stem")
    builder.add_text_field("keywords", tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(120_000_000, 1)
    for document in library.documents():
        writer.add_document(
            tantivy.Document(
                id=document.id,
                title=document.title,
                abstract=document.abstract,
                keywords=" ".join(document.keywords),
            )
        )
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def bare_search(index: tantivy.Index, text: str) -> list[str]:
    query = index.parse_query(text, ["title", "abstract", "keywords"])
    searcher = index.searcher()
    return [searcher.doc(address)["title"][0] for _, address in searcher.search(query, K).hits]


def p50(function, *arguments, repeats: int = 30) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def command(*arguments: str, repeats: int = 7) -> float:
    def run() -> None:
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)

    return p50(run, repeats=repeats)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.library or Path(temporary) / "library"
        sample = fetch("pubmed-sample")
        library = Library.open(folder) if folder.exists() else Library.create(folder)
        library.add([sample / "pubmed21n1298.xml.gz", sample / "pubmed20n0014.xml.gz"])
        (Path(temporary) / "bare").mkdir()
        bare = bare_index(library, Path(temporary) / "bare")

        def ours(text: str) -> None:
            library.search(text, k=K, method="words", evidence=False)

        ratios = []
        for text in QUERIES:
            ours(text), bare_search(bare, text)
            peer, own = p50(bare_search, bare, text), p50(ours, text)
            ratios.append(own / peer)
            print(f"{text}: tantivy {peer * 1e3:.2f} ms, osler {own * 1e3:.2f} ms")
        print(
            f"words query / bare tantivy, {len(library):,} papers, p50: "
            f"{statistics.median(ratios):.2f} times (bar: at most 3)"
        )
        empty = command("-c", "pass")
        print(f"import osler: {command('-c', 'import osler') - empty:.3f} s (bar: under 0.2)")
        cold = command(
            "-m", "osler.cli.main", "search", str(folder), QUERIES[0], "--method", "words"
        )
        print(f"osler search, cold, words: {cold:.3f} s (bar: under 0.8)")


if __name__ == "__main__":
    main()
