"""Documents in the truth: adding, replacing, joining two names of one paper, deleting."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from osler.errors import UnknownId
from osler.kinds import Deletion, Document
from osler.store.document_rows import FULL_ROW, Change, load, title_of
from osler.store.document_writes import Outcome, Writing
from osler.store.identity import EARLIER, SCHEMES
from osler.store.truth import Truth, holds

THERE = "+deleted = 0"
"""What is there, and no tombstone. The plus keeps SQLite from the index of tombstones, which it
takes for the better one: nearly every document is in it, and a page or a count would read them
all."""

_SCHEMES = ", ".join(f"'{scheme}'" for scheme in sorted((*SCHEMES, EARLIER)))
NAMED = (
    f"SELECT scheme, document, checksum FROM names WHERE scheme IN ({_SCHEMES}) AND value = ? "
    "ORDER BY scheme"
)
"""Who bears a name. Names are in order of their scheme: asked for a value alone, SQLite reads them
all, which was half the time of a search by words."""

__all__ = ["FULL_ROW", "Change", "Documents", "Outcome", "load"]


class Documents:
    """The documents of a library."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self._counted = (-1, 0)

    # -- reading -------------------------------------------------------------------------------

    def get(self, id: str) -> Document:
        """By its id, or by any other name that it has (PMID, DOI, PMCID)."""
        with self.truth.snapshot() as connection:
            row = connection.execute(
                f"SELECT {FULL_ROW} FROM documents WHERE id = ? AND {THERE}", (id,)
            ).fetchone()
            if row is None:
                row = self._by_name(connection, id.lower() if id.startswith("10.") else id)
        if row is None:
            raise UnknownId(f"the library holds no document {id}")
        return load(row)

    @staticmethod
    def _by_name(connection: sqlite3.Connection, value: str) -> Sequence[Any] | None:
        for scheme, document, expected in connection.execute(NAMED, (value,)).fetchall():
            holds(expected, scheme, value, document, what=f"the name {value}")
            row: Sequence[Any] | None = connection.execute(
                f"SELECT {FULL_ROW} FROM documents WHERE {THERE} AND row = ?", (document,)
            ).fetchone()
            if row is not None:
                return row
        return None

    def by_rows(self, rows: Sequence[int]) -> dict[int, Document]:
        """Documents that are there, by row number."""
        by_row: dict[int, Document] = {}
        with self.truth.snapshot() as connection:
            for row in connection.execute(
                f"SELECT row, {FULL_ROW} FROM documents WHERE {THERE} AND row IN "
                "(SELECT value FROM json_each(?))",
                (json.dumps(list(rows)),),
            ):
                by_row[row[0]] = load(row[1:])
        return by_row

    def titles(self, rows: Sequence[int]) -> dict[int, str]:
        """Titles of documents that are there, by row number. They are not held against their
        checksums: what is shown afterwards is."""
        held: dict[int, str] = {}
        with self.truth.snapshot() as connection:
            for row, body in connection.execute(
                f"SELECT row, body FROM documents WHERE {THERE} AND row IN "
                "(SELECT value FROM json_each(?))",
                (json.dumps(list(rows)),),
            ):
                held[row] = title_of(body)
        return held

    def current(self, rows: Sequence[int]) -> dict[int, tuple[str, int]]:
        """Ids by row number, of those that are there, each with the change that it is at."""
        # All in one value: SQLite lets go of the interpreter for every row that it gives, and
        # where several threads search, each time is a chance to wait for it.
        with self.truth.snapshot() as connection:
            (count,) = connection.execute(
                "SELECT json_group_array(json_array(row, id, seq)) FROM documents "
                f"WHERE {THERE} AND row IN (SELECT value FROM json_each(?))",
                (json.dumps(list(rows)),),
            ).fetchone()
        return {row: (id, seq) for row, id, seq in json.loads(count)}

    def rows_of(self, ids: Sequence[str]) -> dict[str, int]:
        """Row numbers by id, of those that are there."""
        by_id: dict[str, int] = {}
        with self.truth.snapshot() as connection:
            for start in range(0, len(ids), 500):
                part = ids[start : start + 500]
                marks = ",".join("?" * len(part))
                by_id.update(
                    connection.execute(
                        f"SELECT id, row FROM documents WHERE {THERE} AND id IN ({marks})", part
                    )
                )
        return by_id

    def all(self, ids: Iterable[str] | None = None) -> Iterator[Document]:
        """Every document in order of its id, or those named, in the order given."""
        if ids is not None:
            for id in ids:
                yield self.get(id)
            return
        last = ""
        while True:
            # In pages, so that a slow consumer holds no snapshot open.
            with self.truth.snapshot() as connection:
                page = connection.execute(
                    f"SELECT {FULL_ROW} FROM documents WHERE id > ? AND {THERE} "
                    "ORDER BY id LIMIT 1000",
                    (last,),
                ).fetchall()
            if not page:
                return
            for row in page:
                yield load(row)
            last = page[-1][0]

    def changes(self, after: int, *, limit: int) -> list[Change]:
        """The next changes after a sequence number, in their order."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                f"SELECT row, {FULL_ROW} FROM documents WHERE seq > ? ORDER BY seq LIMIT ?",
                (after, limit),
            ).fetchall()
        return [
            Change(row[0], row[1], row[2], row[3], None if row[4] else load(row[1:]))
            for row in rows
        ]

    def at_rows(self, rows: Sequence[int]) -> list[Change]:
        """Documents that are there, by row, each as the change that it is at."""
        with self.truth.snapshot() as connection:
            rows_read = connection.execute(
                f"SELECT row, {FULL_ROW} FROM documents WHERE {THERE} AND row IN "
                "(SELECT value FROM json_each(?)) ORDER BY row",
                (json.dumps(list(rows)),),
            ).fetchall()
        return [Change(row[0], row[1], row[2], row[3], load(row[1:])) for row in rows_read]

    def last_seq(self) -> int:
        """The number of the last change to the documents, deletions included."""
        with self.truth.snapshot() as connection:
            (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
        return int(last)

    def born(self, after: int, until: int) -> list[str]:
        """Ids of documents that came first with one of these changes, and are still there."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                f"SELECT id FROM documents WHERE {THERE} AND born > ? AND born <= ? ORDER BY id",
                (after, until),
            ).fetchall()
        return [id for (id,) in rows]

    def page(self, *, offset: int = 0, limit: int, after: str = "") -> list[str]:
        """Ids in their order, a page of them, all behind ``after``."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                f"SELECT id FROM documents WHERE {THERE} AND id > ? ORDER BY id LIMIT ? OFFSET ?",
                (after, limit, offset),
            ).fetchall()
        return [id for (id,) in rows]

    def numbered(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Row number and last change by id, of those that are there."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                f"SELECT id, row, seq FROM documents WHERE {THERE} AND id IN "
                "(SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            ).fetchall()
        return {id: (row, seq) for id, row, seq in rows}

    def waiting(self, after: int) -> int:
        """How many documents that are there were added or changed after a number."""
        return self._counted_where(f"seq > ? AND {THERE}", after)

    def changed(self, after: int) -> int:
        """How many of those that ``waiting`` counts stood there before, with another text."""
        return self._counted_where(f"seq > ?1 AND born <= ?1 AND {THERE}", after)

    def _counted_where(self, condition: str, after: int) -> int:
        with self.truth.snapshot() as connection:
            (count,) = connection.execute(
                f"SELECT count(*) FROM documents WHERE {condition}",
                (after,),
            ).fetchone()
        return int(count)

    def count(self) -> int:
        """How many documents there are; counted once for each state of the truth."""
        with self.truth.snapshot() as connection:
            seq = self.truth.seq(connection)
            if self._counted[0] != seq:
                (count,) = connection.execute(
                    "SELECT count(*) FROM documents WHERE deleted = 0"
                ).fetchone()
                self._counted = (seq, int(count))
        return self._counted[1]

    # -- writing -------------------------------------------------------------------------------

    def write(
        self,
        connection: sqlite3.Connection,
        batch: Sequence[Document | Deletion],
        *,
        revive: bool = False,
        keep: bool = False,
        own_ids: bool = True,
    ) -> tuple[list[Change], list[Outcome]]:
        """Apply a batch inside the caller's transaction, item by item in its order.

        ``keep`` is for what comes out of files: nothing that is there loses a field to an emptier
        one. Without ``own_ids`` another title under the same id is another document.
        """
        return Writing(connection, batch, revive=revive, keep=keep, own_ids=own_ids).run()
