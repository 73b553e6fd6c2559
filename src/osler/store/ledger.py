"""The ledger of files read: what came of each, and the records of it that were rejected."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from osler.kinds import Reject
from osler.store.truth import Truth

READING, DONE, FAILED = "reading", "done", "failed"


@dataclass
class Entry:
    """One file. ``position`` counts its items that are committed: a resumed read starts there."""

    number: int
    fingerprint: str
    name: str
    format: str
    state: str = READING
    position: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    error: str = ""


class Ledger:
    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    def find(self, fingerprint: str) -> Entry | None:
        return next(self._read("WHERE fingerprint = ?", fingerprint), None)

    def all(self) -> list[Entry]:
        return list(self._read(""))

    def _read(self, where: str, *bound: object) -> Iterator[Entry]:
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT number, fingerprint, name, format, state, position, counts, error "
                f"FROM files {where} ORDER BY number",
                bound,
            ).fetchall()
        for number, fingerprint, name, format, state, position, counts, error in rows:
            yield Entry(
                number,
                fingerprint,
                name,
                format,
                state,
                position,
                Counter(json.loads(counts)),
                error,
            )

    def start(
        self, connection: sqlite3.Connection, *, fingerprint: str, name: str, format: str
    ) -> Entry:
        """A new entry; one of the same file is begun anew."""
        connection.execute(
            "DELETE FROM rejects WHERE file IN (SELECT number FROM files WHERE fingerprint = ?)",
            (fingerprint,),
        )
        connection.execute("DELETE FROM files WHERE fingerprint = ?", (fingerprint,))
        cursor = connection.execute(
            "INSERT INTO files (fingerprint, name, format, state) VALUES (?, ?, ?, ?)",
            (fingerprint, name, format, READING),
        )
        return Entry(int(cursor.lastrowid or 0), fingerprint, name, format)

    def save(self, connection: sqlite3.Connection, entry: Entry) -> None:
        connection.execute(
            "UPDATE files SET state = ?, position = ?, counts = ?, error = ? WHERE number = ?",
            (
                entry.state,
                entry.position,
                json.dumps(dict(sorted(entry.counts.items()))),
                entry.error,
                entry.number,
            ),
        )

    def reject(
        self, connection: sqlite3.Connection, entry: Entry, rejects: Sequence[Reject]
    ) -> None:
        connection.executemany(
            "INSERT INTO rejects VALUES (?, ?, ?, ?)",
            ((entry.number, r.place, r.id, r.reason) for r in rejects),
        )

    def rejects(self, number: int | None = None) -> Iterator[Reject]:
        where = "" if number is None else "WHERE file = ?"
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT files.name, rejects.place, rejects.reason, rejects.id FROM rejects JOIN "
                f"files ON files.number = rejects.file {where} ORDER BY rejects.rowid",
                () if number is None else (number,),
            ).fetchall()
        for name, place, reason, id in rows:
            yield Reject(name, place, reason, id)
