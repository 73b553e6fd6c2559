"""Documents in the truth: adding, replacing, joining two names of one paper, deleting."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from osler.errors import DamageError, UnknownId
from osler.kinds import Deletion, Document
from osler.store.identity import canonical, identity_names, join
from osler.store.truth import Truth, checksum, holds

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Document).decode


class Change(NamedTuple):
    """One document's change, as derived indexes take it. ``document`` is None for a deletion."""

    row: int
    id: str
    seq: int
    born: int
    document: Document | None

    @property
    def fresh(self) -> bool:
        """The row's first change: no index that lacks it can hold anything of the row."""
        return self.born == self.seq


class Outcome(NamedTuple):
    """What became of one item of a batch: added, replaced, joined, unchanged, older, deleted,
    tombstone."""

    what: str
    id: str


class _Known:
    """A row as the batch sees it: what the truth holds, or what the batch has just put there."""

    __slots__ = ("born", "content", "deleted", "document", "id", "revised", "row")

    def __init__(
        self,
        row: int,
        id: str,
        born: int,
        deleted: bool,
        revised: str,
        content: int,
        document: Document | None,
    ) -> None:
        self.row = row
        self.id = id
        self.born = born
        self.deleted = deleted
        self.revised = revised
        self.content = content
        self.document = document


def load(row: Sequence[Any]) -> Document:
    """A document out of the columns of ``FULL_ROW``, checked against both its checksums."""
    id, content, body, expected = row[0], *row[5:8]
    if checksum(body) != content or expected != checksum(*row[:6]):
        raise DamageError(f"document {id} is damaged: its checksum does not hold")
    try:
        return _decode(body)
    except msgspec.DecodeError:
        raise DamageError(f"document {id} is damaged: its body cannot be read") from None


