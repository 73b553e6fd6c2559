"""Removal is erasure: what was taken out leaves no bytes behind.

A tombstone stays, with the document's id and its other names (PMID, DOI): without them an old file
would bring it back. What a trained model has learned of it stays in the model.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence

import msgspec

from osler.errors import AwayError, DamageError
from osler.kinds import Document
from osler.store.documents import Change, Documents
from osler.store.engine import Engine, Purged
from osler.store.layout import Layout
from osler.store.truth import Truth
from osler.store.vector_cache import VectorCache, text_key

_NOTE = "erasing"
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


class Pending(msgspec.Struct, frozen=True):
    """Rows, and hashes of texts, whose traces are still to be cleared away. It stands in the truth
    from the removal on until that is done: a kill in between is made up for."""

    rows: list[int] = []
    texts: list[bytes] = []


def intend(
    connection: sqlite3.Connection,
    removed: Sequence[tuple[int, Document]],
    texts_of: Callable[[Document], Sequence[str]],
) -> None:
    """Note, inside the transaction of the removal, what is to be cleared away after it."""
    before = _read(connection) or Pending()
    whole = Pending(
        [*before.rows, *(row for row, _ in removed)],
        [
            *before.texts,
            *(text_key(text) for _, document in removed for text in texts_of(document)),
        ],
    )
    noted = msgspec.json.encode(whole).decode()
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_NOTE, noted))


def pending(truth: Truth) -> Pending | None:
    with truth.snapshot() as connection:
        return _read(connection)


def _read(connection: sqlite3.Connection) -> Pending | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_NOTE,)).fetchone()
    try:
        return msgspec.json.decode(row[0], type=Pending) if row is not None else None
    except msgspec.DecodeError:
        raise DamageError("the note of what is to be erased is damaged") from None


def erase(layout: Layout, truth: Truth, documents: Documents, engine: Engine) -> Erased:
    """Clear away what is left of what was ``intend``ed, and of everything else that was deleted or
    replaced before. The truth has forgotten them, the engine is caught up, and the caller holds
    the locks of writing and of making vectors."""
    left = pending(truth) or Pending()

    def fetch(rows: list[int]) -> Iterable[Change]:
        return documents.at_rows(rows)

    try:
        purged, done = engine.purge(left.rows, fetch), True
    except AwayError:
        purged, done = Purged(0, 0, (AWAY,)), False
    cached = 0
    if layout.vector_cache.exists():
        cache = VectorCache(layout.vector_cache)
        try:
            cached = cache.forget(left.texts)
        finally:
            cache.close()
    if done:
        with truth.transaction() as connection:
            connection.execute("DELETE FROM meta WHERE key = ?", (_NOTE,))
    notes = list(purged.notes)
    if not truth.clear_log():
        notes.append(READERS)
    return Erased(
        documents=len(left.rows),
        parts=purged.parts,
        vectors=purged.vectors,
        cached=cached,
        notes=notes,
    )
