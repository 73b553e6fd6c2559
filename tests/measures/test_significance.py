"""Tests of difference, against scipy and against cases worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from osler.errors import InputError
from osler.measures.significance import bootstrap, holm, paired_t, randomisation, wilcoxon

values = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=40)


def test_wilcoxon_exact_by_hand() -> None:
    # Six differences, all positive: the two outermost of 2**6 sign patterns.
    result = wilcoxon([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0])
    assert result.p == pytest.approx(2 / 64)
    assert (result.statistic, result.n) == (0.0, 6)
    # Ranks 1 (negative), 2, 3: one pattern with sum 0, one with 1; twice, out of 8.
    assert wilcoxon([-1, 2, 3], [0, 0, 0]).p == pytest.approx(4 / 8)


def test_wilcoxon_leaves_out_equal_pairs() -> None:
    assert wilcoxon([1, 2, 3], [1, 2, 3]).p == 1.0
    first = [0.1 + 0.2, *[float(i) for i in range(1, 7)]]
    second = [0.3, *[0.0] * 6]
    assert wilcoxon(first, second).n == 6


@pytest.mark.parametrize("n", [20, 200])
def test_tests_equal_scipy(n: int) -> None:
    generator = np.random.default_rng(n)
    a, b = generator.random(n), generator.random(n) + 0.1
    assert wilcoxon(a, b).p == pytest.approx(stats.wilcoxon(a, b).pvalue)
    theirs = stats.ttest_rel(a, b)
    ours = paired_t(a, b)
    assert (ours.statistic, ours.p) == (
        pytest.approx(theirs.statistic),
        pytest.approx(theirs.pvalue),
    )


def test_t_on_constant_differences() -> None:
    assert paired_t([1, 2, 3], [1, 2, 3]).p == 1.0
    assert paired_t([2, 3, 4], [1, 2, 3]).p == 0.0
    assert paired_t([2], [1]).p == 1.0


def test_bootstrap_is_seeded_and_near_the_t_test() -> None:
    generator = np.random.default_rng(3)
    a, b = generator.normal(0.06, 0.3, 300), generator.normal(0, 0.3, 300)
    first, again, other = bootstrap(a, b), bootstrap(a, b), bootstrap(a, b, seed=1)
    assert first == again
    assert first != other
    assert first.mean == pytest.approx(float((a - b).mean()))
    assert first.low < first.mean < first.high
    assert first.p == pytest.approx(paired_t(a, b).p, abs=0.02)
    error = float((a - b).std(ddof=1)) / 300**0.5
    assert first.high - first.low == pytest.approx(2 * 1.96 * error, rel=0.1)


def test_bootstrap_of_no_and_of_sure_difference() -> None:
    assert bootstrap([1, 2], [1, 2]).p == 1.0
    sure = bootstrap(np.ones(50), np.zeros(50), samples=999)
    assert (sure.p, sure.low, sure.high) == (1 / 1000, 1.0, 1.0)


def test_a_true_null_is_rejected_about_as_often_as_it_should_be() -> None:
    generator = np.random.default_rng(0)
    rejected = sum(
        bootstrap(generator.normal(size=60), generator.normal(size=60), samples=400).p < 0.05
        for _ in range(300)
    )
    assert 5 <= rejected <= 30


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []
    with pytest.raises(InputError):
        holm([0.5, float("nan")])


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_only_raises_and_keeps_the_order(p: list[float]) -> None:
    corrected = holm(p)
    assert all(before <= after <= 1 for before, after in zip(p, corrected, strict=True))
    by_given = [corrected[i] for i in np.argsort(p, kind="stable")]
    assert by_given == sorted(by_given)


@settings(deadline=None)
@given(values)
def test_swapping_the_systems_changes_only_the_sign(pairs: list[tuple[float, float]]) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    assert wilcoxon(a, b).p == pytest.approx(wilcoxon(b, a).p)
    assert paired_t(a, b).p == pytest.approx(paired_t(b, a).p)
    there, back = bootstrap(a, b, samples=200), bootstrap(b, a, samples=200)
    assert there.mean == pytest.approx(-back.mean)
    assert there.p == pytest.approx(back.p)


@pytest.mark.parametrize("test", [wilcoxon, paired_t, bootstrap])
def test_unpaired_or_empty_values_are_refused(test) -> None:  # type: ignore[no-untyped-def]
    for first, second in (([1, 2], [1]), ([], []), ([float("nan")], [1]), ([[1]], [[1]])):
        with pytest.raises(InputError):
            test(first, second)


def test_randomisation_counts_turns_that_are_as_far_out():
    # Three equal gains: of the eight ways to turn them, two (all, none) are as far out.
    test = randomisation([1.0, 2.0, 3.0], [0.0, 1.0, 2.0], samples=40_000)
    assert test.statistic == pytest.approx(1.0)
    assert test.p == pytest.approx(2 / 8, abs=0.01)
    assert test.n == 3
    # Of 0.1, 0.2 and 0.4 every turn has another sum: two of eight again, and none is further out.
    assert randomisation([0.1, 0.2, 0.4], [0.0] * 3, samples=40_000).p == pytest.approx(
        2 / 8, abs=0.01
    )


def test_randomisation_of_systems_that_are_alike_and_of_one_that_always_wins():
    assert randomisation([1.0, 2.0], [1.0, 2.0], samples=50).p == 1.0
    assert randomisation([1.0, 0.0], [0.0, 1.0], samples=50).p == 1.0
    won = randomisation(range(1, 31), [0.0] * 30, samples=999)
    assert won.p == pytest.approx(1 / 1000)
    assert randomisation([3.0, 1.0], [1.0, 2.0], seed=1) == randomisation(
        [3.0, 1.0], [1.0, 2.0], seed=1
    )
    with pytest.raises(InputError):
        randomisation([1.0], [0.0], samples=0)


def test_randomisation_draws_all_its_samples_however_they_are_cut(monkeypatch):
    import osler.measures.significance as significance

    gains = [0.3, -0.1, 0.2, 0.4, 0.1]
    whole = randomisation(gains, [0.0] * 5, samples=5_000)
    monkeypatch.setattr(significance, "_CHUNK", 35)
    assert randomisation(gains, [0.0] * 5, samples=5_000).p == pytest.approx(whole.p, abs=0.02)
