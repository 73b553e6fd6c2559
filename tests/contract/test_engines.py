"""What every engine keeps, whatever it is built on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from osler import Filter
from osler.errors import ChoiceError, InputError
from osler.kinds.query import Or, Term
from osler.store.documents import Change
from osler.store.embedded import EmbeddedEngine
from osler.store.engine import Engine
from osler.store.engine_kind import EngineKind, engines
from osler.store.engines import engine_of, whole
from osler.store.layout import Layout
from osler.store.plain_engine import PlainEngine
from samples import PAPERS, TrigramEncoder, paper

NEEDS = {"milvus": "pymilvus"}
PLAIN = "what a stranger must write, and no more"
OWN = (
    "apply commit abandon search_words search_passages count document_frequency "
    "document_frequencies average_length vectors_applied add_vectors search_vectors vectors_of "
    "vector_count"
)


class Plain(PlainEngine):
    """An engine with nothing beside what ``PlainEngine`` leaves to it."""

    name = "plain"

    def __init__(self, layout: Layout) -> None:
        self.inner = EmbeddedEngine(layout)

    def __getattr__(self, name: str) -> Any:
        if name in OWN.split():
            return getattr(self.inner, name)
        raise AttributeError(name)

    def applied(self) -> int:
        return self.inner.applied()

    def erase(self) -> None:
        self.inner.erase()

    def close(self) -> None:
        self.inner.close()


class PlainKind(EngineKind):
    name = "plain"
    help = "for these tests"

    def card(self, layout: Layout, *, uri=None, collection=None) -> dict[str, str]:
        return {"name": self.name}

    def open(self, layout: Layout, card: Any) -> Engine:
        return whole(Plain(layout))


@pytest.fixture(params=[*engines.names(), PLAIN])
def make(request, tmp_path) -> Iterator[Callable[[], Engine]]:
    """Opens the same engine again and again."""
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param], reason="its extra is not installed")
    kind = PlainKind() if request.param == PLAIN else engines.resolve(request.param)
    layout = Layout(tmp_path)
    card = kind.card(layout)
    opened: list[Engine] = []

    def open_engine() -> Engine:
        engine = kind.open(layout, card)
        engine.mark_of = lambda seq: f"mark {seq}"
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


def test_an_engine_keeps_the_whole_protocol(make):
    assert whole(make()).name


@pytest.mark.parametrize("lacking", ["begin_anew", "purge", "astray"])
def test_an_engine_that_lacks_a_part_is_refused_by_name(tmp_path, lacking):
    class Poor:
        name = "poor"

        def __init__(self) -> None:
            self.inner = Plain(Layout(tmp_path))

        def __getattr__(self, name: str) -> Any:
            if name in ("inner", lacking):
                raise AttributeError(name)
            return getattr(self.inner, name)

    with pytest.raises(InputError, match=f"the engine poor lacks {lacking}") as refused:
        whole(Poor())
    assert "PlainEngine" in str(refused.value)


def test_made_anew_it_holds_what_was_applied_since_and_nothing_else(make):
    engine = make()
    engine.apply(changes())
    engine.commit(5)
    engine.begin_anew()
    engine.apply(changes([paper("9", "Gout in kings")]))
    engine.commit(6)
    assert ask(engine, "asthma") == {}
    assert set(ask(engine, "gout")) == {1}
    assert engine.applied() == 6


def test_another_truth_is_noticed_and_put_right(make):
    engine = make()
    engine.apply(changes())
    engine.commit(5)
    assert engine.astray() == {}
    engine.mark_of = lambda seq: None
    astray = engine.astray()
    assert set(astray.values()) == {5}
    if engine.mends:
        engine.put_right(astray)
        engine.apply(changes([paper("9", "Gout in kings")]))
        engine.mark_of = lambda seq: "another"
        engine.commit(1)
        assert engine.astray() == {}
        assert ask(engine, "asthma") == {}


def test_what_was_deleted_is_purged_or_told_of(make):
    engine = make()
    documents = [*PAPERS, paper("8", "zyxwcanary in adults")]
    engine.apply(changes(documents))
    engine.commit(6)
    engine.apply([Change(6, "8", 7, 6, None)])
    engine.commit(7)

    def fetch(rows: list[int]) -> list[Change]:
        return [change for change in changes(documents) if change.row in rows and change.row != 6]

    purged = engine.purge([6], fetch)
    assert ask(engine, "zyxwcanary") == {}
    assert purged.notes or engine.document_frequency("zyxwcanary") == 0
    assert set(ask(engine, "asthma")) == {2, 3}


def test_vectors_made_anew_stand_in_the_old_ones_place(make):
    engine, encoder = make(), TrigramEncoder()
    matrix = encoder.encode(["asthma in children", "statins"])
    engine.add_vectors("e", [1, 2], [1, 2], matrix, applied=2)
    engine.begin_vectors("e", 64)
    engine.add_vectors("e", [1, 2], [1, 2], matrix, applied=2)
    assert engine.end_vectors("e")
    assert engine.vector_count("e") == 2
    assert engine.search_vectors("e", matrix[1], 1).rows.tolist() == [2]
