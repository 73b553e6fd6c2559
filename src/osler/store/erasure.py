"""Removal is erasure: what was taken out leaves no bytes behind.

A tombstone stays, with the document's id and its other names (PMID, DOI): without them an old file
would bring it back. What a trained model has learned of it stays in the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from osler.errors import AwayError
from osler.kinds import Document
from osler.store.documents import Change, Documents
from osler.store.engine import Engine, Purged
from osler.store.layout import Layout
from osler.store.truth import Truth
from osler.store.vector_cache import VectorCache, text_key

READERS = (
    "another program is reading the library: the log of changes holds what was removed until it "
    "ends; osler erase clears it then"
)


AWAY = "the search server is away and holds it still: osler erase clears it when the server is back"


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """What was done."""

    documents: int = 0
    """Documents that were taken out of the truth."""
    parts: int = 0
    """Parts of the word and passage indexes that were written again without them."""
    vectors: int = 0
    """Vectors that were taken out of the matrices."""
    cached: int = 0
    """Vectors that were taken out of the cache."""
    notes: list[str] = []

    def __str__(self) -> str:
        return (
            f"{self.documents:,} documents removed; {self.parts:,} parts of the indexes written "
            f"again, {self.vectors:,} vectors and {self.cached:,} cached ones dropped, freed "
            "pages overwritten"
        )


def erase(
    layout: Layout,
    truth: Truth,
    documents: Documents,
    engine: Engine,
    *,
    removed: Sequence[tuple[int, Document]] = (),
    text_of: Callable[[Document], str],
) -> Erased:
    """Clear away what is left of ``removed`` (rows and documents as they were), and of everything
    else that was deleted or replaced before. The truth has forgotten them, the engine is caught
    up, and the caller holds the locks of writing and of making vectors."""

    def fetch(rows: list[int]) -> Iterable[Change]:
        return documents.at_rows(rows)

    try:
        purged = engine.purge([row for row, _ in removed], fetch)
    except AwayError:
        purged = Purged(0, 0, (AWAY,))
    cached = 0
    if layout.vector_cache.exists():
        cache = VectorCache(layout.vector_cache)
        try:
            cached = cache.forget([text_key(text_of(document)) for _, document in removed])
        finally:
            cache.close()
    notes = list(purged.notes)
    if not truth.clear_log():
        notes.append(READERS)
    return Erased(
        documents=len(removed),
        parts=purged.parts,
        vectors=purged.vectors,
        cached=cached,
        notes=notes,
    )
