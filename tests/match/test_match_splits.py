"""No text on both sides; false answers are false, of the department, and drawn alike each time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import FieldError, InputError
from osler.kinds import Pair
from osler.match.splits import (
    candidate_lists,
    false_answers,
    folds,
    key,
    read_lists,
    split,
    write_lists,
)

TEXTS = st.text("ab 甲", min_size=1, max_size=3)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS, st.sampled_from(["x", "y"])), max_size=40).map(
    lambda rows: [
        Pair(id=f"{n:03}", question=q, answer=a, department=d) for n, (q, a, d) in enumerate(rows)
    ]
)


@given(PAIRS, st.floats(0.1, 0.9), st.integers(0, 3))
def test_no_text_stands_on_both_sides(pairs, share, seed):
    train, test = split(pairs, share, seed=seed)
    assert sorted(p.id for p in train + test) == [p.id for p in pairs]
    for side in ("question", "answer"):
        left = {key(getattr(pair, side)) for pair in train}
        assert left.isdisjoint(key(getattr(pair, side)) for pair in test)


@given(PAIRS, st.integers(1, 5), st.integers(0, 3))
def test_false_answers_are_false_and_of_the_department(pairs, count, seed):
    for row, false in false_answers(pairs, count, seed=seed):
        assert len(false) == count
        own = {key(p.answer) for p in pairs if key(p.question) == key(pairs[row].question)}
        texts = [key(pairs[at].answer) for at in false]
        assert own.isdisjoint(texts)
        assert len(set(texts)) == count
        assert {pairs[at].department for at in false} == {pairs[row].department}


def test_the_order_of_the_pairs_does_not_matter(pairs):
    mixed = list(pairs)
    Random(1).shuffle(mixed)
    assert split(pairs, 0.7, seed=2) == split(mixed, 0.7, seed=2)
    first = candidate_lists(pairs, 5, seed=3)
    assert first == candidate_lists(mixed, 5, seed=3)
    assert first != candidate_lists(pairs, 5, seed=4)
    # The true answer stands anywhere.
    places = {[c.id for c in one.candidates].index(one.true) for one in first}
    assert len(places) > 3


def test_a_department_with_too_few_answers_gives_no_list():
    pairs = [
        Pair(id=str(n), question=f"q{n}", answer=f"a{n}", department="d" if n < 20 else "e")
        for n in range(25)
    ]
    rows = {row for row, _ in false_answers(pairs, 19)}
    assert rows == set(range(20))
    assert len(false_answers(pairs, 19, fewer=True)) == 25


def test_folds_share_no_text(pairs):
    parts = folds(pairs, 3)
    assert sorted(row for part in parts for row in part) == list(range(len(pairs)))
    assert max(map(len, parts)) - min(map(len, parts)) <= 3


def test_lists_are_read_as_they_were_written(pairs, tmp_path):
    lists = candidate_lists(pairs, 5)
    write_lists(tmp_path / "q.jsonl", lists)
    assert read_lists(tmp_path / "q.jsonl") == lists


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "not json",
        '{"id": "1", "question": "q"}',
        '{"id": "1", "question": "q", "candidates": ["a"]}',
        '{"id": "1", "question": "q", "candidates": [{"id": "a"}]}',
        '{"id": "1", "question": "q", "candidates": [{"id": "a", "text": "x"}, '
        '{"id": "a", "text": "y"}]}',
    ],
)
def test_a_line_that_is_no_list_is_named(line, tmp_path):
    (tmp_path / "q.jsonl").write_text(f"\n{line}\n", "utf-8")
    with pytest.raises(FieldError, match="line 2"):
        read_lists(tmp_path / "q.jsonl")


def test_an_empty_file_and_a_bad_share_are_refused(tmp_path, pairs):
    (tmp_path / "q.jsonl").write_text("", "utf-8")
    with pytest.raises(InputError):
        read_lists(tmp_path / "q.jsonl")
    with pytest.raises(InputError):
        split(pairs, 1.0)
