"""Entities, triples and question-answer pairs in the truth."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

from osler.errors import DamageError, UnknownId
from osler.kinds import Entity, Pair, Triple
from osler.store.truth import Truth, checksum, holds

_encode = msgspec.json.Encoder().encode
_entity = msgspec.json.Decoder(Entity).decode
_pair = msgspec.json.Decoder(Pair).decode
_PAGE = 20_000

KNOWLEDGE = "knowledge"
RECORDS = "records"
REMOVED = "last removal of records"
"""The row of ``meta`` with the number of the last removal of patients' records."""
LAST_FACT = (
    "SELECT max((SELECT coalesce(max(seq), 0) FROM facts), "
    f"(SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM meta WHERE key = '{REMOVED}'))"
)
"""The number of the last change to facts, removals among them."""

_LAST_CHANGES = (
    "CREATE INDEX IF NOT EXISTS entities_by_graph ON entities (graph, seq)",
    "CREATE INDEX IF NOT EXISTS triples_by_graph ON triples (graph, seq)",
)
"""What finds a graph's last change without reading the graph: every opening of a library asks for
it. A library from before these indexes gets them with its next entities, or by a rebuild."""
LAST_CHANGE = (
    # The bound on seq, which always holds, makes SQLite take the index that it is part of.
    "SELECT max((SELECT coalesce(max(seq), 0) FROM entities WHERE graph = ?1 AND seq > 0), "
    "(SELECT coalesce(max(seq), 0) FROM triples WHERE graph = ?1 AND seq > 0))"
)
"""The number of the last change to a graph."""

S = TypeVar("S", Entity, Pair)


def _index_last_changes(connection: sqlite3.Connection) -> None:
    for statement in _LAST_CHANGES:
        connection.execute(statement)


def _checked_pair(row: Sequence[object]) -> Pair:
    """A pair out of its id, number, source, body and checksum."""
    id, seq, source, body, expected = row
    if checksum(id, seq, source, body) != expected:  # type: ignore[arg-type]
        raise DamageError(f"pair {id} is damaged: its checksum does not hold")
    return _pair(body)  # type: ignore[arg-type]


def _merge(held: Entity, coming: Entity) -> Entity:
    """An entity that comes again keeps what it had and gains what is new: a triple file may name
    it barely, a terminology in full."""

    def both(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*first, *second)))

    # A bare mention (name only) must not push out a described entity's name.
    described = bool(coming.parents or coming.definition or coming.synonyms or coming.type)
    name = coming.name if described else held.name
    synonyms = both(held.synonyms, coming.synonyms)
    if held.name != name:
        synonyms = both(synonyms, (held.name,))
    return Entity(
        id=held.id,
        name=name,
        type=coming.type or held.type,
        synonyms=tuple(s for s in synonyms if s != name),
        definition=coming.definition or held.definition,
        parents=coming.parents or held.parents,
        places=coming.places or held.places,
        xrefs=both(held.xrefs, coming.xrefs),
        images=both(held.images, coming.images),
        language=coming.language or held.language,
    )


