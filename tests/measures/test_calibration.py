"""Calibration and bootstrap intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import ChoiceError, InputError
from osler.measures.calibration import brier, expected_calibration_error, reliability_bins
from osler.measures.intervals import bootstrap_interval, resampled_interval

cases = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def test_by_hand() -> None:
    sure, right = [0.95, 0.85, 0.9, 0.05], [1, 1, 0, 0]
    found = reliability_bins(sure, right)
    # A bin is open below and closed above: 0.9 stands in (0.8, 0.9] beside 0.85.
    assert [(one.low, one.count) for one in found] == [(0.0, 1), (0.8, 2), (0.9, 1)]
    expected = (1 * 0.05 + 2 * abs(0.875 - 0.5) + 1 * 0.05) / 4
    assert expected_calibration_error(sure, right) == pytest.approx(expected)
    assert brier([1.0, 0.5], [1, 0]) == 0.125


def test_a_calibrated_and_an_overconfident_judge() -> None:
    generator = np.random.default_rng(0)
    sure = generator.random(50_000)
    right = generator.random(50_000) < sure
    assert expected_calibration_error(sure, right) < 0.01
    assert expected_calibration_error(sure**0.25, right) > 0.2


@given(cases)
def test_bins_hold_every_case_once(given: list[tuple[float, bool]]) -> None:
    sure, right = [c for c, _ in given], [r for _, r in given]
    for by in ("width", "mass"):
        found = reliability_bins(sure, right, bins=5, by=by)  # type: ignore[arg-type]
        assert sum(one.count for one in found) == len(given)
        assert all(one.low - 1e-9 <= one.confidence <= one.high + 1e-9 for one in found)
        error = expected_calibration_error(sure, right, bins=5, by=by)  # type: ignore[arg-type]
        # One bin is the coarsest view: finer bins see at least that gap.
        assert error >= abs(np.mean(sure) - np.mean(right)) - 1e-9
        assert error <= 1


def test_equal_mass() -> None:
    found = reliability_bins([0.1, 0.2, 0.3, 0.4, 0.9, 0.95], [0, 0, 1, 0, 1, 1], bins=3, by="mass")
    assert [one.count for one in found] == [2, 2, 2]


@pytest.mark.parametrize(
    ("sure", "right"),
    [([], []), ([0.5], [1, 0]), ([1.2], [1]), ([0.5], [2]), ([float("nan")], [1])],
)
def test_wrong_input(sure: list[float], right: list[int]) -> None:
    with pytest.raises(InputError):
        expected_calibration_error(sure, right)


def test_wrong_options() -> None:
    with pytest.raises(ChoiceError):
        reliability_bins([0.5], [1], by="count")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        reliability_bins([0.5], [1], bins=0)
    for level in (0, 1, 95):
        with pytest.raises(InputError):
            bootstrap_interval([1, 2], level=level)
    with pytest.raises(InputError):
        bootstrap_interval([])
    with pytest.raises(InputError):
        bootstrap_interval([1.0], samples=0)


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(300):
        interval = bootstrap_interval(generator.normal(2, 1, 80), samples=400, level=0.9)
        covered += interval.low <= 2 <= interval.high
    assert 250 <= covered <= 290


def test_intervals_are_seeded_and_of_any_statistic() -> None:
    values = np.random.default_rng(2).random(50)
    assert bootstrap_interval(values) == bootstrap_interval(values)
    assert bootstrap_interval(values).value == pytest.approx(values.mean())
    median = bootstrap_interval(values, lambda v: float(np.median(v)), samples=300)
    assert median.value == pytest.approx(np.median(values))
    assert median.low <= median.value <= median.high
    mean = bootstrap_interval(values, lambda v: float(v.mean()), samples=2000)
    plain = bootstrap_interval(values)
    assert (mean.low, mean.high) == pytest.approx((plain.low, plain.high), abs=0.01)
    every = resampled_interval(3, lambda picks: float(len(picks)), samples=10)
    assert (every.low, every.value, every.high) == (3, 3, 3)
    with pytest.raises(InputError):
        resampled_interval(0, lambda picks: 0.0)
    assert str(bootstrap_interval([1.0, 1.0])) == "1.0000 [1.0000, 1.0000]"
