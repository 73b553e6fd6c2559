"""Joining patients of several sources, by a rule that a person wrote, and taking it back.

The rule is an identifier system (a national number, a hospital's record number) that both sources
carry: patients of different sources with the same identifier in it are one person. Two patients of
one source with the same identifier are a contradiction: nobody is joined by it, and it is told.
The column ``patient`` of the facts then names the first of a person's ids; each fact's body, and
its id, keep the source's own, so that nothing is lost when the rule is taken back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

from osler.records.ids import owner
from osler.store.facts import LISTED
from osler.store.truth import Truth, checksum, holds


@dataclass(frozen=True)
class Joined:
    """What the rules made of the sources: rules, people with more than one id, identifiers that two
    patients of one source carry."""

    systems: list[str] = field(default_factory=list)
    people: dict[str, list[str]] = field(default_factory=dict)
    doubtful: list[tuple[str, list[str]]] = field(default_factory=list)


class Joins:
    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    def listed(self) -> Joined:
        """The rules and whom they joined."""
        with self.truth.snapshot() as connection:
            return _joined(connection)

    def add(self, system: str) -> Joined:
        """Join by an identifier system from now on, also what is read later."""
        with self.truth.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO joins VALUES (?, ?)", (system, checksum(system))
            )
            return apply(connection)

    def remove(self, system: str) -> Joined:
        """Take a rule back: everybody whom it joined is apart again."""
        with self.truth.transaction() as connection:
            connection.execute("DELETE FROM joins WHERE system = ?", (system,))
            return apply(connection)


def apply(connection: sqlite3.Connection) -> Joined:
    """Bring the facts in line with the rules, inside the caller's transaction."""
    joined = _joined(connection)
    wanted = {own: person for person, ids in joined.people.items() for own in ids}
    held: dict[str, str] = dict(
        connection.execute(
            "SELECT id, patient FROM facts WHERE kind = 'patient' AND name = 'id' AND part_of = ''"
        ).fetchall()
    )
    for own, patient in held.items():
        person = wanted.get(own, own)
        if person != patient:
            _move(connection, own, person)
    return joined


def _rules(connection: sqlite3.Connection) -> list[str]:
    systems = []
    for system, expected in connection.execute("SELECT * FROM joins ORDER BY system"):
        holds(expected, system, what=f"the join by {system}")
        systems.append(system)
    return systems


def _joined(connection: sqlite3.Connection) -> Joined:
    systems = _rules(connection)
    same: dict[str, str] = {}
    doubtful: list[tuple[str, list[str]]] = []
    for system in systems:
        carriers: dict[str, set[str]] = {}
        rows = connection.execute(
            "SELECT code, id FROM fact_codes JOIN facts ON facts.row = fact_codes.fact "
            "WHERE system = ? AND kind = 'patient' AND name = 'identifier'",
            (system,),
        )
        for value, id in rows:
            carriers.setdefault(value, set()).add(owner(id))
        for ids in carriers.values():
            if len({id.rpartition("/")[0] for id in ids}) < len(ids):
                doubtful.append((system, sorted(ids)))
            else:
                _unite(same, ids)
    people: dict[str, list[str]] = {}
    for id in sorted(same):
        people.setdefault(_first(same, id), []).append(id)
    return Joined(systems, {p: ids for p, ids in people.items() if len(ids) > 1}, doubtful)


def _first(same: dict[str, str], id: str) -> str:
    while same.setdefault(id, id) != id:
        id = same[id]
    return id


def _unite(same: dict[str, str], ids: Iterable[str]) -> None:
    firsts = sorted({_first(same, id) for id in ids})
    for id in firsts[1:]:
        same[id] = firsts[0]


def _move(connection: sqlite3.Connection, own: str, person: str) -> None:
    """Give all facts of a source's patient to a person; '0' follows '/', so that the range holds
    the patient's own facts and nobody else's."""
    rows = connection.execute(
        f"SELECT row, {LISTED} FROM facts WHERE id = ? OR (id >= ? AND id < ?)",
        (own, f"{own}/", f"{own}0"),
    ).fetchall()
    first = Truth.take(connection, len(rows)) if rows else 0
    for seq, (row, *columns) in enumerate(rows, first):
        columns[1], columns[-2] = person, seq
        connection.execute(
            "UPDATE facts SET patient = ?, seq = ?, checksum = ? WHERE row = ?",
            (person, seq, checksum(*columns), row),
        )