class GraphRows:
    """The graphs of a library: ``knowledge`` (terminologies, triples) and ``records``."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    def index_last_changes(self) -> None:
        """Give a library from before the indexes of last changes its own."""
        with self.truth.transaction() as connection:
            _index_last_changes(connection)

    def write_entities(
        self, connection: sqlite3.Connection, graph: str, batch: Sequence[Entity], source: int
    ) -> Counter[str]:
        """How many of the batch were stored, merged with what was there, and unchanged."""
        _index_last_changes(connection)
        held = {
            row[0]: _entity(row[1])
            for row in connection.execute(
                "SELECT id, body FROM entities WHERE graph = ? AND id IN "
                "(SELECT value FROM json_each(?))",
                (graph, json.dumps([entity.id for entity in batch])),
            )
        }
        fates: Counter[str] = Counter()
        fresh: dict[str, Entity] = {}
        for entity in batch:
            before = fresh.get(entity.id) or held.get(entity.id)
            after = _merge(before, entity) if before is not None else entity
            fates["stored" if before is None else "unchanged" if after == before else "merged"] += 1
            if after != before:
                fresh[entity.id] = after
        seq = Truth.take(connection, len(fresh)) if fresh else 0
        rows = []
        for at, (id, entity) in enumerate(fresh.items(), seq):
            body = _encode(entity)
            rows.append((graph, id, at, source, body, checksum(graph, id, at, source, body)))
        connection.executemany(
            "INSERT INTO entities (graph, id, seq, source, body, checksum) VALUES (?,?,?,?,?,?) "
            "ON CONFLICT (graph, id) DO UPDATE SET seq = excluded.seq, source = excluded.source, "
            "body = excluded.body, checksum = excluded.checksum",
            rows,
        )
        return fates

    def write_triples(
        self, connection: sqlite3.Connection, graph: str, batch: Sequence[Triple], source: int
    ) -> Counter[str]:
        """How many were stored; one that is there already is unchanged."""
        _index_last_changes(connection)
        seq = Truth.take(connection, len(batch))
        before = connection.total_changes
        connection.executemany(
            "INSERT OR IGNORE INTO triples (graph, head, relation, tail, place, seq, source, "
            "checksum) VALUES (?,?,?,?,?,?,?,?)",
            (
                (
                    graph,
                    triple.head,
                    triple.relation,
                    triple.tail,
                    triple.source,
                    at,
                    source,
                    checksum(
                        graph, triple.head, triple.relation, triple.tail, triple.source, at, source
                    ),
                )
                for at, triple in enumerate(batch, seq)
            ),
        )
        stored = connection.total_changes - before
        return Counter(stored=stored, unchanged=len(batch) - stored)

    def write_pairs(
        self, connection: sqlite3.Connection, batch: Sequence[Pair], source: int
    ) -> Counter[str]:
        """How many were stored, took another's place under the same id, and were unchanged."""
        held: dict[str, bytes] = dict(
            connection.execute(
                "SELECT id, body FROM pairs WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps([pair.id for pair in batch]),),
            )
        )
        fates: Counter[str] = Counter()
        seq = Truth.take(connection, len(batch))
        rows = []
        for at, pair in enumerate(batch, seq):
            body = _encode(pair)
            before = held.get(pair.id)
            held[pair.id] = body
            fates[
                "stored" if before is None else "unchanged" if before == body else "replaced"
            ] += 1
            rows.append((pair.id, at, source, body, checksum(pair.id, at, source, body)))
        connection.executemany(
            "INSERT INTO pairs (id, seq, source, body, checksum) VALUES (?,?,?,?,?) "
            "ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, source = excluded.source, "
            "body = excluded.body, checksum = excluded.checksum",
            rows,
        )
        return fates

    # -- reading -------------------------------------------------------------------------------

    def _pages(self, sql: str, *bound: object) -> Iterator[tuple[object, ...]]:
        """Rows in order of their number, in pages, so that no snapshot stays open for long. Terms
        of ``sql`` that an index knows are written with a plus, which keeps SQLite from it: it would
        sort all rows again for each page."""
        last = 0
        while True:
            with self.truth.snapshot() as connection:
                page = connection.execute(
                    f"{sql} AND row > ? ORDER BY row LIMIT ?", (*bound, last, _PAGE)
                ).fetchall()
            if not page:
                return
            yield from page
            last = page[-1][0]

    def entities(self, graph: str = KNOWLEDGE) -> Iterator[Entity]:
        for row in self._pages(
            "SELECT row, id, seq, source, body, checksum FROM entities WHERE +graph = ?", graph
        ):
            _, id, seq, source, body, expected = row
            if checksum(graph, id, seq, source, body) != expected:  # type: ignore[arg-type]
                raise DamageError(f"entity {id} is damaged: its checksum does not hold")
            yield _entity(body)  # type: ignore[arg-type]

    def entity(self, id: str, graph: str = KNOWLEDGE) -> Entity:
        with self.truth.snapshot() as connection:
            row = connection.execute(
                "SELECT seq, source, body, checksum FROM entities WHERE graph = ? AND id = ?",
                (graph, id),
            ).fetchone()
        if row is None:
            raise UnknownId(f"the library holds no entity {id}")
        seq, source, body, expected = row
        holds(expected, graph, id, seq, source, body, what=f"entity {id}")
        return _entity(body)

    def triples(self, graph: str = KNOWLEDGE) -> Iterator[Triple]:
        for row in self._pages(
            "SELECT row, head, relation, tail, place, seq, source, checksum FROM triples "
            "WHERE +graph = ?",
            graph,
        ):
            _, head, relation, tail, place, seq, source, expected = row
            if checksum(graph, head, relation, tail, place, seq, source) != expected:  # type: ignore[arg-type]
                raise DamageError(f"a triple of {head} is damaged: its checksum does not hold")
            yield Triple(head, relation, tail, place)  # type: ignore[arg-type]

    def origins(
        self, triples: Sequence[tuple[str, str, str]], graph: str = KNOWLEDGE
    ) -> dict[tuple[str, str, str], tuple[str, ...]]:
        """Where triples come from: the files that they stand in, and what those say of it."""
        by_triple: dict[tuple[str, str, str], tuple[str, ...]] = {}
        with self.truth.snapshot() as connection:
            for triple in triples:
                rows = connection.execute(
                    "SELECT files.name, triples.place FROM triples LEFT JOIN files "
                    "ON files.number = triples.source WHERE triples.graph = ? AND head = ? "
                    "AND relation = ? AND tail = ? ORDER BY triples.row",
                    (graph, *triple),
                ).fetchall()
                by_triple[triple] = tuple(
                    dict.fromkeys(", ".join(part for part in row if part) for row in rows)
                )
        return by_triple

    def entity_file(self, id: str, graph: str = KNOWLEDGE) -> str:
        """The file that an entity was read from; empty where a program made it."""
        with self.truth.snapshot() as connection:
            row = connection.execute(
                "SELECT files.name FROM entities JOIN files ON files.number = entities.source "
                "WHERE entities.graph = ? AND entities.id = ?",
                (graph, id),
            ).fetchone()
        return str(row[0]) if row else ""

    def pairs(self, after: int = 0) -> Iterator[Pair]:
        """All pairs, or those that were added or changed after a number."""
        for row in self._pages(
            "SELECT row, id, seq, source, body, checksum FROM pairs WHERE seq > ?", after
        ):
            yield _checked_pair(row[1:])

    def pairs_of(self, ids: Sequence[str]) -> dict[str, Pair]:
        """Some pairs, by id; those that are not there are left out."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT id, seq, source, body, checksum FROM pairs "
                "WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            ).fetchall()
        return {str(row[0]): _checked_pair(row) for row in rows}

    def last_seq(self, graph: str) -> int:
        """The number of the last change to a graph: what its compact arrays are compared with."""
        with self.truth.snapshot() as connection:
            (last,) = connection.execute(LAST_CHANGE, (graph,)).fetchone()
            if graph == RECORDS:
                # A fact that is refuted or removed takes nodes away and leaves none with a number.
                (facts,) = connection.execute(LAST_FACT).fetchone()
                last = max(last, facts)
        return int(last)

    def last_pair(self) -> int:
        """The number of the last change to the question-answer pairs."""
        with self.truth.snapshot() as connection:
            (last,) = connection.execute("SELECT coalesce(max(seq), 0) FROM pairs").fetchone()
        return int(last)

    def shared(self, prefix: str) -> Iterator[Entity]:
        """Entities of the records whose ids begin with a prefix that ends in a colon."""
        with self.truth.snapshot() as connection:
            # ';' follows ':'.
            rows = connection.execute(
                "SELECT body FROM entities WHERE graph = ? AND id >= ? AND id < ? ORDER BY id",
                (RECORDS, prefix, f"{prefix[:-1]};"),
            ).fetchall()
        for (body,) in rows:
            yield msgspec.json.decode(body, type=Entity)

    def counts(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        with self.truth.snapshot() as connection:
            for table in ("entities", "triples"):
                for graph, count in connection.execute(
                    f"SELECT graph, count(*) FROM {table} GROUP BY graph"
                ):
                    counts[f"{graph} {table}"] = count
            (counts["pairs"],) = connection.execute("SELECT count(*) FROM pairs").fetchone()
        return counts
