"""Classification, sets and agreement, by hand and against scikit-learn where it is installed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.errors import ChoiceError, InputError
from osler.measures import sets
from osler.measures.agreement import cohen_kappa
from osler.measures.classification import accuracy, confusion, per_class, precision_recall_f1

GOLD = ["a", "a", "a", "b", "b", "c"]
CALLED = ["a", "a", "b", "b", "a", "a"]
pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def test_by_hand() -> None:
    assert accuracy(GOLD, CALLED) == 0.5
    matrix = confusion(GOLD, CALLED)
    assert matrix.labels == ("a", "b", "c")
    assert matrix.counts.tolist() == [[2, 1, 0], [1, 1, 0], [1, 0, 0]]
    a = per_class(GOLD, CALLED)["a"]
    assert (a.precision, a.recall, a.f1, a.support) == (0.5, 2 / 3, 4 / 7, 3)
    macro = precision_recall_f1(GOLD, CALLED)
    assert macro.f1 == pytest.approx((4 / 7 + 0.5 + 0) / 3)
    micro = precision_recall_f1(GOLD, CALLED, average="micro")
    assert (micro.precision, micro.recall, micro.f1) == (0.5, 0.5, 0.5)
    assert precision_recall_f1(GOLD, CALLED, positive="b").precision == 0.5
    assert precision_recall_f1(GOLD, CALLED, positive="absent").f1 == 0.0
    absent = precision_recall_f1(GOLD, CALLED, labels=["a", "b", "c", "d"])
    assert absent.f1 == pytest.approx(macro.f1 * 3 / 4)


def test_wrong_input() -> None:
    with pytest.raises(InputError, match="3 gold classes and 2"):
        accuracy([1, 2, 3], [1, 2])
    with pytest.raises(InputError, match="no case"):
        precision_recall_f1([], [])
    with pytest.raises(InputError, match="none of the labels"):
        confusion(["a"], ["b"], labels=["a"])
    with pytest.raises(InputError, match="twice"):
        confusion(["a"], ["a"], labels=["a", "a"])
    with pytest.raises(ChoiceError):
        precision_recall_f1(["a"], ["a"], average="mean")  # type: ignore[arg-type]
    assert confusion(["a", 1], [1, "a"]).counts.sum() == 2


@settings(deadline=None)
@given(pairs)
def test_equals_scikit_learn(cases: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    gold, called = [a for a, _ in cases], [b for _, b in cases]
    for average in ("macro", "weighted", "micro"):
        ours = precision_recall_f1(gold, called, average=average)  # type: ignore[arg-type]
        theirs = metrics.precision_recall_fscore_support(
            gold, called, average=average, zero_division=0.0
        )
        assert (ours.precision, ours.recall, ours.f1) == pytest.approx(theirs[:3])
    if len({*gold, *called}) > 1:
        for weights in ("linear", "quadratic", "none"):
            ours_kappa = cohen_kappa(gold, called, weights=weights, labels=range(4))  # type: ignore[arg-type]
            theirs_kappa = metrics.cohen_kappa_score(
                gold, called, weights=None if weights == "none" else weights, labels=range(4)
            )
            assert ours_kappa == pytest.approx(theirs_kappa)


def test_kappa_by_hand() -> None:
    # 50 cases: 20 both yes, 15 both no, 5 and 10 apart; observed 0.7, chance 0.5.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa([1, 2, 3], [1, 2, 3]) == 1.0
    assert cohen_kappa([1, 1], [1, 1]) == 1.0
    assert cohen_kappa([1, 2], [2, 1]) == -1.0
    # A near miss costs less than a far one once distances count.
    near = cohen_kappa([0, 1, 2, 3], [1, 1, 2, 3], weights="quadratic", labels=range(4))
    far = cohen_kappa([0, 1, 2, 3], [3, 1, 2, 3], weights="quadratic", labels=range(4))
    assert near > far
    with pytest.raises(ChoiceError):
        cohen_kappa([1], [1], weights="cubic")  # type: ignore[arg-type]


def test_sets_by_hand() -> None:
    gold = {"1": {"a", "b"}, "2": {"c"}, "3": set()}
    called = {"1": {"a", "x"}, "3": set(), "4": {"y"}}
    found = sets.micro(gold, called)
    assert (found.precision, found.recall, found.f1) == (1 / 3, 1 / 3, 1 / 3)
    assert sets.per_case_f1(gold, called) == {"1": 0.5, "2": 0.0, "3": 1.0, "4": 0.0}
    assert sets.macro_f1(gold, called) == 1.5 / 4
    assert sets.exact_match(gold, called) == 1 / 4
    assert sets.micro({"1": ()}, {}).f1 == 0.0
    with pytest.raises(InputError):
        sets.micro({}, {})


def test_arrays_serve_as_lists() -> None:
    assert accuracy(np.array([1, 2]), np.array([1, 1])) == 0.5  # type: ignore[arg-type]
