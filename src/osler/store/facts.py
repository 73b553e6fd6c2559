"""Facts of patients in the truth: rows that know when, whether and whose.

What those who ask may build on (the tables stand in ``facts.sql``):

- One row a fact. Every column but ``body`` and ``checksum`` may be filtered on; text that was not
  said is ``''``, a number that was not said is NULL. ``body`` is the whole ``Fact`` as JSON.
- ``patient`` is whom the fact is of. Where a person joined two sources it is the same for both; the
  body keeps the source's own. It is never empty and never shared by two people.
- Facts with ``role = 'other'`` may be of a ``patient`` that is nobody (no row ``id``).
- ``kind = 'patient'`` holds what is known of the person, one thing a row: ``name`` says which
  (``id``, ``name``, ``birth date``, ``sex``, ``death``, ``city`` ...), ``value`` what. Each patient
  has exactly one row with ``name = 'id'`` a source, whose value is the source's id byte for byte.
- ``name_key`` is ``key_of(name)``. ``start``, ``end``, ``recorded`` are ISO dates or moments as
  written, perhaps partial: they compare as text after both are cut to the shorter one's length.
- All statuses and certainties are here: who asks for what is true filters as ``Fact.true`` does.
- ``fact_codes`` holds (code, system as written, row) of each fact that has codes.
- ``last_seq()`` grows with every change, removals among them.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from osler.kinds import Fact
from osler.store.graph_rows import LAST_FACT, RECORDS, REMOVED
from osler.store.truth import Truth, checksum, holds

_encode = msgspec.json.Encoder().encode
fact_of = msgspec.json.Decoder(Fact).decode
_PAGE = 20_000

COLUMNS = (
    *("id", "patient", "kind", "name", "name_key", "status", "certainty", "role", "relative"),
    *("start", "end", "recorded", "value", "number", "unit", "comparator", "low", "high"),
    *("interpretation", "entity", "part_of", "source", "seq", "body"),
)
LISTED = ", ".join(f'"{column}"' for column in COLUMNS)
"""The columns that a row's checksum covers, in its order, as SQL."""


def key_of(name: str) -> str:
    """A name as it is compared: casefolded, with single blanks."""
    return " ".join(name.casefold().split())


def columns(fact: Fact, patient: str, source: int, seq: int) -> tuple[object, ...]:
    return (
        *(fact.id, patient, fact.kind, fact.name, key_of(fact.name), fact.status),
        *(fact.certainty, fact.role, fact.relative, fact.start, fact.end, fact.recorded),
        *(fact.value, _finite(fact.number), fact.unit, fact.comparator),
        *(_finite(fact.low), _finite(fact.high)),
        *(fact.interpretation, fact.entity, fact.part_of, source, seq, _encode(fact)),
    )


def _finite(number: float | None) -> float | None:
    """As SQLite gives it back: a float, and nothing that compares with nothing."""
    return float(number) if number is not None and math.isfinite(number) else None


