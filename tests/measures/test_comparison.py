"""Several runs against the first."""

from __future__ import annotations

import pytest

from osler.errors import InputError
from osler.measures.comparison import compare
from osler.measures.significance import holm, wilcoxon

QRELS = {f"q{i}": {"good": 1} for i in range(12)}
GOOD = {query: {"good": 2.0, "bad": 1.0} for query in QRELS}
BAD = {query: {"good": 1.0, "bad": 2.0} for query in QRELS}
MIXED = {query: (GOOD if i % 3 else BAD)[query] for i, query in enumerate(QRELS)}


def test_each_run_is_compared_with_the_first() -> None:
    found = compare(QRELS, {"bad": BAD, "good": GOOD, "mixed": MIXED}, ["P@1", "RR"])
    assert [(one.run, one.measure) for one in found.comparisons] == [
        ("good", "P@1"),
        ("good", "RR"),
        ("mixed", "P@1"),
        ("mixed", "RR"),
    ]
    good = found.comparisons[0]
    assert good.base == "bad"
    assert (good.difference.mean, good.wins, good.losses) == (1.0, 12, 0)
    mixed = found.comparisons[2]
    assert (mixed.difference.mean, mixed.wins, mixed.losses) == (pytest.approx(8 / 12), 8, 0)
    values = found.per_query
    expected = wilcoxon(
        list(values["mixed"]["P@1"].values()), list(values["bad"]["P@1"].values())
    ).p
    assert mixed.wilcoxon == expected
    assert [one.wilcoxon_holm for one in found.comparisons] == holm(
        [one.wilcoxon for one in found.comparisons]
    )
    assert found.means["mixed"]["P@1"].value == pytest.approx(8 / 12)
    assert found.means["mixed"]["P@1"].low < 8 / 12 < found.means["mixed"]["P@1"].high


def test_one_run_has_no_comparison_and_counts_are_summed() -> None:
    found = compare(QRELS, {"good": GOOD}, ["NumRel", "P@1"])
    assert found.comparisons == ()
    assert found.queries == 12
    assert found.means["good"]["NumRel"].value == 12
    assert found.means["good"]["NumRel"].low == 12


def test_the_base_can_be_named() -> None:
    found = compare(QRELS, {"bad": BAD, "good": GOOD}, ["P@1"], base="good")
    assert found.comparisons[0].difference.mean == -1.0
    with pytest.raises(InputError, match="no run 'other'"):
        compare(QRELS, {"bad": BAD}, ["P@1"], base="other")
    with pytest.raises(InputError, match="no run"):
        compare(QRELS, {}, ["P@1"])
    with pytest.raises(InputError, match="no measure"):
        compare(QRELS, {"bad": BAD}, [])