FULL_ROW = "id, seq, born, deleted, revised, content, body, checksum"


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
                f"SELECT {FULL_ROW} FROM documents WHERE id = ? AND deleted = 0", (id,)
            ).fetchone()
            if row is None:
                row = self._by_name(connection, id.lower() if id.startswith("10.") else id)
        if row is None:
            raise UnknownId(f"the library holds no document {id}")
        return load(row)

    @staticmethod
    def _by_name(connection: sqlite3.Connection, value: str) -> Sequence[Any] | None:
        for scheme, document, expected in connection.execute(
            "SELECT scheme, document, checksum FROM names WHERE value = ? ORDER BY scheme", (value,)
        ).fetchall():
            holds(expected, scheme, value, document, what=f"the name {value}")
            row: Sequence[Any] | None = connection.execute(
                f"SELECT {FULL_ROW} FROM documents WHERE deleted = 0 AND row = ?", (document,)
            ).fetchone()
            if row is not None:
                return row
        return None

    def by_rows(self, rows: Sequence[int]) -> dict[int, Document]:
        """Documents that are there, by row number."""
        found: dict[int, Document] = {}
        with self.truth.snapshot() as connection:
            for row in connection.execute(
                f"SELECT row, {FULL_ROW} FROM documents WHERE deleted = 0 AND row IN "
                "(SELECT value FROM json_each(?))",
                (json.dumps(list(rows)),),
            ):
                found[row[0]] = load(row[1:])
        return found

    def current(self, rows: Sequence[int]) -> dict[int, tuple[str, int]]:
        """Ids by row number, of those that are there, each with the change that it is at."""
        # All in one value: SQLite lets go of the interpreter for every row that it gives, and
        # where several threads search, each time is a chance to wait for it.
        with self.truth.snapshot() as connection:
            (found,) = connection.execute(
                "SELECT json_group_array(json_array(row, id, seq)) FROM documents "
                "WHERE deleted = 0 AND row IN (SELECT value FROM json_each(?))",
                (json.dumps(list(rows)),),
            ).fetchone()
        return {row: (id, seq) for row, id, seq in json.loads(found)}

    def rows_of(self, ids: Sequence[str]) -> dict[str, int]:
        """Row numbers by id, of those that are there."""
        found: dict[str, int] = {}
        with self.truth.snapshot() as connection:
            for start in range(0, len(ids), 500):
                part = ids[start : start + 500]
                marks = ",".join("?" * len(part))
                found.update(
                    connection.execute(
                        f"SELECT id, row FROM documents WHERE deleted = 0 AND id IN ({marks})", part
                    )
                )
        return found

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
                    f"SELECT {FULL_ROW} FROM documents WHERE id > ? AND deleted = 0 "
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

    def last_seq(self) -> int:
        """The number of the last change to the documents, deletions included."""
        with self.truth.snapshot() as connection:
            (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
        return int(last)

    def page(self, *, offset: int, limit: int) -> list[str]:
        """Ids in their order, a page of them."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT id FROM documents WHERE deleted = 0 ORDER BY id LIMIT ? OFFSET ?",
                (limit, offset),
            ).fetchall()
        return [id for (id,) in rows]

    def numbered(self, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Row number and last change by id, of those that are there."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT id, row, seq FROM documents WHERE deleted = 0 AND id IN "
                "(SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            ).fetchall()
        return {id: (row, seq) for id, row, seq in rows}

    def waiting(self, after: int) -> int:
        """How many changes came after a number."""
        with self.truth.snapshot() as connection:
            (count,) = connection.execute(
                "SELECT count(*) FROM documents WHERE seq > ?", (after,)
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
    ) -> tuple[list[Change], list[Outcome]]:
        """Apply a batch inside the caller's transaction, item by item in its order."""
        known, names = self._look_up(connection, batch)
        (top,) = connection.execute("SELECT coalesce(max(row), 0) FROM documents").fetchone()
        seq = Truth.take(connection, 2 * len(batch))
        outcomes: list[Outcome] = []
        changed: dict[int, tuple[_Known, int, bytes]] = {}
        new_names: list[tuple[str, str, int]] = []

        def put(entry: _Known, body: bytes) -> None:
            nonlocal seq
            if not entry.born:
                entry.born = seq
            changed.pop(entry.row, None)  # a later change of the same row takes a later place
            changed[entry.row] = (entry, seq, body)
            seq += 1

        for item in batch:
            if isinstance(item, Deletion):
                entry = known.get(item.id)
                if entry is None:
                    top += 1
                    entry = _Known(top, item.id, 0, True, "", checksum(b""), None)
                    known[item.id] = entry
                    put(entry, b"")
                    outcomes.append(Outcome("tombstone", item.id))
                elif entry.deleted:
                    outcomes.append(Outcome("unchanged", item.id))
                else:
                    self._bury(entry)
                    put(entry, b"")
                    outcomes.append(Outcome("deleted", item.id))
                continue

            same = self._same_paper(item, known, names)
            body = _encode(item)
            content = checksum(body)
            if not same:
                top += 1
                entry = _Known(top, item.id, 0, False, item.revised, content, item)
                known[item.id] = entry
                self._name(entry, item, names, new_names)
                put(entry, body)
                outcomes.append(Outcome("added", item.id))
                continue
            entry = same[0]
            if entry.deleted and not revive and item.revised <= entry.revised:
                outcomes.append(Outcome("tombstone", item.id))
                continue
            if item.revised < entry.revised and not entry.deleted and item.id == entry.id:
                outcomes.append(Outcome("older", item.id))
                continue
            if content == entry.content and len(same) == 1 and not entry.deleted:
                outcomes.append(Outcome("unchanged", item.id))
                continue
            document = item
            joined = len(same) > 1 or entry.id != item.id
            if joined:
                for other in same:
                    if other.document is not None:
                        document = join(other.document, document)
                for other in same[1:]:
                    self._bury(other)
                    put(other, b"")
                    names["id", other.id] = entry
                    new_names.append(("id", other.id, entry.row))
            id = canonical(entry.id, document) if joined else entry.id
            if id != entry.id:
                known.pop(entry.id, None)
                names["id", entry.id] = entry
                new_names.append(("id", entry.id, entry.row))
                entry.id = id
                known[id] = entry
            document = msgspec.structs.replace(document, id=id) if document.id != id else document
            body = _encode(document)
            if checksum(body) == entry.content and len(same) == 1 and not entry.deleted:
                outcomes.append(Outcome("unchanged", item.id))
                continue
            entry.deleted = False
            entry.revised = max(document.revised, entry.revised)
            entry.content, entry.document = checksum(body), document
            self._name(entry, document, names, new_names)
            if item.id != id:
                names["id", item.id] = entry
                new_names.append(("id", item.id, entry.row))
            put(entry, body)
            outcomes.append(Outcome("joined" if joined else "replaced", item.id))

        connection.executemany(
            "INSERT INTO documents (row, id, seq, born, deleted, revised, content, body, checksum) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (row) DO UPDATE SET id = excluded.id, "
            "seq = excluded.seq, deleted = excluded.deleted, revised = excluded.revised, "
            "content = excluded.content, body = excluded.body, checksum = excluded.checksum",
            (
                (
                    entry.row,
                    entry.id,
                    at,
                    entry.born,
                    int(entry.deleted),
                    entry.revised,
                    entry.content,
                    body,
                    checksum(
                        entry.id,
                        at,
                        entry.born,
                        int(entry.deleted),
                        entry.revised,
                        entry.content,
                    ),
                )
                for entry, at, body in changed.values()
            ),
        )
        connection.executemany(
            "INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?)",
            ((*name, checksum(*name)) for name in new_names),
        )
        changes = [
            Change(
                entry.row,
                entry.id,
                at,
                entry.born,
                None if entry.deleted else entry.document,
            )
            for entry, at, _ in changed.values()
        ]
        return changes, outcomes

    @staticmethod
    def _bury(entry: _Known) -> None:
        entry.deleted, entry.document, entry.content = True, None, checksum(b"")

    @staticmethod
    def _name(
        entry: _Known,
        document: Document,
        names: dict[tuple[str, str], _Known],
        new_names: list[tuple[str, str, int]],
    ) -> None:
        for name in identity_names(document):
            if names.get(name) is not entry:
                names[name] = entry
                new_names.append((*name, entry.row))

    @staticmethod
    def _same_paper(
        document: Document, known: dict[str, _Known], names: dict[tuple[str, str], _Known]
    ) -> list[_Known]:
        """The rows that this document is: by id first, then by PMID, DOI, PMCID, earlier id."""
        candidates = [known.get(document.id), names.get(("id", document.id))]
        candidates += [names.get(name) for name in identity_names(document)]
        found = {entry.row: entry for entry in candidates if entry is not None}
        if len(found) < 2:
            return list(found.values())
        living = [entry for entry in found.values() if not entry.deleted]
        return living or list(found.values())[:1]

    def _look_up(
        self, connection: sqlite3.Connection, batch: Sequence[Document | Deletion]
    ) -> tuple[dict[str, _Known], dict[tuple[str, str], _Known]]:
        """What the truth knows of a batch's ids and names, in two queries."""
        wanted: set[str] = set()
        asked: list[tuple[str, str]] = []
        for item in batch:
            wanted.add(item.id)
            asked.append(("id", item.id))
            if isinstance(item, Document):
                asked.extend(identity_names(item))
        rows: set[int] = set()
        by_name: list[tuple[str, str, int, int]] = connection.execute(
            "SELECT names.scheme, names.value, document, checksum FROM names JOIN "
            "(SELECT value ->> 0 AS scheme, value ->> 1 AS value FROM json_each(?)) AS asked "
            "ON names.scheme = asked.scheme AND names.value = asked.value",
            (json.dumps(asked),),
        ).fetchall()
        for scheme, value, row, expected in by_name:
            holds(expected, scheme, value, row, what=f"the name {value}")
            rows.add(row)
        known: dict[str, _Known] = {}
        by_row: dict[int, _Known] = {}
        for found in connection.execute(
            f"SELECT row, {FULL_ROW} FROM documents WHERE id IN (SELECT value FROM json_each(?)) "
            "OR row IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(wanted)), json.dumps(sorted(rows))),
        ):
            number, id, _, born, deleted, revised, content = found[:7]
            document = None if deleted else load(found[1:])
            known[id] = by_row[number] = _Known(
                number, id, born, bool(deleted), revised, content, document
            )
        names = {(scheme, value): by_row[row] for scheme, value, row, _ in by_name if row in by_row}
        return known, names
