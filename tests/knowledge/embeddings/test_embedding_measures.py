"""Splits, negatives, link prediction and triple classification, held to slow and plain forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.errors import InputError
from osler.kinds import Entity, Triple
from osler.knowledge.embeddings import Embeddings, NumberedTriples, models
from osler.knowledge.embeddings.classifying import classify_triples, thresholds
from osler.knowledge.embeddings.negatives import Corruptor, Known
from osler.knowledge.embeddings.predicting import link_prediction, ranks
from osler.knowledge.graph import Graph

pytest.importorskip("torch")

triple_lists = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("rs"), st.sampled_from("abcdefgh")),
    min_size=1,
    max_size=60,
)


def vectors(entities: int, relations: int, seed: int = 0) -> Embeddings:
    """Embeddings nobody trained."""
    rng = np.random.default_rng(seed)
    return Embeddings(
        models.resolve("transe", dimension=4),
        [f"e{n}" for n in range(entities)],
        [f"r{n}" for n in range(relations)],
        {"entity": rng.normal(size=(entities, 4)).astype(np.float32)},
        {"translation": rng.normal(size=(relations, 4)).astype(np.float32)},
    )


def some(entities: int, relations: int, count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    high = [entities, relations, entities]
    return np.unique(rng.integers(0, high, size=(count, 3)), axis=0)


def test_a_graph_and_its_triples_give_the_same_numbers():
    told = [Triple("a", "treats", "b"), Triple("b", "causes", "c"), Triple("c", "treats", "a")]
    lonely = [Entity(id="z", name="z")]
    graph = Graph.build(lonely, told)
    of_graph, of_list = NumberedTriples.of(graph), NumberedTriples.of(told)
    assert of_graph.entity_ids == of_list.entity_ids == ["a", "b", "c"]
    assert of_graph.relation_names == of_list.relation_names
    assert np.array_equal(of_graph.rows, of_list.rows)


@given(triple_lists, st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_a_split_loses_nothing_and_leaves_nobody_out_of_training(told, seed):
    whole = NumberedTriples.of(told)
    train, valid, test = whole.split(valid=0.2, test=0.3, seed=seed)
    together = np.concatenate([train.rows, valid.rows, test.rows])
    assert np.array_equal(np.unique(together, axis=0), whole.rows)
    assert len(together) == len(whole)
    assert set(train.rows[:, [0, 2]].ravel()) == set(range(len(whole.entity_ids)))
    assert set(train.rows[:, 1]) == set(range(len(whole.relation_names)))


def test_a_split_that_holds_everything_out_is_refused():
    with pytest.raises(InputError, match="below 1"):
        NumberedTriples.of([("a", "r", "b")]).split(valid=0.5, test=0.5)


@given(triple_lists)
@settings(max_examples=60, deadline=None)
def test_known_triples_are_those_and_no_others(told):
    whole = NumberedTriples.of(told)
    entities, relations = len(whole.entity_ids), len(whole.relation_names)
    known = Known([whole.rows], entities, relations)
    true = set(map(tuple, whole.rows.tolist()))
    every = np.array(
        [(h, r, t) for h in range(entities) for r in range(relations) for t in range(entities)]
    )
    found = known.holds(every[:, 0], every[:, 1], every[:, 2])
    assert [tuple(row) in true for row in every.tolist()] == found.tolist()


def test_negatives_are_never_true_and_keep_the_other_side():
    rows = some(30, 2, 200)
    known = Known([rows], 30, 2)
    true = set(map(tuple, rows.tolist()))
    for typed in (False, True):
        corruptor = Corruptor(rows, 30, 2, known=known, typed=typed)
        drawn = corruptor.corrupt(rows, 5, np.random.default_rng(0), tails=True)
        assert drawn.shape == (len(rows), 5)
        for (head, kind, _), tails in zip(rows.tolist(), drawn.tolist(), strict=True):
            assert not any((head, kind, tail) in true for tail in tails)
        if typed:
            sides = [set(rows[rows[:, 1] == kind, 2].tolist()) for kind in range(2)]
            assert all(
                set(tails) <= sides[kind]
                for kind, tails in zip(rows[:, 1].tolist(), drawn.tolist(), strict=True)
            )


def test_a_hub_that_leaves_no_false_tail_does_not_hang():
    rows = np.array([[0, 0, n] for n in range(5)])
    corruptor = Corruptor(rows, 5, 1, known=Known([rows], 5, 1))
    assert corruptor.corrupt(rows, 2, np.random.default_rng(0), tails=True).shape == (5, 2)


@pytest.mark.parametrize("tails", [True, False])
def test_ranks_are_those_of_counting_one_by_one(tails):
    made = vectors(15, 2)
    # Two equal vectors make a tie.
    made.entity_tables["entity"][3] = made.entity_tables["entity"][7]
    rows = some(15, 2, 60)
    test, known = rows[::4], rows
    found = ranks(made, test, known=[known], tails=tails)
    true = set(map(tuple, rows.tolist()))
    for (head, kind, tail), rank in zip(test.tolist(), found, strict=True):
        own = made.energy(head, kind, tail)
        lower = same = 0
        for other in range(15):
            triple = (head, kind, other) if tails else (other, kind, tail)
            if triple == (head, kind, tail) or triple in true:
                continue
            energy = made.energy(*triple)
            lower += bool(energy < own - 1e-5)
            same += bool(abs(energy - own) <= 1e-5)
        assert rank == pytest.approx(1 + lower + same / 2, abs=0.51 if same else 1e-9)


def test_a_model_that_says_the_same_of_everything_ranks_in_the_middle():
    made = vectors(21, 1)
    made.entity_tables["entity"][:] = 0
    found = link_prediction(made, np.array([[0, 0, 1], [2, 0, 3]]))
    assert found.mean_rank == pytest.approx(11)
    assert found.hits[1] == 0


def test_link_prediction_needs_a_triple():
    with pytest.raises(InputError, match="no test triple"):
        link_prediction(vectors(3, 1), np.zeros((0, 3), np.int64))


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=20), st.lists(st.integers(0, 9), max_size=20)
)
@settings(max_examples=100, deadline=None)
def test_a_threshold_is_the_best_there_is(real, fake):
    a, b = np.array(real, np.float32), np.array(fake, np.float32)
    zeros = (np.zeros(len(a), np.int64), np.zeros(len(b), np.int64))
    limit = thresholds(1, zeros[0], a, zeros[1], b)[0]

    def right(at: float) -> int:
        return int((a <= at).sum() + (b > at).sum())

    assert right(limit) == max(right(at) for at in np.arange(-1, 11, 0.5))


def test_vectors_that_hold_the_triples_are_always_right():
    """Entities on a line, one step apart: real triples have no energy, fakes have some."""
    line = np.zeros((40, 4), np.float32)
    line[:, 0] = np.arange(40)
    step = np.zeros((1, 4), np.float32)
    step[0, 0] = 1
    made = Embeddings(
        models.resolve("transe", dimension=4),
        [f"e{n:02}" for n in range(40)],
        ["next"],
        {"entity": line},
        {"translation": step},
    )
    rows = np.array([[n, 0, n + 1] for n in range(39)])
    found = classify_triples(made, rows[::3], rows[1::3], known=[rows], seed=0)
    assert found.mean == found.best == found.overall == 1.0
    assert found.deviation == 0.0
    assert found.counts == {"next": 13}


def test_chance_is_about_a_half():
    rows = some(60, 3, 1500)
    found = classify_triples(vectors(60, 3), rows[::3], rows[1::3], known=[rows[2::3]], seed=0)
    assert found.mean == pytest.approx(0.5, abs=0.06)
    assert set(found.relations) == {"r0", "r1", "r2"}


def test_thresholds_need_triples_of_both_kinds():
    with pytest.raises(InputError, match="validation"):
        classify_triples(vectors(5, 1), np.zeros((0, 3), np.int64), np.array([[0, 0, 1]]))
