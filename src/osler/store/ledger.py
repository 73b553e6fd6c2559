"""The ledger of files read: what came of each, and the records of it that were rejected."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from osler.kinds import Note, Reject
from osler.store.truth import Truth, checksum, holds

# Made when it is first needed: a library of an earlier day lacks it, and loses nothing by that.
_NOTES = (
    "CREATE TABLE IF NOT EXISTS notes (file INTEGER NOT NULL, place TEXT NOT NULL, id TEXT NOT "
    "NULL, what TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL, checksum INTEGER NOT "
    "NULL)",
    "CREATE INDEX IF NOT EXISTS notes_file ON notes (file)",
)

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
                "SELECT number, fingerprint, name, format, state, position, counts, error, "
                f"checksum FROM files {where} ORDER BY number",
                bound,
            ).fetchall()
        for *columns, expected in rows:
            number, fingerprint, name, format, state, position, counts, error = columns
            holds(expected, *columns, what=f"the ledger's line on {name}")
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
        """A new entry; one of the same file is begun anew, with whatever options it was read."""
        for statement in _NOTES:
            connection.execute(statement)
        bare = fingerprint.partition(":")[0]
        earlier = connection.execute(
            "SELECT number FROM files WHERE fingerprint = ?1 OR fingerprint GLOB ?1 || ':*'",
            (bare,),
        ).fetchall()
        for table, column in (("rejects", "file"), ("notes", "file"), ("files", "number")):
            connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", earlier)
        cursor = connection.execute(
            "INSERT INTO files (fingerprint, name, format, state, checksum) VALUES (?, ?, ?, ?, 0)",
            (fingerprint, name, format, READING),
        )
        entry = Entry(int(cursor.lastrowid or 0), fingerprint, name, format)
        self.save(connection, entry)
        return entry

    def save(self, connection: sqlite3.Connection, entry: Entry) -> None:
        fixed = (entry.number, entry.fingerprint, entry.name, entry.format)
        counts = json.dumps(dict(sorted(entry.counts.items())))
        changing = (entry.state, entry.position, counts, entry.error)
        connection.execute(
            "UPDATE files SET state = ?, position = ?, counts = ?, error = ?, checksum = ? "
            "WHERE number = ?",
            (*changing, checksum(*fixed, *changing), entry.number),
        )

    def reject(
        self, connection: sqlite3.Connection, entry: Entry, rejects: Sequence[Reject]
    ) -> None:
        connection.executemany(
            "INSERT INTO rejects VALUES (?, ?, ?, ?, ?)",
            (
                (*row, checksum(*row))
                for row in ((entry.number, r.place, r.id, r.reason) for r in rejects)
            ),
        )

    def rejects(self, number: int | None = None) -> Iterator[Reject]:
        where = "" if number is None else "WHERE file = ?"
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT files.name, rejects.file, rejects.place, rejects.id, rejects.reason, "
                "rejects.checksum FROM rejects JOIN "
                f"files ON files.number = rejects.file {where} ORDER BY rejects.rowid",
                () if number is None else (number,),
            ).fetchall()
        for name, file, place, id, reason, expected in rows:
            holds(expected, file, place, id, reason, what=f"a reject of {name}")
            yield Reject(name, place, reason, id)

    def note(self, connection: sqlite3.Connection, entry: Entry, notes: Sequence[Note]) -> None:
        connection.executemany(
            "INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (*row, checksum(*row))
                for row in ((entry.number, n.place, n.id, n.what, n.reason, n.count) for n in notes)
            ),
        )

    def notes(self, number: int | None = None) -> Iterator[Note]:
        """What was merged, replaced or passed over, of one file or of all."""
        where = "" if number is None else "WHERE file = ?"
        with self.truth.snapshot() as connection:
            if not connection.execute(
                "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'notes'"
            ).fetchone():
                return
            rows = connection.execute(
                "SELECT files.name, notes.file, notes.place, notes.id, notes.what, notes.reason, "
                "notes.count, notes.checksum FROM notes JOIN "
                f"files ON files.number = notes.file {where} ORDER BY notes.rowid",
                () if number is None else (number,),
            ).fetchall()
        for name, file, place, id, what, reason, count, expected in rows:
            holds(expected, file, place, id, what, reason, count, what=f"a note of {name}")
            yield Note(name, place, what, reason, id, count)
