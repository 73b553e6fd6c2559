"""Words, vectors and their fusion on NFCorpus's dev queries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from osler_papers.recipes.retrieval import open_library, run_methods


def run(data: Path, out: Path, *, progress: Callable[[str], None]) -> dict[str, float]:
    folder = data / "nfcorpus"
    with open_library(out / "library", [folder / "corpus.jsonl.gz"], progress=progress) as library:
        return run_methods(
            library, folder / "queries.jsonl", folder / "qrels.tsv", out, progress=progress
        )
