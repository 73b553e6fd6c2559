"""Libraries of earlier formats, brought to the present one when they are opened.

| format | what is new in it |
| --- | --- |
| 1 | the first |
| 2 | a checksum in every row: names of documents, the ledger of files, its rejects |
| 3 | facts of patients, their codes, named sources and joins of them |
"""

from __future__ import annotations

import logging
import re
import shutil
import sqlite3
from importlib import resources
from typing import Any

from osler.errors import LibraryError, VersionError
from osler.store.layout import FORMAT, Layout
from osler.store.lock import Lock
from osler.store.truth import Truth, checksum

log = logging.getLogger(__name__)

_ADDED = {
    "names": "scheme, value, document",
    "files": "number, fingerprint, name, format, state, position, counts, error",
    "rejects": "file, place, id, reason",
}
"""Tables that had no checksum in format 1, with the columns that it covers."""


def has_checksums(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a table has a column of checksums; false before a library's upgrade."""
    return any(row[1] == "checksum" for row in connection.execute(f"PRAGMA table_info({table})"))


def upgraded(layout: Layout) -> dict[str, Any]:
    """The library's card, after bringing an older library up to the present format.

    All or nothing: the tables change in one transaction, the card after it, and a kill in between
    only means that the next opening finds nothing left to do.
    """
    card = layout.read_card()
    if int(card["format"]) == FORMAT:
        return card
    try:
        with Lock(layout.write_lock, what="writing to this library"):
            truth = Truth(layout.truth)
            try:
                with truth.transaction() as connection:
                    for table, columns in _ADDED.items():
                        if not has_checksums(connection, table):
                            _add_checksums(connection, table, columns)
                    add_facts(connection)
            finally:
                truth.close()
            # The records' copy had another stamp; it is derived and made again when it is needed.
            shutil.rmtree(layout.derived / "records", ignore_errors=True)
            layout.write_card(engine=card.get("engine", {"name": "embedded"}))
    except LibraryError as error:
        raise VersionError(
            f"the library has format {card['format']} and cannot be brought to format {FORMAT}: "
            f"{error.message}",
            cure="open it once where it can be written",
        ) from None
    log.info("the library was brought from format %s to %s", card["format"], FORMAT)
    return layout.read_card()


def add_facts(connection: sqlite3.Connection) -> None:
    """The tables of facts, where they are missing; inside the caller's transaction."""
    script = resources.files("osler.store").joinpath("facts.sql").read_text("utf-8")
    # Not executescript: that would commit what the caller has begun.
    for statement in re.sub(r"--[^\n]*", "", script).split(";"):
        if statement.strip():
            connection.execute(statement)


def _add_checksums(connection: sqlite3.Connection, table: str, columns: str) -> None:
    connection.execute(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")
    key = "scheme = ? AND value = ?" if table == "names" else "rowid = ?"
    marks = "scheme, value" if table == "names" else "rowid"
    rows = connection.execute(f"SELECT {columns}, {marks} FROM {table}").fetchall()
    width = len(columns.split(", "))
    connection.executemany(
        f"UPDATE {table} SET checksum = ? WHERE {key}",
        ((checksum(*row[:width]), *row[width:]) for row in rows),
    )
