"""Taking patients' records out for good (P21): by patient, or by source.

Rows are deleted with their pages overwritten, the log of changes is emptied, and the derived copy
of the records goes: it is made again from what is left. No tombstone stays, for it would name the
patient; a file that is read again brings its patients back.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

from osler.errors import UnknownId
from osler.records.ids import PREFIX, key_of, text_of
from osler.store import joins
from osler.store.facts import FactRows
from osler.store.graph_rows import RECORDS
from osler.store.sources import Sources, sources_in
from osler.store.truth import Truth


def remove_patient(truth: Truth, patient: str, copy: Path) -> int:
    """Every fact, node and edge of a person, in all sources that were joined; how many facts.
    ``copy`` is the folder of the derived arrays of the records."""
    facts = FactRows(truth)
    with truth.transaction() as connection:
        own = facts.own_ids(connection, patient) or _in_graph(connection, patient)
        if not own:
            raise UnknownId("the library holds no patient of that id")
        count = facts.remove_patient(connection, patient)
        for id in own:
            # Rejects name records by their ids, and the patient's own record by the patient's.
            connection.execute(
                "DELETE FROM rejects WHERE id = ?", (text_of(id.rpartition("/")[2]),)
            )
    _settle(truth, copy)
    return count


def remove_source(truth: Truth, name: str, copy: Path) -> int:
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
        count = facts.remove_below(connection, below)
        facts.remove_below(connection, f"source:{key_of(name)}/")
        _forget_files(connection, numbers, named.get(name, []))
        Sources(truth).forget(connection, name)
        joins.apply(connection)
    _settle(truth, copy)
    return count


def _forget_files(connection: sqlite3.Connection, numbers: list[int], origins: list[str]) -> None:
    """The ledger's lines on files that facts came from, and on those of the source's names: a file
    that was read twice has another line than its facts say."""
    names = [Path(origin).name for origin in origins]
    rows = connection.execute(
        "SELECT number FROM files WHERE number IN (SELECT value FROM json_each(?)) "
        "OR name IN (SELECT value FROM json_each(?))",
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


def _settle(truth: Truth, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    # The log holds what the pages were before. Where a reader still needs it, the last to leave
    # empties it.
    truth.clear_log()
