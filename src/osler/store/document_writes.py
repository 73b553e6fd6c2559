"""A batch of documents on its way into the truth: which paper each is, and what becomes of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from osler.kinds import Deletion, Document
from osler.store import marks
from osler.store.document_rows import FULL_ROW, Change, encode, load
from osler.store.identity import EARLIER, apart, canonical, differ, identity_names, join
from osler.store.truth import Truth, checksum, holds

Name = tuple[str, str]


class Outcome(NamedTuple):
    """What became of one item of a batch: a word of ``account.FATES``, the id that it goes by now,
    and what there is to say about it."""

    what: str
    id: str
    note: str = ""


@dataclass(slots=True)
class _Known:
    """A row as the batch sees it: what the truth holds, or what the batch has just put there."""

    row: int
    id: str
    born: int
    deleted: bool
    revised: str
    content: int
    document: Document | None


class Writing:
    """One batch, inside the caller's transaction."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        batch: Sequence[Document | Deletion],
        *,
        revive: bool,
        keep: bool,
        own_ids: bool,
    ) -> None:
        self.connection = connection
        self.batch = batch
        self.revive = revive
        self.keep = keep
        self.own_ids = own_ids
        self.known: dict[str, _Known] = {}
        self.names: dict[Name, _Known] = {}
        self.new_names: list[tuple[str, str, int]] = []
        self.changed: dict[int, tuple[_Known, int, bytes]] = {}
        self._look_up()
        self.top = marks.top_row(connection)
        self.seq = Truth.take(connection, 2 * len(batch))

    def run(self) -> tuple[list[Change], list[Outcome]]:
        outcomes = [
            self._delete(item) if isinstance(item, Deletion) else self._add(item)
            for item in self.batch
        ]
        self._save()
        changes = [
            Change(entry.row, entry.id, at, entry.born, None if entry.deleted else entry.document)
            for entry, at, _ in self.changed.values()
        ]
        return changes, outcomes

    # -- one item ------------------------------------------------------------------------------

    def _delete(self, item: Deletion) -> Outcome:
        entry = self.known.get(item.id)
        if entry is None:
            self._put(self._new(item.id, None), b"")
            return Outcome("withdrawn", item.id)
        if entry.deleted:
            return Outcome("unchanged", item.id)
        self._bury(entry)
        return Outcome("withdrawn", item.id)

    def _add(self, item: Document) -> Outcome:
        given = item.id
        same, why = self._same_paper(item)
        note = ""
        if why:
            note = f"{why}: it is another paper"
            there = self.known.get(apart(item))
            if there in same or (not same and self._holder(given) is not None):
                item = msgspec.structs.replace(item, id=apart(item))
                note += f", held as {item.id}"
                same = same or ([there] if there is not None else [])
        if not same:
            entry = self._new(item.id, item)
            self._name(entry, item)
            self._put(entry, encode(item))
            return Outcome("stored", item.id, note)
        # The row that bears the paper's PMID stays, and takes the others in.
        pmid = canonical("", item)
        entry = next((one for one in same if one.id == pmid), same[0])
        same = [entry, *(one for one in same if one is not entry)]
        if entry.deleted and not self.revive and item.revised <= entry.revised:
            return Outcome("skipped", item.id, "it was removed before; --revive brings it back")
        if item.revised < entry.revised and not entry.deleted and item.id == entry.id:
            return Outcome("skipped", item.id, "the library holds a newer revision")
        alone = len(same) == 1 and not entry.deleted
        if alone and checksum(encode(item)) == entry.content:
            return Outcome("unchanged", item.id)
        return self._unite(entry, same, item, given)

    def _unite(self, entry: _Known, same: list[_Known], item: Document, given: str) -> Outcome:
        """One document out of the coming one and all that are the same paper."""
        known_as = entry.id
        by_name = len(same) > 1 or entry.id != item.id
        document, said = item, ""
        overwritten = not by_name
        if by_name or self.keep:
            overwritten = False
            for other in same:
                if other.document is not None:
                    joined = join(other.document, document)
                    document, said = joined.document, joined.said
                    overwritten = overwritten or bool(joined.changed)
        alone = len(same) == 1 and not entry.deleted
        for other in same[1:]:
            self._bury(other)
            self._rename(other.id, entry)
        id = canonical(entry.id, document) if by_name else entry.id
        if id != entry.id and self._taken(id):
            id = entry.id
        if id != entry.id:
            self.known.pop(entry.id, None)
            self._rename(entry.id, entry)
            entry.id = id
            self.known[id] = entry
        if document.id != id:
            document = msgspec.structs.replace(document, id=id)
        body = encode(document)
        if alone and checksum(body) == entry.content:
            if by_name:
                return Outcome("merged", id, f"the same paper as {known_as}, which holds it all")
            return Outcome("unchanged", id, said)
        entry.deleted = False
        entry.revised = max(document.revised, entry.revised)
        entry.content, entry.document = checksum(body), document
        self._name(entry, document)
        if given != id and item.id == given:
            self._rename(given, entry)
        self._put(entry, body)
        if by_name:
            return Outcome("merged", id, "; ".join(filter(None, (_paper(known_as, given), said))))
        return Outcome("replaced" if overwritten or not alone else "merged", id, said)

    # -- which paper it is ---------------------------------------------------------------------

    def _holder(self, id: str) -> _Known | None:
        return self.known.get(id) or self.names.get((EARLIER, id))

    def _same_paper(self, document: Document) -> tuple[list[_Known], str]:
        """The rows that this document is: by id first, then by PMID, DOI, PMCID, earlier id; and
        why another row with one of these names is not it."""
        by_id = self._holder(document.id)
        candidates: dict[int, _Known] = {}
        why = ""
        for entry in (by_id, *(self.names.get(name) for name in _asked(document))):
            if entry is None or entry.row in candidates:
                continue
            other = ""
            if entry.document is not None and not (self.own_ids and entry is by_id):
                other = differ(entry.document, document)
            if other:
                why = f"{other} than {entry.id}, with which it shares a name"
            else:
                candidates[entry.row] = entry
        if len(candidates) < 2:
            return list(candidates.values()), why
        living = [entry for entry in candidates.values() if not entry.deleted]
        return living or list(candidates.values())[:1], why

    def _name(self, entry: _Known, document: Document) -> None:
        """The document's names point at its row; one that another paper holds stays there, and
        this one's gets the title's digest beside it."""
        for scheme, value in identity_names(document):
            holder = self.names.get((scheme, value))
            if holder is entry:
                continue
            if holder is not None and not holder.deleted:
                value = _own(value, document)
                if self.names.get((scheme, value)) is entry:
                    continue
            self.names[scheme, value] = entry
            self.new_names.append((scheme, value, entry.row))

    def _rename(self, id: str, entry: _Known) -> None:
        self.names[EARLIER, id] = entry
        self.new_names.append((EARLIER, id, entry.row))

    def _taken(self, id: str) -> bool:
        """Whether a row, living or not, bears the id: a row's id is its own for ever."""
        if id in self.known:
            return True
        row = self.connection.execute("SELECT 1 FROM documents WHERE id = ?", (id,)).fetchone()
        return row is not None

    # -- rows ----------------------------------------------------------------------------------

    def _new(self, id: str, document: Document | None) -> _Known:
        self.top += 1
        content = checksum(encode(document) if document is not None else b"")
        revised = document.revised if document is not None else ""
        entry = _Known(self.top, id, 0, document is None, revised, content, document)
        self.known[id] = entry
        return entry

    def _bury(self, entry: _Known) -> None:
        entry.deleted, entry.document, entry.content = True, None, checksum(b"")
        self._put(entry, b"")

    def _put(self, entry: _Known, body: bytes) -> None:
        if not entry.born:
            entry.born = self.seq
        self.changed.pop(entry.row, None)  # a later change of the same row takes a later place
        self.changed[entry.row] = (entry, self.seq, body)
        self.seq += 1

    def _save(self) -> None:
        rows = []
        for entry, at, body in self.changed.values():
            fixed = (entry.id, at, entry.born, int(entry.deleted), entry.revised, entry.content)
            rows.append((entry.row, *fixed, body, checksum(*fixed)))
        self.connection.executemany(
            "INSERT INTO documents (row, id, seq, born, deleted, revised, content, body, checksum) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (row) DO UPDATE SET id = excluded.id, "
            "seq = excluded.seq, deleted = excluded.deleted, revised = excluded.revised, "
            "content = excluded.content, body = excluded.body, checksum = excluded.checksum",
            rows,
        )
        self.connection.executemany(
            "INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?)",
            ((*name, checksum(*name)) for name in self.new_names),
        )
        marks.note_row(self.connection, self.top)

    def _look_up(self) -> None:
        """What the truth knows of the batch's ids and names, in two queries."""
        wanted: set[str] = set()
        asked: list[Name] = []
        for item in self.batch:
            wanted.add(item.id)
            asked.append((EARLIER, item.id))
            if isinstance(item, Document):
                wanted.add(apart(item))
                asked.extend(_asked(item))
        rows: set[int] = set()
        by_name: list[tuple[str, str, int, int]] = self.connection.execute(
            "SELECT names.scheme, names.value, document, checksum FROM names JOIN "
            "(SELECT value ->> 0 AS scheme, value ->> 1 AS value FROM json_each(?)) AS asked "
            "ON names.scheme = asked.scheme AND names.value = asked.value",
            (json.dumps(asked),),
        ).fetchall()
        for scheme, value, row, expected in by_name:
            holds(expected, scheme, value, row, what=f"the name {value}")
            rows.add(row)
        by_row: dict[int, _Known] = {}
        for columns in self.connection.execute(
            f"SELECT row, {FULL_ROW} FROM documents WHERE id IN (SELECT value FROM json_each(?)) "
            "OR row IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(wanted)), json.dumps(sorted(rows))),
        ):
            number, id, _, born, deleted, revised, content = columns[:7]
            document = None if deleted else load(columns[1:])
            self.known[id] = by_row[number] = _Known(
                number, id, born, bool(deleted), revised, content, document
            )
        for scheme, value, row, _ in by_name:
            if row in by_row:
                self.names[scheme, value] = by_row[row]


def _own(value: str, document: Document) -> str:
    return value + apart(document).removeprefix(document.id)


def _asked(document: Document) -> list[Name]:
    """The names to look a document up by: each as it is, and as it stands where two papers share
    it."""
    names = identity_names(document)
    return names + [(scheme, _own(value, document)) for scheme, value in names]


def _paper(known_as: str, given: str) -> str:
    return f"the same paper as {known_as}" if known_as != given else "two names of one paper"
