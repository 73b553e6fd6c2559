"""A desk learns from marks, gives them back, and says what carried a score."""

import numpy as np
import pytest

from osler.errors import InputError
from osler.rank.desk.screener import Screener

TEXTS = [
    "statins cause muscle pain in adults",
    "statins and muscle pain, a trial",
    "muscle pain on statins: case report",
    "asthma in children and inhalers",
    "inhalers for asthma, a review",
    "asthma inhalers in school children",
]


def test_the_likest_come_first():
    desk = Screener(TEXTS)
    desk.mark({0: True, 3: False})
    order = desk.order().tolist()
    assert set(order[:2]) == {1, 2}
    assert set(order[2:]) == {4, 5}


def test_one_mark_after_the_other_is_all_at_once():
    one, many = Screener(TEXTS), Screener(TEXTS)
    marks = {0: True, 3: False, 4: False, 1: True}
    for row, relevant in marks.items():
        one.mark({row: relevant})
        if one.learns:
            one.scores()
    many.mark(marks)
    assert np.abs(one.scores() - many.scores()).max() < 1e-6


def test_a_mark_taken_back_never_was():
    desk, plain = Screener(TEXTS), Screener(TEXTS)
    desk.mark({0: True, 3: False, 4: True})
    desk.scores()
    desk.unmark([4])
    plain.mark({0: True, 3: False})
    assert desk.rows == [0, 3]
    assert np.abs(desk.scores() - plain.scores()).max() < 1e-6


def test_a_mark_can_be_changed():
    desk, plain = Screener(TEXTS), Screener(TEXTS)
    desk.mark({0: False, 3: False, 1: True})
    desk.scores()
    desk.mark({0: True})
    plain.mark({0: True, 3: False, 1: True})
    assert np.abs(desk.scores() - plain.scores()).max() < 1e-6


def test_marks_of_one_kind_teach_nothing():
    desk = Screener(TEXTS)
    desk.mark({0: True})
    assert not desk.learns
    with pytest.raises(InputError, match="one kind"):
        desk.order()


def test_a_paper_that_is_not_there():
    with pytest.raises(InputError, match="no paper number 6"):
        Screener(TEXTS).mark({6: True})


def test_the_words_that_carried_a_score():
    desk = Screener(TEXTS)
    desk.mark({0: True, 3: False})
    carried = desk.carried(1)
    assert {term for term, _ in carried} <= {"statins", "muscle", "pain", "muscle pain"}
    assert carried[0][1] >= carried[-1][1] > 0
    weights, bias = desk.weights()
    assert desk.scores()[1] == pytest.approx((desk.matrix[1] @ weights)[0] + bias)
    line = desk.matrix[1].toarray()[0] * weights
    strongest = sorted(line[line > 0], reverse=True)
    assert [value for _, value in carried] == [round(value, 4) for value in strongest]
    assert [value for _, value in desk.carried(1, most=2)] == [value for _, value in carried[:2]]


def test_room_for_many_marks():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["ab", "cd", "ef", "gh", "ij"], 6)) for _ in range(300)]
    desk = Screener(texts)
    for row in range(200):
        desk.mark({row: row % 3 == 0})
    whole = Screener(texts)
    whole.mark({row: row % 3 == 0 for row in range(200)})
    assert np.abs(desk.scores() - whole.scores()).max() < 1e-5
