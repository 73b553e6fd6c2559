"""What every engine keeps, whatever it is built on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from osler import Filter
from osler.errors import ChoiceError
from osler.kinds.query import Or, Term
from osler.store.documents import Change
from osler.store.engine import Engine
from osler.store.engine_kind import engines
from osler.store.engines import engine_of
from osler.store.layout import Layout
from samples import PAPERS, TrigramEncoder, paper

NEEDS = {"milvus": "pymilvus"}


@pytest.fixture(params=engines.names())
def make(request, tmp_path) -> Iterator[Callable[[], Engine]]:
    """Opens the same engine again and again."""
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param], reason="its extra is not installed")
    kind, layout = engines.resolve(request.param), Layout(tmp_path)
    card = kind.card(layout)
    opened: list[Engine] = []

    def open_engine() -> Engine:
        engine = kind.open(layout, card)
        opened.append(engine)
        return engine

    yield open_engine
    for engine in opened:
        engine.close()


def test_a_kind_of_engine_says_what_it_is(tmp_path):
    for name, kind in engines:
        assert kind.name == name
        assert kind.help
        card = kind().card(Layout(tmp_path))
        assert card["name"] == name
        assert all(isinstance(value, str) for value in card.values())
    with pytest.raises(ChoiceError, match="embedded"):
        engine_of(Layout(tmp_path), {"engine": {"name": "abacus"}})


def changes(documents=PAPERS, start=1) -> list[Change]:
    return [Change(i, d.id, i, i, d) for i, d in enumerate(documents, start)]


def ask(engine: Engine, text: str, k=10, filter=None) -> dict[int, float]:
    node = Or(tuple(Term(word) for word in text.split()))
    return {s.row: s.score for s in engine.search_words(node, k, filter)}


def test_empty_engines_answer_with_nothing(make):
    engine = make()
    assert engine.applied() == 0
    assert ask(engine, "asthma") == {}
    assert engine.count(Term("asthma")) == 0
    found = engine.search_vectors("e", np.ones(4, np.float32), 5)
    assert len(found.rows) == 0
    assert engine.vector_count("e") == 0


def test_nothing_is_seen_before_the_commit_and_all_after(make):
    engine = make()
    engine.apply(changes())
    assert ask(engine, "asthma") == {}
    engine.commit(5)
    assert set(ask(engine, "asthma")) == {2, 3}
    assert engine.applied() == 5
    assert engine.settled()


def test_what_was_abandoned_is_not_there(make):
    engine = make()
    engine.apply(changes())
    engine.abandon()
    engine.commit(0)
    assert ask(engine, "asthma") == {}


def test_another_opening_sees_the_same(make):
    engine = make()
    engine.apply(changes())
    engine.commit(5)
    expected = ask(engine, "asthma steroids")
    engine.close()
    assert ask(make(), "asthma steroids") == expected


def test_applying_again_changes_nothing(make):
    engine = make()
    engine.apply(changes())
    engine.commit(5)
    engine.apply(changes())
    engine.commit(5)
    assert engine.count(Term("asthma")) == 2


def test_replacing_and_deleting(make):
    engine = make()
    engine.apply(changes())
    engine.commit(5)
    engine.apply([Change(2, "2", 6, 2, paper("2", "Now on gout")), Change(3, "3", 7, 3, None)])
    engine.commit(7)
    assert ask(engine, "asthma") == {}
    assert set(ask(engine, "gout")) == {2}
    assert engine.applied() == 7


def test_filters_come_before_the_top_k(make):
    engine = make()
    papers = [
        paper(f"{i:03}", "asthma " * (1 + i % 7), published=str(1990 + i % 10)) for i in range(200)
    ]
    engine.apply(changes(papers))
    engine.commit(200)
    found = ask(engine, "asthma", k=20, filter=Filter(years=(1995, 1995)))
    assert len(found) >= 20
    assert all((row - 1) % 10 == 5 for row in found)


def test_ties_with_the_last_are_included(make):
    engine = make()
    engine.apply(changes([paper(str(i), "same words") for i in range(50)]))
    engine.commit(50)
    assert len(ask(engine, "same", k=3)) == 50


def test_vectors_are_kept_replaced_and_removed(make):
    engine, encoder = make(), TrigramEncoder()
    texts = ["asthma in children", "statins", "asthma in adults"]
    matrix = encoder.encode(texts)
    engine.add_vectors("e", [1, 2, 3], [1, 2, 3], matrix, applied=3)
    assert engine.vectors_applied("e", 64) == 3
    found = engine.search_vectors("e", matrix[0], 1)
    assert found.rows.tolist() == [1]
    assert found.scores[0] == pytest.approx(1, abs=1e-3)
    assert found.mean == pytest.approx(float((matrix @ matrix[0]).mean()), abs=1e-3)
    engine.add_vectors("e", [1, 3], [4, -5], matrix[[1, 1]], applied=5)
    assert engine.vector_count("e") == 2
    assert set(engine.search_vectors("e", matrix[2], 5).rows.tolist()) == {1, 2}
    rows, vectors = engine.vectors_of("e", [2, 3, 1])
    assert rows == [2, 1]
    np.testing.assert_allclose(vectors, matrix[[1, 1]], atol=1e-3)


def test_a_sound_engine_has_nothing_to_report_and_can_be_erased(make):
    engine = make()
    engine.apply(changes())
    engine.commit(5)
    assert list(engine.check()) == []
    engine.erase()
    assert engine.applied() == 0
    assert ask(engine, "asthma") == {}
