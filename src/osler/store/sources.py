"""Named sources of patient records: which file or folder is which, remembered in the truth.

A patient's identity is the source's own id inside a named source (P18). Without a name given, each
file or folder is a source of its own: its file name, and a number where another has that name.
"""

from __future__ import annotations

import sqlite3

from osler.errors import InputError
from osler.store.truth import Truth, checksum, holds


class Sources:
    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    def all(self) -> dict[str, list[str]]:
        """Names with the files or folders that were read under them."""
        with self.truth.snapshot() as connection:
            return sources_in(connection)

    def name(
        self, connection: sqlite3.Connection, origin: str, *, default: str, given: str = ""
    ) -> str:
        """The name of the source at ``origin`` (a whole path), remembered from now on."""
        named = sources_in(connection)
        held = next((name for name, origins in named.items() if origin in origins), "")
        if held and given and given != held:
            raise InputError(
                f"these records were read before as the source {held}",
                cure=f"give --source {held}, or remove that source first",
            )
        if held:
            return held
        name, number = given or default, 1
        while not given and name in named:
            number += 1
            name = f"{default}-{number}"
        connection.execute(
            "INSERT INTO sources VALUES (?, ?, ?)", (origin, name, checksum(origin, name))
        )
        return name

    def forget(self, connection: sqlite3.Connection, name: str) -> None:
        connection.execute("DELETE FROM sources WHERE name = ?", (name,))


def sources_in(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Names with their files or folders, as one connection sees them."""
    named: dict[str, list[str]] = {}
    rows = connection.execute("SELECT origin, name, checksum FROM sources ORDER BY origin")
    for origin, name, expected in rows:
        holds(expected, origin, name, what=f"the source {name}")
        named.setdefault(name, []).append(origin)
    return named
