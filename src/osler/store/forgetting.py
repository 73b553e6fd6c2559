"""What people decided about papers that are taken out for good: nothing of it names them any more.

A review must still add up: in its log and in saved searches a name that says nothing stands in the
paper's place, the same one everywhere, and the verdicts stay. What a person wrote of the paper
(notes, tags), marks of relevance, decisions on its facts and the ledger's notes on it are deleted.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from osler.store.decisions import APART, TAKEN_BACK
from osler.store.projects import TABLE
from osler.store.truth import Truth, checksum

REMOVED = "removed:"
"""How a name begins that stands in a removed paper's place."""
_WRITTEN = ("note", "tags")
_APART = "\x1f"


def is_removed(id: str) -> bool:
    """Whether a paper of a log is one that was taken out."""
    return id.startswith(REMOVED)


def forget(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    """Inside the transaction that takes the papers out."""
    first = Truth.take(connection, len(ids) + 1)
    names = {id: f"{REMOVED}{first + place}" for place, id in enumerate(sorted(ids))}
    listed = json.dumps(sorted(ids))
    inside = "(SELECT value FROM json_each(?))"
    _rewrite(connection, names)
    connection.execute(f"DELETE FROM judgements WHERE document IN {inside}", (listed,))
    _forget_queries(connection, names)
    _forget_pairs(connection, names)
    for table in ("rejects", "notes"):
        if _has(connection, table):
            connection.execute(f"DELETE FROM {table} WHERE id IN {inside}", (listed,))
    # Rows that are gone leave no number behind: what was learned from them is told here.
    connection.execute(
        "INSERT OR REPLACE INTO meta VALUES (?, ?)", (TAKEN_BACK, str(first + len(ids)))
    )


def _rewrite(connection: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """Logs of reviews and saved searches, each row that names one of the papers."""
    tables = (("searches", "name", "name, body, seq"), (TABLE, "seq", "seq, project, kind, body"))
    for table, key, columns in tables:
        if not _has(connection, table):
            continue
        held = columns.split(", ")
        for row in connection.execute(f"SELECT {columns} FROM {table}").fetchall():
            values = dict(zip(held, row, strict=True))
            before = msgspec.json.decode(values["body"])
            after = without(before, names)
            if after == before:
                continue
            values["body"] = msgspec.json.encode(after)
            connection.execute(
                f"UPDATE {table} SET body = ?, checksum = ? WHERE {key} = ?",
                (values["body"], checksum(*(values[name] for name in held)), values[key]),
            )


def without(value: Any, names: Mapping[str, str]) -> Any:
    """A plain value with each name put in place of its paper; what is about one of the papers
    loses what a person wrote of it."""
    match value:
        case str():
            return names.get(value, value)
        case list():
            return [without(one, names) for one in value]
        case dict():
            about = value.get("document")
            dropped = _WRITTEN if isinstance(about, str) and about in names else ()
            return {
                names.get(key, key): without(one, names)
                for key, one in value.items()
                if key not in dropped
            }
    return value


def _forget_queries(connection: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """Queries that are about one paper alone: what was said of its facts."""
    keys = [key for (key,) in connection.execute("SELECT id FROM queries").fetchall()]
    gone = [(key,) for key in keys if _APART in key and names.keys() & set(key.split(_APART))]
    connection.executemany("DELETE FROM queries WHERE id = ?", gone)


def _forget_pairs(connection: sqlite3.Connection, names: Mapping[str, str]) -> None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (APART,)).fetchone()
    if row is not None:
        kept = [pair for pair in json.loads(row[0]) if not names.keys() & set(pair)]
        connection.execute("UPDATE meta SET value = ? WHERE key = ?", (json.dumps(kept), APART))


def _has(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a library has come to have a table that older ones lack."""
    return bool(
        connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    )
