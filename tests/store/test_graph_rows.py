"""The last change to a graph is found by an index, however large the graph is."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from osler import Library
from osler.kinds import Entity, Triple
from osler.store.graph_rows import KNOWLEDGE, LAST_CHANGE, RECORDS, GraphRows


def test_the_last_change_is_the_highest_number_of_either_table(tmp_path: Path) -> None:
    with Library.create(tmp_path / "library") as library:
        rows = GraphRows(library.truth)
        assert rows.last_seq(KNOWLEDGE) == 0
        with library.truth.transaction() as connection:
            rows.write_entities(connection, KNOWLEDGE, [Entity(id="X:1", name="asthma")], 1)
        first = rows.last_seq(KNOWLEDGE)
        with library.truth.transaction() as connection:
            rows.write_triples(connection, KNOWLEDGE, [Triple("X:1", "is", "X:2")], 1)
        second = rows.last_seq(KNOWLEDGE)
        with library.truth.transaction() as connection:
            rows.write_entities(connection, RECORDS, [Entity(id="P:1", name="nobody")], 1)
        assert 0 < first < second == rows.last_seq(KNOWLEDGE) < rows.last_seq(RECORDS)


def test_the_last_change_is_looked_up_not_searched_for(tmp_path: Path) -> None:
    with Library.create(tmp_path / "library") as library:
        rows = GraphRows(library.truth)
        with library.truth.transaction() as connection:
            rows.write_entities(connection, KNOWLEDGE, [Entity(id="X:1", name="asthma")], 1)
        with library.truth.snapshot() as connection:
            # A plan alone does not look whether the tables have changed; a query does.
            assert connection.execute(LAST_CHANGE, (KNOWLEDGE,)).fetchone() > (0,)
            plan = str(connection.execute(f"EXPLAIN QUERY PLAN {LAST_CHANGE}", ("x",)).fetchall())
        assert "entities_by_graph" in plan
        assert "triples_by_graph" in plan
        assert "TEMP B-TREE" not in plan
        assert "autoindex" not in plan


def test_a_rebuild_gives_an_older_library_its_indexes(tmp_path: Path) -> None:
    """Without them each question about a patient reads the whole graph."""
    facts = tmp_path / "facts.tsv"
    facts.write_text("head\trelation\ttail\naspirin\ttreats\theadache\n")
    with Library.create(tmp_path / "library") as library:
        library.add([facts])
    names = {"entities_by_graph", "triples_by_graph"}
    with contextlib.closing(sqlite3.connect(tmp_path / "library" / "truth.sqlite")) as older:
        for name in names:
            older.execute(f"DROP INDEX {name}")
        older.commit()
    with Library.open(tmp_path / "library") as library:
        library.rebuild()
        rows = library.truth.reader.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
        assert names <= {name for (name,) in rows}
        assert [triple.tail for triple in library.triples()]
