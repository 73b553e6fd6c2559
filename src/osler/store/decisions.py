"""What people decided: queries, judgements of relevance, saved searches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from osler.errors import InputError, UnknownId
from osler.settings import MAX_NAME
from osler.store.truth import Truth, checksum, holds

APART = "not duplicates"
TAKEN_BACK = "taken back"
"""Where the number of the last judgement that was taken back stands."""


class SavedSearch(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A search as it was run: how many it found, and how many of these earlier saved searches had
    found already. ``query`` is as it was typed, ``run`` as it was understood, in the library's own
    language; ``date`` is the day on which it was run."""

    name: str
    query: str
    run: str = ""
    syntax: str = ""
    date: str = ""
    filter: dict[str, Any] = {}
    identified: int = 0
    duplicates: int = 0
    ids: list[str] = []
    seq: int = 0


class Decisions:
    def __init__(self, truth: Truth) -> None:
        self.truth = truth

    def judge(
        self, queries: Mapping[str, str], judgements: Mapping[str, Mapping[str, int | None]]
    ) -> None:
        """Keep queries and judgements; the last word counts, and None takes a judgement back. A
        query goes with the last judgement that is taken back. The caller holds the lock."""
        given = [(q, d, grade) for q, ds in judgements.items() for d, grade in ds.items()]
        rows = [(q, d, grade) for q, d, grade in given if grade is not None]
        gone = [(q, d) for q, d, grade in given if grade is None]
        with self.truth.transaction() as connection:
            seq = Truth.take(connection, len(queries) + len(given))
            connection.executemany(
                "INSERT OR REPLACE INTO queries VALUES (?, ?, ?, ?)",
                (
                    (id, text, at, checksum(id, text, at))
                    for at, (id, text) in enumerate(queries.items(), seq)
                ),
            )
            connection.executemany(
                "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?)",
                (
                    (q, d, grade, at, checksum(q, d, grade, at))
                    for at, (q, d, grade) in enumerate(rows, seq + len(queries))
                ),
            )
            if gone:
                connection.executemany(
                    "DELETE FROM judgements WHERE query = ? AND document = ?", gone
                )
                connection.executemany(
                    "DELETE FROM queries WHERE id = ? AND id NOT IN (SELECT query FROM judgements)",
                    ((q,) for q in dict.fromkeys(q for q, _ in gone)),
                )
                # A row that is gone leaves no number behind: what was made of it is told here.
                connection.execute(
                    "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                    (TAKEN_BACK, str(seq + len(queries) + len(given) - 1)),
                )

    def queries(self) -> dict[str, str]:
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT id, text, seq, checksum FROM queries ORDER BY id"
            ).fetchall()
        for *columns, expected in rows:
            holds(expected, *columns, what=f"query {columns[0]}")
        return {id: text for id, text, *_ in rows}

    def judgements(self, queries: Iterable[str] | None = None) -> dict[str, dict[str, int]]:
        """Grades by query and document, as qrels hold them."""
        by_query: dict[str, dict[str, int]] = {}
        sql = "SELECT query, document, grade, seq, checksum FROM judgements"
        bound: tuple[str, ...] = ()
        if queries is not None:
            sql += " WHERE query IN (SELECT value FROM json_each(?))"
            bound = (json.dumps(list(queries)),)
        with self.truth.snapshot() as connection:
            for query, document, grade, seq, expected in connection.execute(
                sql + " ORDER BY query, document", bound
            ):
                holds(expected, query, document, grade, seq, what=f"a judgement of query {query}")
                by_query.setdefault(query, {})[document] = grade
        return by_query

    def marks(self, query: str) -> dict[str, int]:
        """Grades of one query by document, in the order in which they were given."""
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT document, grade FROM judgements WHERE query = ? ORDER BY seq", (query,)
            ).fetchall()
        return dict(rows)

    def judged_last(self, limit: int) -> list[tuple[str, int]]:
        """Queries by their text, those judged last first, with how many judgements each has."""
        with self.truth.snapshot() as connection:
            return connection.execute(
                "SELECT coalesce(queries.text, query), count(*) FROM judgements "
                "LEFT JOIN queries ON queries.id = query "
                "GROUP BY query ORDER BY max(judgements.seq) DESC LIMIT ?",
                (limit,),
            ).fetchall()

    def last_seq(self) -> int:
        """The number of the last decision: what a cache over judgements is compared with."""
        with self.truth.snapshot() as connection:
            (last,) = connection.execute(
                "SELECT max((SELECT coalesce(max(seq), 0) FROM queries), "
                "(SELECT coalesce(max(seq), 0) FROM judgements), "
                "coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?), 0))",
                (TAKEN_BACK,),
            ).fetchone()
        return int(last)

    def last_taken_back(self) -> int:
        """The number of the last decision that was taken back, by a person or with its paper."""
        with self.truth.snapshot() as connection:
            row = connection.execute(
                "SELECT value FROM meta WHERE key = ?", (TAKEN_BACK,)
            ).fetchone()
        return int(row[0]) if row else 0

    # -- records that are two papers -----------------------------------------------------------

    def pairs_apart(self) -> set[frozenset[str]]:
        """Pairs of records of which somebody said that they are two papers."""
        with self.truth.snapshot() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (APART,)).fetchone()
        return {frozenset(pair) for pair in json.loads(row[0])} if row else set()

    def keep_apart(self, pairs: set[frozenset[str]]) -> None:
        """Put these pairs in place of those that were there. The caller holds the lock."""
        text = json.dumps(sorted(sorted(pair) for pair in pairs))
        with self.truth.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (APART, text))

    # -- saved searches ------------------------------------------------------------------------

    def save(self, search: SavedSearch) -> None:
        """Keep a search under a name that is free: what a review reports is never overwritten."""
        with self.truth.transaction() as connection:
            self.free(search.name)
            seq = Truth.take(connection, 1)
            search.seq = seq
            body = msgspec.json.encode(search)
            connection.execute(
                "INSERT INTO searches VALUES (?, ?, ?, ?)",
                (search.name, body, seq, checksum(search.name, body, seq)),
            )

    def free(self, name: str) -> None:
        """An error where a search has that name already, or none can have it."""
        if not name.strip() or len(name) > MAX_NAME.get():
            raise InputError("a saved search needs a name", cure="give it a short one")
        with self.truth.snapshot() as connection:
            taken = connection.execute("SELECT 1 FROM searches WHERE name = ?", (name,)).fetchone()
        if taken is not None:
            raise InputError(
                f"a search is saved as {name} already",
                cure="choose another name; osler searches LIB lists those that are taken",
            )

    def saved(self) -> list[SavedSearch]:
        with self.truth.snapshot() as connection:
            rows = connection.execute(
                "SELECT name, body, seq, checksum FROM searches ORDER BY seq"
            ).fetchall()
        for name, body, seq, expected in rows:
            holds(expected, name, body, seq, what=f"the saved search {name}")
        return [msgspec.json.decode(row[1], type=SavedSearch) for row in rows]

    def drop(self, name: str) -> SavedSearch:
        """Take a saved search out; what it was is handed back, for whoever changes their mind. The
        caller holds the lock."""
        search = self.saved_search(name)
        with self.truth.transaction() as connection:
            Truth.take(connection, 1)
            connection.execute("DELETE FROM searches WHERE name = ?", (name,))
        return search

    def saved_search(self, name: str) -> SavedSearch:
        for search in self.saved():
            if search.name == name:
                return search
        raise UnknownId(
            f"the library has no saved search {name}", cure="osler searches LIB lists them"
        )
