"""Where facts stand: one relation with the same columns, whatever database is behind it.

A library's facts are a table of SQLite (``osler.store.facts``). A hospital's own OMOP tables are
the same relation by a query (``osler.ask.form.omop``). Everything is read-only.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    Engine,
    Float,
    FromClause,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    column,
    create_engine,
    func,
    select,
    table,
)
from sqlalchemy.engine import Connection
from sqlalchemy.pool import NullPool, StaticPool

from osler.ask.form.vocabulary import Name
from osler.kinds.fact import Fact
from osler.store.facts import COLUMNS, LISTED, columns
from osler.store.graph_rows import REMOVED

_decode = msgspec.json.Decoder(Fact).decode
TEXT = (
    *("id", "patient", "kind", "name", "name_key", "status", "certainty", "role", "relative"),
    *("start", "end", "recorded", "value", "unit", "comparator", "interpretation"),
)
NUMBERS = ("number", "low", "high")


class Relation(ABC):
    """Facts that a form can be compiled over."""

    engine: Engine

    @abstractmethod
    def facts(self, kinds: Sequence[str]) -> FromClause:
        """Facts of some kinds: columns ``row``, ``TEXT`` and ``NUMBERS``."""

    @abstractmethod
    def whole(self, connection: Connection, rows: Sequence[Any]) -> list[Fact]:
        """The facts of rows that a query chose, in the same order."""

    @abstractmethod
    def names(self) -> Iterator[Name]:
        """Every name that facts bear, once for a kind."""

    @abstractmethod
    def people(self) -> Iterator[tuple[str, str, str]]:
        """What is known of patients: patient, which thing, what."""

    @abstractmethod
    def stamp(self) -> str:
        """Changes when the facts do."""

    def connect(self) -> Connection:
        return self.engine.connect()


def facts_table() -> Table:
    columns: list[Any] = [Column("row", Integer, primary_key=True), Column("seq", Integer)]
    columns += [Column(name, String) for name in TEXT]
    columns += [Column(name, Float) for name in NUMBERS]
    return Table("facts", MetaData(), *columns, Column("body", LargeBinary))


class SqliteFacts(Relation):
    """Facts in the table that ``osler.store.facts`` describes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.table = facts_table()

    def facts(self, kinds: Sequence[str]) -> FromClause:
        return self.table

    def whole(self, connection: Connection, rows: Sequence[Any]) -> list[Fact]:
        keys = [row.row for row in rows]
        bodies: dict[int, bytes] = {}
        for at in range(0, len(keys), 5_000):
            some = keys[at : at + 5_000]
            query = select(self.table.c.row, self.table.c.body).where(self.table.c.row.in_(some))
            bodies.update((row, body) for row, body in connection.execute(query))
        return [_decode(bodies[key]) for key in keys]

    def names(self) -> Iterator[Name]:
        t = self.table
        with self.connect() as connection:
            for kind, key in list(self._distinct(connection)):
                query = (
                    select(t.c.body)
                    .where(t.c.kind == kind, t.c.name_key == key)
                    .order_by(t.c.row)
                    .limit(1)
                )
                body = connection.execute(query).scalar()
                if body is not None:
                    fact = _decode(body)
                    worded = kind == "observation" and fact.number is None and bool(fact.value)
                    names = tuple(fact.other_names)
                    yield Name(kind, key, fact.name, tuple(fact.codes), names, worded)

    def _distinct(self, connection: Connection) -> Iterable[tuple[str, str]]:
        """Distinct (kind, name): jumps along the index instead of reading every entry of it."""
        t = self.table
        kinds = []
        last = ""
        while True:
            kind = connection.execute(select(func.min(t.c.kind)).where(t.c.kind > last)).scalar()
            if kind is None:
                break
            kinds.append(kind)
            last = kind
        for kind in kinds:
            if kind == "patient":
                continue
            first = select(func.min(t.c.name_key).label("key")).where(t.c.kind == kind)
            seen = first.cte("seen", recursive=True)
            following = (
                select(func.min(t.c.name_key))
                .where(t.c.kind == kind, t.c.name_key > seen.c.key)
                .scalar_subquery()
            )
            seen = seen.union_all(select(following).where(seen.c.key.is_not(None)))
            for (key,) in connection.execute(select(seen.c.key).where(seen.c.key.is_not(None))):
                yield kind, key

    def people(self) -> Iterator[tuple[str, str, str]]:
        t = self.table
        query = select(t.c.patient, t.c.name, t.c.value, t.c.start).where(t.c.kind == "patient")
        query = query.where(t.c.status != "entered in error").order_by(t.c.row)
        with self.connect() as connection:
            for patient, name, value, start in connection.execute(query):
                yield patient, name, value or start

    def stamp(self) -> str:
        with self.connect() as connection:
            last = connection.execute(select(func.max(self.table.c.seq))).scalar()
            meta = table("meta", column("key"), column("value"))
            removed = select(meta.c.value).where(meta.c.key == REMOVED)
            return f"{last}.{connection.execute(removed).scalar()}"

    def any(self) -> bool:
        """Whether there is a fact at all."""
        with self.connect() as connection:
            return connection.execute(select(self.table.c.row).limit(1)).first() is not None

    def describes(self) -> bool:
        """Whether people are described here, and not only numbered."""
        t = self.table
        person = select(t.c.row).where(t.c.kind == "patient", t.c.name_key.in_(DESCRIBED)).limit(1)
        with self.connect() as connection:
            return connection.execute(person).first() is not None


DESCRIBED = ("birth date", "sex", "name")
"""What a record of a person says; notes that only number their patients say none of it."""


class LibraryFacts(SqliteFacts):
    """The facts of a library, in its truth; opened for reading only."""

    def __init__(self, path: Path) -> None:
        def connect() -> sqlite3.Connection:
            return sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)

        super().__init__(create_engine("sqlite://", creator=connect, poolclass=NullPool))


class MemoryFacts(SqliteFacts):
    """Facts that a reader gave, without a library."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        connection.executescript(
            resources.files("osler.store").joinpath("facts.sql").read_text("utf-8")
        )
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
        marks = ", ".join("?" * (len(COLUMNS) + 1))
        rows = ((*columns(fact, fact.patient, 0, at), 0) for at, fact in enumerate(facts, 1))
        connection.executemany(
            f"INSERT OR REPLACE INTO facts ({LISTED}, checksum) VALUES ({marks})", rows
        )
        super().__init__(
            create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        )
