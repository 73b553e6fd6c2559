"""Taking patients' records out for good (P21): by patient, or by source.

Rows are deleted with their pages overwritten, the log of changes is emptied, and the derived copy
of the records goes: it is made again from what is left. No tombstone stays, for it would name the
patient; a file that is read again (``--again``) brings its patients back. Of a file that held
nobody else the name goes too, for files are often named after their patient.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import msgspec

from osler.errors import UnknownId
from osler.records.ids import PREFIX, SHARED, key_of, source_of, text_of
from osler.store import joins
from osler.store.erasure import READERS
from osler.store.facts import FactRows
from osler.store.graph_rows import RECORDS
from osler.store.sources import Sources, sources_in
from osler.store.truth import Truth, checksum
from osler.text.counted import counted

LEFT = "the derived copy of the records could not be deleted: delete the folder derived/records"
WHOLE_ID = "give the whole id, as answers and osler status show it: record:SOURCE/ID"
NAMELESS = "removed records"
"""What the ledger calls a file whose patients are all gone."""


class RecordsErased(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken out of patients' records, and what is left to do."""

    facts: int = 0
    patients: int = 0
    """Patients, as the sources count them: one who was joined counts in each."""
    notes: list[str] = []

    def __str__(self) -> str:
        return (
            f"{counted(self.patients, 'patient')} removed, {counted(self.facts, 'fact')}; "
            "freed pages overwritten"
        )


def remove_patient(truth: Truth, patient: str, copy: Path) -> RecordsErased:
    """Every fact, node and edge of a person, in all sources that were joined.
    ``copy`` is the folder of the derived arrays of the records."""
    facts = FactRows(truth)
    with truth.transaction() as connection:
        own = facts.own_ids(connection, patient) or _in_graph(connection, patient)
        if not own:
            raise UnknownId("the library holds no patient of that id", cure=WHOLE_ID)
        numbers = _files_of(connection, own)
        count = facts.remove_patient(connection, patient)
        # Rejects and notes name records by their ids, and the patient's own by the patient's.
        held = json.dumps(sorted({text_of(id.rpartition("/")[2]) for id in own}))
        for table in _listing(connection):
            connection.execute(
                f"DELETE FROM {table} WHERE file IN (SELECT value FROM json_each(?)) "
                "AND id IN (SELECT value FROM json_each(?))",
                (json.dumps(numbers), held),
            )
        _unname_files(connection, numbers)
        for name in {source_of(id) for id in own}:
            if not _holds(connection, f"{PREFIX}{key_of(name)}/"):
                Sources(truth).forget(connection, name)
        joins.apply(connection)
    return RecordsErased(facts=count, patients=len(own), notes=_settle(truth, copy))


def remove_source(truth: Truth, name: str, copy: Path) -> RecordsErased:
    """Everything that was read under a source's name, and the ledger's lines on its files."""
    facts = FactRows(truth)
    with truth.transaction() as connection:
        below = f"{PREFIX}{key_of(name)}/"
        numbers = [
            number
            for (number,) in connection.execute(
                "SELECT DISTINCT source FROM facts WHERE id >= ? AND id < ?", (below, _after(below))
            )
        ]
        named = sources_in(connection)
        if not numbers and name not in named:
            raise UnknownId(f"the library holds no source {name}", cure="osler status lists them")
        patients = _patients_below(connection, below)
        count = facts.remove_below(connection, below)
        facts.remove_below(connection, f"{SHARED}{key_of(name)}/")
        _forget_files(connection, numbers, named.get(name, []))
        Sources(truth).forget(connection, name)
        joins.apply(connection)
    return RecordsErased(facts=count, patients=patients, notes=_settle(truth, copy))


def at_stake(truth: Truth, *, patient: str = "", source: str = "") -> RecordsErased:
    """What a removal would take out, counted and left where it is."""
    facts = FactRows(truth)
    with truth.snapshot() as connection:
        if patient:
            own = facts.own_ids(connection, patient) or _in_graph(connection, patient)
            if not own:
                raise UnknownId("the library holds no patient of that id", cure=WHOLE_ID)
            places = [(id, f"{id}/") for id in own]
            patients = len(own)
        else:
            below = f"{PREFIX}{key_of(source)}/"
            places, patients = [(below, below)], _patients_below(connection, below)
            if not _holds(connection, below) and source not in sources_in(connection):
                raise UnknownId(
                    f"the library holds no source {source}", cure="osler status lists them"
                )
        count = sum(
            connection.execute(
                "SELECT count(*) FROM facts WHERE id = ? OR (id >= ? AND id < ?)",
                (id, below, _after(below)),
            ).fetchone()[0]
            for id, below in places
        )
    return RecordsErased(facts=count, patients=patients)


