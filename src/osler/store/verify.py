"""Looking a whole library over, and a digest of what it holds."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator

from osler.errors import OslerError
from osler.store import upgrade
from osler.store.documents import FULL_ROW, load
from osler.store.engine import Engine
from osler.store.facts import LISTED, fact_of
from osler.store.layout import Layout
from osler.store.truth import Truth, checksum, highest, storage_errors

ASTRAY = "made from another state of the library than its truth"


def verify(layout: Layout, truth: Truth, engine: Engine) -> Iterator[str]:
    """Each thing that is damaged, in one line that names it."""
    try:
        layout.read_card()
    except OslerError as error:
        yield error.message
    try:
        with truth.snapshot() as connection:
            yield from _truth(connection)
    except OslerError as error:
        yield error.message
    try:
        yield from engine.check()
        for what in engine.astray():
            yield f"{what}: {ASTRAY}"
    except OslerError as error:
        yield error.message


def _truth(connection: sqlite3.Connection) -> Iterator[str]:
    for (line,) in connection.execute("PRAGMA integrity_check(20)"):
        if line != "ok":
            yield f"truth: {line}"
    for row in connection.execute(f"SELECT {FULL_ROW} FROM documents"):
        try:
            if row[3]:
                if row[7] != checksum(*row[:6]):
                    yield f"document {row[0]} (deleted) is damaged: its checksum does not hold"
            else:
                load(row)
        except OslerError as error:
            yield error.message
        except ValueError:
            yield f"document {row[0]} is damaged: its body cannot be read"
    rows: dict[str, str] = {
        "entities": "graph, id, seq, source, body",
        "triples": "graph, head, relation, tail, place, seq, source",
        "pairs": "id, seq, source, body",
        "queries": "id, text, seq",
        "judgements": "query, document, grade, seq",
        "searches": "name, body, seq",
        "review_log": "seq, project, kind, body",
        "names": "scheme, value, document",
        "files": "number, fingerprint, name, format, state, position, counts, error",
        "rejects": "file, place, id, reason",
        "facts": LISTED,
        "sources": "origin, name",
        "joins": "system",
        "notes": "file, place, id, what, reason, count",
    }
    if Truth.seq_of(connection) < highest(connection):
        yield "truth: the library's sequence number is damaged: it has fallen behind"
    for table, columns in rows.items():
        if not upgrade.has_checksums(connection, table):
            continue
        for row in connection.execute(f"SELECT {columns}, checksum FROM {table}"):
            if checksum(*row[:-1]) != row[-1]:
                name = row[1] if len(row) > 2 else row[0]
                yield f"{table}: the row of {name} is damaged: its checksum does not hold"
    if upgrade.has_checksums(connection, "facts"):
        yield from _codes(connection)


def _codes(connection: sqlite3.Connection) -> Iterator[str]:
    """Codes have no checksum of their own: they must be those that stand in the fact."""
    rows = connection.execute("SELECT facts.id, body, row FROM facts ORDER BY row")
    for id, body, row in rows:
        held = connection.execute(
            "SELECT system, code FROM fact_codes WHERE fact = ?", (row,)
        ).fetchall()
        if set(held) != set(fact_of(body).codes):
            yield f"fact_codes: the codes of {id} are damaged: they are not those of the fact"
    (lost,) = connection.execute(
        "SELECT count(DISTINCT fact) FROM fact_codes WHERE fact NOT IN (SELECT row FROM facts)"
    ).fetchone()
    if lost:
        yield f"fact_codes: {lost} facts are lost: their codes are here, they are not"


def digest(truth: Truth) -> str:
    """SHA-256 over the content in order of id: sequence numbers and files play no part."""
    total = hashlib.sha256()
    queries: tuple[str, ...] = (
        "SELECT id, deleted, content FROM documents ORDER BY id",
        "SELECT scheme, value, documents.id FROM names JOIN documents ON "
        "documents.row = names.document ORDER BY scheme, value",
        "SELECT graph, id, body FROM entities ORDER BY graph, id",
        "SELECT graph, head, relation, tail, place FROM triples "
        "ORDER BY graph, head, relation, tail, place",
        "SELECT id, body FROM pairs ORDER BY id",
        "SELECT id, text FROM queries ORDER BY id",
        "SELECT query, document, grade FROM judgements ORDER BY query, document",
    )
    with truth.snapshot() as connection, storage_errors():
        # A library without facts has the digest that it had before there were any.
        if connection.execute("SELECT 1 FROM facts LIMIT 1").fetchone():
            queries = (*queries, "SELECT id, patient, body FROM facts ORDER BY id")
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'review_log'").fetchone():
            # What was taken back is named by a number, which plays no part.
            queries = (
                *queries,
                "SELECT project, kind, CASE kind WHEN 'TakenBack' THEN '' ELSE body END "
                "FROM review_log ORDER BY seq",
            )
        for query in queries:
            total.update(b"\x01")
            for row in connection.execute(query):
                for value in row:
                    data = value if isinstance(value, bytes) else str(value).encode("utf-8")
                    total.update(len(data).to_bytes(8, "big"))
                    total.update(data)
    return total.hexdigest()
