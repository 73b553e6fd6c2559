"""The log of review projects: every decision a row of the truth, only ever added to.

The table is made with the first project. A program that does not know it reads such a library as
before, so that the library's format stays.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from osler.store.truth import Truth, checksum, holds

TABLE = "review_log"
_MADE = f"""CREATE TABLE IF NOT EXISTS {TABLE} (
    seq      INTEGER PRIMARY KEY,
    project  TEXT    NOT NULL,
    kind     TEXT    NOT NULL,
    body     BLOB    NOT NULL,
    checksum INTEGER NOT NULL
)"""

_INDEX = f"CREATE INDEX IF NOT EXISTS {TABLE}_by_project ON {TABLE} (project)"


class ReviewLog:
    """Entries of all projects in the order in which they were made."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    def append(self, project: str, entries: Sequence[tuple[str, bytes]]) -> int:
        """Add entries (kind, body) in one transaction; the last one's number. The caller holds the
        lock."""
        with self.truth.transaction() as connection:
            connection.execute(_MADE)
            connection.execute(_INDEX)
            first = Truth.take(connection, len(entries))
            connection.executemany(
                f"INSERT INTO {TABLE} VALUES (?, ?, ?, ?, ?)",
                (
                    (seq, project, kind, body, checksum(seq, project, kind, body))
                    for seq, (kind, body) in enumerate(entries, first)
                ),
            )
        return first + len(entries) - 1

    def last(self, project: str) -> int:
        """The number of a project's last entry; 0 where there is no such project."""
        with self.truth.snapshot() as connection:
            if not _exists(connection):
                return 0
            (last,) = connection.execute(
                f"SELECT coalesce(max(seq), 0) FROM {TABLE} WHERE project = ?", (project,)
            ).fetchone()
        return int(last)

    def entries(self, project: str, *, after: int = 0) -> list[tuple[int, str, bytes]]:
        """Number, kind and body of one project's entries, those after a number."""
        with self.truth.snapshot() as connection:
            if not _exists(connection):
                return []
            rows = connection.execute(
                f"SELECT seq, project, kind, body, checksum FROM {TABLE} "
                "WHERE project = ? AND seq > ? ORDER BY seq",
                (project, after),
            ).fetchall()
        for *columns, expected in rows:
            holds(expected, *columns, what=f"an entry of the project {project}")
        return [(seq, kind, body) for seq, _, kind, body, _ in rows]

    def names(self) -> list[str]:
        """Projects, the oldest first."""
        with self.truth.snapshot() as connection:
            if not _exists(connection):
                return []
            rows = connection.execute(
                f"SELECT project FROM {TABLE} GROUP BY project ORDER BY min(seq)"
            ).fetchall()
        return [name for (name,) in rows]


def _exists(connection: sqlite3.Connection) -> bool:
    return bool(
        connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (TABLE,)).fetchone()
    )