def _patients_below(connection: sqlite3.Connection, below: str) -> int:
    (patients,) = connection.execute(
        "SELECT count(*) FROM facts WHERE id >= ? AND id < ? AND kind = 'patient' "
        "AND name = 'id' AND part_of = ''",
        (below, _after(below)),
    ).fetchone()
    return int(patients)


def _files_of(connection: sqlite3.Connection, own: list[str]) -> list[int]:
    """The ledger's numbers of the files that patients' facts came from."""
    files: set[int] = set()
    for id in own:
        rows = connection.execute(
            "SELECT DISTINCT source FROM facts WHERE id = ? OR (id >= ? AND id < ?)",
            (id, f"{id}/", _after(f"{id}/")),
        )
        files.update(number for (number,) in rows)
    return sorted(files)


def _unname_files(connection: sqlite3.Connection, numbers: list[int]) -> None:
    """The ledger knows the file again by its content alone, so that adding a folder once more
    does not bring back who was taken out of it."""
    rows = connection.execute(
        "SELECT number, fingerprint, format, state, position, counts, error FROM files "
        "WHERE number IN (SELECT value FROM json_each(?)) "
        "AND number NOT IN (SELECT source FROM facts)",
        (json.dumps(numbers),),
    ).fetchall()
    for number, fingerprint, *rest in rows:
        connection.execute(
            "UPDATE files SET name = ?, checksum = ? WHERE number = ?",
            (NAMELESS, checksum(number, fingerprint, NAMELESS, *rest), number),
        )


def _holds(connection: sqlite3.Connection, below: str) -> bool:
    """Whether anything of a source is left, as facts or in the graph."""
    return any(
        connection.execute(
            f"SELECT 1 FROM {table} WHERE id >= ? AND id < ? LIMIT 1", (below, _after(below))
        ).fetchone()
        for table in ("facts", "entities")
    )


def _forget_files(connection: sqlite3.Connection, numbers: list[int], origins: list[str]) -> None:
    """The ledger's lines on files that facts came from, and on those of the source's names: a file
    that was read twice has another line than its facts say. Another source's file of the same name
    keeps its line: its facts are still there."""
    names = [Path(origin).name for origin in origins]
    rows = connection.execute(
        "SELECT number FROM files WHERE number NOT IN (SELECT source FROM facts) AND "
        "(number IN (SELECT value FROM json_each(?)) "
        "OR name IN (SELECT value FROM json_each(?)))",
        (json.dumps(numbers), json.dumps(names)),
    ).fetchall()
    for table in _listing(connection):
        connection.executemany(f"DELETE FROM {table} WHERE file = ?", rows)
    connection.executemany("DELETE FROM files WHERE number = ?", rows)


def _listing(connection: sqlite3.Connection) -> list[str]:
    """The tables that name records of a file; an older library may lack one of them."""
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('rejects', 'notes')"
    )
    return [name for (name,) in rows]


def _after(below: str) -> str:
    """The first text that no longer begins with a prefix that ends in a slash."""
    return f"{below[:-1]}0"


def _in_graph(connection: sqlite3.Connection, patient: str) -> list[str]:
    """A patient of a library that was read before there were facts."""
    row = connection.execute(
        "SELECT id FROM entities WHERE graph = ? AND id = ?", (RECORDS, patient)
    ).fetchone()
    return [row[0]] if row else []


def _settle(truth: Truth, copy: Path) -> list[str]:
    """Clear away what is derived, and the log, which holds what the pages were before; what could
    not be cleared away yet is told."""
    shutil.rmtree(copy, ignore_errors=True)
    notes = [LEFT] if copy.exists() else []
    return notes if truth.clear_log() else [*notes, READERS]
