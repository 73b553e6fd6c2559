"""Words, vectors and their fusion on the Cystic Fibrosis collection, title and abstract only.

The collection's documents carry MeSH headings. They are left out here, so that the numbers compare
with those of systems that see text alone; headings are what the recipes on concepts are about.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from osler_papers.recipes.retrieval import corpus_rows, open_library, run_methods


def run(data: Path, out: Path, *, progress: Callable[[str], None]) -> dict[str, float]:
    folder = data / "cystic_fibrosis"
    plain = out / "title_and_abstract.jsonl"
    write_plain(folder / "corpus.jsonl.gz", plain)
    with open_library(out / "library", [plain], progress=progress) as library:
        return run_methods(
            library, folder / "queries.jsonl", folder / "qrels.tsv", out, progress=progress
        )


def write_plain(corpus: Path, target: Path) -> None:
    """Copy id, title and text of each document, nothing else."""
    rows = (
        {"_id": row["_id"], "title": row.get("title", ""), "text": row.get("text", "")}
        for row in corpus_rows(corpus)
    )
    target.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
