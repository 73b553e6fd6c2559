"""Marks: by which a derived index knows the truth that it was made from.

A sequence number alone does not tell: a truth that was restored from a copy gives out the same
numbers again, for other changes. So each giving out of numbers also leaves a mark that chance
drew, under the last of them. An index notes how far it has got and the mark that stands there;
where the truth has another one, or none, the index follows a history that is not the truth's.

What a program without marks wrote has the empty mark.
"""

from __future__ import annotations

import secrets
import sqlite3

LEGACY = ""
_KEY = "mark/{:020d}"
_END = "mark0"
"""The next string after every key: "0" follows "/"."""
ROW = "row"


def leave(connection: sqlite3.Connection, last: int, *, before: int) -> None:
    """Mark the numbers that were just given out, up to ``last``; they began after ``before``."""
    if not _any(connection):
        # Whatever follows the truth so far knows nothing of marks.
        _put(connection, before, LEGACY)
    _put(connection, last, secrets.token_hex(8))


def mark_at(connection: sqlite3.Connection, seq: int, last: int) -> str | None:
    """The mark that a number was given out under; None where it never was. ``last`` is the last
    number of all."""
    if seq > last:
        return None
    row = connection.execute(
        "SELECT value FROM meta WHERE key >= ? AND key < ? ORDER BY key LIMIT 1",
        (_KEY.format(seq), _END),
    ).fetchone()
    # Numbers after the last mark were given out by a program without marks.
    return LEGACY if row is None else str(row[0])


def top_row(connection: sqlite3.Connection) -> int:
    """The highest row number of a document that was ever given out."""
    (stored,) = connection.execute("SELECT coalesce(max(row), 0) FROM documents").fetchone()
    return max(int(stored), _noted_row(connection))


def note_row(connection: sqlite3.Connection, top: int) -> None:
    """Row numbers up to ``top`` are given out."""
    if top > _noted_row(connection):
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (ROW, str(top)))


def _noted_row(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (ROW,)).fetchone()
    return int(row[0]) if row is not None and str(row[0]).isdecimal() else 0


def _any(connection: sqlite3.Connection) -> bool:
    row = connection.execute(
        "SELECT 1 FROM meta WHERE key >= ? AND key < ? LIMIT 1", (_KEY.format(0), _END)
    ).fetchone()
    return row is not None


def _put(connection: sqlite3.Connection, seq: int, mark: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_KEY.format(seq), mark))
