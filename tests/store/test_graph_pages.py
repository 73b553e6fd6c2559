"""Reading a graph costs what it holds: no page sorts it again, and its last change is looked up."""

from __future__ import annotations

from itertools import pairwise

import pytest

from osler import Library
from osler.kinds import Entity, Triple
from osler.store import graph_rows
from osler.store.graph_rows import KNOWLEDGE, RECORDS, GraphRows


def _filled(folder, count):
    library = Library.create(folder)
    rows = GraphRows(library.truth)
    with library.truth.transaction() as connection:
        for graph in (KNOWLEDGE, RECORDS):
            some = [Entity(id=f"{graph}{n}", name=f"name {n}") for n in range(count)]
            rows.write_entities(connection, graph, some, 0)
            edges = [Triple(one.id, "near", other.id) for one, other in pairwise(some)]
            rows.write_triples(connection, graph, edges, 0)
    return library, rows


def _steps(library, work):
    """Instructions of SQLite's machine, which no busy processor changes."""
    count = 0

    def one():
        nonlocal count
        count += 1

    library.truth.reader.set_progress_handler(one, 1)
    try:
        work()
    finally:
        library.truth.reader.set_progress_handler(None, 0)
    return count


@pytest.fixture
def pair(tmp_path):
    small, large = _filled(tmp_path / "small", 100), _filled(tmp_path / "large", 800)
    yield small, large
    small[0].close()
    large[0].close()


def test_the_last_change_of_a_graph_is_looked_up_not_searched_for(pair):
    (small, few), (large, many) = pair
    costs = [
        _steps(library, lambda rows=rows: rows.last_seq(RECORDS))
        for library, rows in ((small, few), (large, many))
    ]
    assert costs[1] < 1.5 * costs[0]
    assert many.last_seq(RECORDS) == large.truth.seq()
    assert many.last_seq(KNOWLEDGE) == 800 + 799
    assert many.last_seq("nothing") == 0


def test_no_page_of_a_graph_sorts_it_again(pair, monkeypatch):
    """Eight times the rows in pages of one size cost about eight times, not sixty-four."""
    monkeypatch.setattr(graph_rows, "_PAGE", 10)
    (small, few), (large, many) = pair
    for read in ("triples", "entities"):
        costs = [
            _steps(library, lambda rows=rows, read=read: list(getattr(rows, read)()))
            for library, rows in ((small, few), (large, many))
        ]
        assert costs[1] < 16 * costs[0], read
    assert [one.id for one in many.entities()] == [f"{KNOWLEDGE}{n}" for n in range(800)]
    assert len(list(many.triples(RECORDS))) == 799


def test_counts_follow_what_is_written_and_taken_out(pair):
    (library, rows), _ = pair
    assert library.counts()["knowledge triples"] == 99
    with library.truth.transaction() as connection:
        connection.execute("DELETE FROM triples WHERE head = 'knowledge0'")
    assert library.counts()["knowledge triples"] == 98
    with library.truth.transaction() as connection:
        rows.write_triples(connection, KNOWLEDGE, [Triple("knowledge0", "far", "knowledge9")], 0)
    assert library.counts()["knowledge triples"] == 99
