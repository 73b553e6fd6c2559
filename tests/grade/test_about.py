"""The grade that ``about`` tells, and how sure it says it is."""

from __future__ import annotations

import numpy as np
import pytest

from osler.claims.heads import LinearHead
from osler.grade.methods.about import CLASSES, CUTS, SPREAD, TOGETHER, About, pair_row
from osler.grade.pair import Fact, Pair
from osler.grade.scale import GRADES, SAMPLE

APART = "Warfarin was given to nineteen men. Nobody had thrombosis afterwards."
TOGETHER_TEXT = "Nineteen men with thrombosis were given warfarin. They were watched."


def pair(text: str) -> Pair:
    return Pair(Fact("warfarin", "treats", "thrombosis"), title="", abstract=text)


def leaning(odds: float) -> About:
    """A grader whose probability has these odds (their logarithm) for whatever it is shown."""
    head = LinearHead(classes=CLASSES, weights={"bias": (odds, 0.0)})
    assert head.probabilities({"bias": 1.0})[0] == pytest.approx(1 / (1 + np.exp(-odds)))
    return About({"treats": head})


def logit(p: float) -> float:
    return float(np.log(p / (1 - p)))


@pytest.mark.parametrize(("cut", "grade"), list(zip(CUTS, GRADES[:-1], strict=True)))
def test_the_grade_is_where_the_probability_lies(cut: float, grade: str) -> None:
    one = pair(TOGETHER_TEXT)
    for beside, told in ((0.01, grade), (-0.01, GRADES[GRADES.index(grade) + 1])):
        grader = leaning(logit(cut) + beside)
        called = grader.called(grader.probabilities([one]))[0]
        # One sentence names both: "not about it" is never told.
        assert GRADES[called] == ("M" if told == "I" else told)


def test_a_grade_is_no_surer_than_two_teachers_agree() -> None:
    one = pair(TOGETHER_TEXT)
    high = leaning(logit(CUTS[0]) + SPREAD).probabilities([one])[0]
    # One deviation above the highest cut: the normal curve has .8413 there.
    assert high[0] == pytest.approx(0.8413, abs=0.01)
    assert high.sum() == pytest.approx(1)
    assert high[3] == 0.0


def test_who_names_both_in_no_sentence_may_not_be_about_it() -> None:
    grader = leaning(0.0)
    apart = pair(APART)
    assert not pair_row(apart).get(TOGETHER)
    assert pair_row(pair(TOGETHER_TEXT))[TOGETHER] == 1.0
    # Half of the probability of such pairs, .05, is below the lowest cut.
    table = grader.probabilities([apart])
    assert GRADES[grader.called(table)[0]] == "I"
    assert 0.5 < table[0][3] < 0.9


def test_the_order_is_that_of_the_probability() -> None:
    one = pair(TOGETHER_TEXT)
    gains = [float(leaning(odds).with_gains([one])[1][0]) for odds in (-6.0, -4.0, -2.0, 0.0, 3.0)]
    assert gains == sorted(gains)
    assert gains[0] < 0.05
    assert 0.9 < gains[-1] <= 1
    # What is told of a paper that names both in a sentence adds nothing to its place.
    table, gain = leaning(-4.0).with_gains([one])
    assert table[0] @ np.array([1, 2 / 3, 1 / 3, 0]) > gain[0]


def test_labels_of_another_scale_share_a_grade() -> None:
    grader = leaning(-4.0)
    grader.scale = SAMPLE
    table = grader.probabilities([pair(APART)])
    assert table.shape == (1, 5)
    assert table.sum() == pytest.approx(1)
    assert table[0][2] == pytest.approx(table[0][4])


def test_what_nobody_measured_is_not_called_calibrated() -> None:
    assert not leaning(0.0).calibrated