class FactRows:
    """The facts of a library. Writing happens inside the caller's transaction."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    # -- writing -------------------------------------------------------------------------------

    def write(
        self, connection: sqlite3.Connection, batch: Sequence[Fact], source: int
    ) -> Counter[str]:
        """What became of each fact, as ``account.FATES`` has it; ``records`` counts those that are
        records of their own.

        A record that comes again changed replaces the old one with all its parts and its nodes in
        the graph; an older one of it is skipped. Parts follow their record.
        """
        counts: Counter[str] = Counter()
        whose = self._joined(connection, {fact.patient for fact in batch})
        held = self._held(connection, batch)
        fresh: dict[str, Fact] = {}
        for fact in batch:
            before = fresh.get(fact.id) or held.get(fact.id)
            whole = fresh.get(fact.part_of) or held.get(fact.part_of)
            fate = _fate(before, fact, whole)
            counts[fate] += 1
            counts["records"] += is_record(fact)
            if fate == "replaced" and before is not None and not fact.part_of:
                for gone in _forget(connection, before):
                    held.pop(gone, None)
                for id in [id for id, part in fresh.items() if part.part_of == fact.id]:
                    del fresh[id]
            if fate in ("stored", "replaced"):
                fresh[fact.id] = fact
        if fresh:
            self._insert(connection, list(fresh.values()), whose, source)
        return counts

    def _insert(
        self,
        connection: sqlite3.Connection,
        facts: Sequence[Fact],
        whose: dict[str, str],
        source: int,
    ) -> None:
        first = Truth.take(connection, len(facts))
        _delete(connection, [fact.id for fact in facts])
        marks = ", ".join("?" * (len(COLUMNS) + 1))
        codes: list[tuple[str, str, int]] = []
        for seq, fact in enumerate(facts, first):
            row = columns(fact, whose.get(fact.patient, fact.patient), source, seq)
            cursor = connection.execute(
                f"INSERT INTO facts ({LISTED}, checksum) VALUES ({marks})",
                (*row, checksum(*row)),  # type: ignore[arg-type]
            )
            number = int(cursor.lastrowid or 0)
            codes.extend((code, system, number) for system, code in dict.fromkeys(fact.codes))
        connection.executemany(
            "INSERT INTO fact_codes (code, system, fact) VALUES (?, ?, ?)", codes
        )

    def _held(self, connection: sqlite3.Connection, batch: Sequence[Fact]) -> dict[str, Fact]:
        """The rows that a batch may change, and the records that its parts belong to."""
        ids = sorted({id for fact in batch for id in (fact.id, fact.part_of) if id})
        rows = connection.execute(
            "SELECT id, body FROM facts WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(ids),),
        )
        return {id: fact_of(body) for id, body in rows}

    def _joined(self, connection: sqlite3.Connection, patients: set[str]) -> dict[str, str]:
        """The person that each source's patient was joined to, where one was."""
        rows = connection.execute(
            "SELECT id, patient FROM facts WHERE patient != id AND id IN "
            "(SELECT value FROM json_each(?))",
            (json.dumps(sorted(patients)),),
        )
        return dict(rows.fetchall())

    # -- taking out ----------------------------------------------------------------------------

    def own_ids(self, connection: sqlite3.Connection, patient: str) -> list[str]:
        """The ids that a person has in the sources."""
        rows = connection.execute(
            "SELECT id FROM facts WHERE patient = ? AND kind = 'patient' AND name = 'id'",
            (patient,),
        )
        return [id for (id,) in rows]

    def remove_patient(self, connection: sqlite3.Connection, patient: str) -> int:
        """Every fact, node and edge of a person; how many facts."""
        own = {patient, *self.own_ids(connection, patient)}
        return sum(self._remove(connection, id, f"{id}/") for id in sorted(own))

    def remove_below(self, connection: sqlite3.Connection, prefix: str) -> int:
        """All that has an id below a prefix, which ends in a slash."""
        return self._remove(connection, "", prefix)

    def _remove(self, connection: sqlite3.Connection, id: str, below: str) -> int:
        # '0' follows '/': a range over everything below, and nothing beside it.
        bounds = (id, below, f"{below[:-1]}0")
        within = "{0} = ? OR ({0} >= ? AND {0} < ?)"
        connection.execute(
            "DELETE FROM fact_codes WHERE fact IN "
            f"(SELECT row FROM facts WHERE {within.format('id')})",
            bounds,
        )
        count = connection.execute(
            f"DELETE FROM facts WHERE {within.format('id')}", bounds
        ).rowcount
        for table, column in (("entities", "id"), ("triples", "head"), ("triples", "tail")):
            connection.execute(
                f"DELETE FROM {table} WHERE graph = ? AND ({within.format(column)})",
                (RECORDS, *bounds),
            )
        self._note_removal(connection)
        return count

    def _note_removal(self, connection: sqlite3.Connection) -> None:
        """A number is taken, so that nothing derived from before passes for the present."""
        connection.execute(
            "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
            (REMOVED, str(Truth.take(connection, 1))),
        )

    # -- reading -------------------------------------------------------------------------------

    def facts(self, *, patient: str | None = None, kind: str | None = None) -> Iterator[Fact]:
        """In order of their rows; each row's checksum is checked."""
        where = ["row > ?"]
        bound: list[object] = []
        for column, value in (("patient", patient), ("kind", kind)):
            if value is not None:
                where.append(f"{column} = ?")
                bound.append(value)
        last = 0
        while True:
            with self.truth.snapshot() as connection:
                page = connection.execute(
                    f"SELECT row, {LISTED}, checksum FROM facts WHERE {' AND '.join(where)} "
                    "ORDER BY row LIMIT ?",
                    (last, *bound, _PAGE),
                ).fetchall()
            if not page:
                return
            for _row, *columns, expected in page:
                holds(expected, *columns, what=f"fact {columns[0]}")
                yield fact_of(columns[-1])
            last = page[-1][0]

    def patients(self) -> list[str]:
        with self.truth.snapshot() as connection:
            return [
                patient
                for (patient,) in connection.execute(
                    "SELECT DISTINCT patient FROM facts WHERE kind = 'patient' AND name = 'id' "
                    "ORDER BY patient"
                )
            ]

    def own_patients(self) -> list[str]:
        """Patients as their sources call them, before any join."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT id FROM facts WHERE kind = 'patient' AND name = 'id' AND part_of = ''"
            ).fetchall()
        return [id for (id,) in rows]

    def count(self) -> int:
        with self.truth.snapshot() as connection:
            return int(connection.execute("SELECT count(*) FROM facts").fetchone()[0])

    def last_seq(self) -> int:
        """The number of the last change, removals among them: what is derived from facts is
        compared with it."""
        with self.truth.snapshot() as connection:
            return int(connection.execute(LAST_FACT).fetchone()[0])


def _delete(connection: sqlite3.Connection, ids: list[str]) -> None:
    listed = json.dumps(ids)
    inside = "(SELECT value FROM json_each(?))"
    connection.execute(
        f"DELETE FROM fact_codes WHERE fact IN (SELECT row FROM facts WHERE id IN {inside})",
        (listed,),
    )
    connection.execute(f"DELETE FROM facts WHERE id IN {inside}", (listed,))


def _fate(before: Fact | None, fact: Fact, whole: Fact | None) -> str:
    """What becomes of a fact beside the one of its id, and the record that it is a part of."""
    if fact.part_of:
        if whole is not None and whole.content != fact.content:
            return "skipped"
        return "unchanged" if before == fact else "stored" if before is None else "replaced"
    if before is None:
        return "stored"
    if not fact.content or before == fact or before.content == fact.content:
        # A patient who is only referred to (no content) never takes a described one's place.
        return "unchanged"
    return "skipped" if fact.revised < before.revised else "replaced"


def is_record(fact: Fact) -> bool:
    """Whether a fact stands for a record of its source: no part, no patient who is only referred
    to."""
    return not fact.part_of and "known by" not in fact.detail


def _forget(connection: sqlite3.Connection, record: Fact) -> list[str]:
    """Take out a record with its parts, and what stood of it in the graph; the ids of the facts."""
    parts = connection.execute(
        "SELECT body FROM facts WHERE part_of = ? AND part_of != ''", (record.id,)
    ).fetchall()
    whole = [record, *(fact_of(body) for (body,) in parts)]
    for fact in whole:
        if not fact.entity:
            continue
        if fact.relation:
            connection.execute(
                "DELETE FROM triples WHERE graph = ? AND head = ? AND relation = ? AND tail = ?",
                (RECORDS, fact.patient, fact.relation, fact.entity),
            )
        if fact.entity == fact.patient:
            # The person's node is written anew with the names that hold now; its edges stay.
            connection.execute(
                "DELETE FROM entities WHERE graph = ? AND id = ?", (RECORDS, fact.entity)
            )
        elif fact.entity == fact.id:
            connection.execute(
                "DELETE FROM triples WHERE graph = ? AND head = ?", (RECORDS, fact.entity)
            )
            connection.execute(
                "DELETE FROM triples WHERE graph = ? AND (head = ? OR (head >= ? AND head < ?)) "
                "AND tail = ?",
                (RECORDS, fact.patient, f"{fact.patient}/", f"{fact.patient}0", fact.entity),
            )
            connection.execute(
                "DELETE FROM entities WHERE graph = ? AND id = ?", (RECORDS, fact.entity)
            )
    ids = [fact.id for fact in whole]
    _delete(connection, ids)
    return ids
