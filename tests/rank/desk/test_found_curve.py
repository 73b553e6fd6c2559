"""Features of the found-curve, against integrals worked out another way."""

import numpy as np
import pytest
from scipy.integrate import quad

from osler.rank.desk.found_curve import NAMES, curve_features, exponential_rest, power_rest


def places(rate, share, count):
    """Where papers are found whose rate is ``rate``: quantiles of it up to a share read."""
    grid = np.linspace(0, share, 20_001)
    mass = np.cumsum(rate(grid))
    mass /= mass[-1]
    return np.interp((np.arange(count) + 0.5) / count, mass, grid)


@pytest.mark.parametrize("fall", [1.0, 5.0, 20.0])
def test_the_rest_of_an_exponential_rate(fall):
    def rate(x):
        return np.exp(-fall * x)

    at = places(rate, 0.4, 400)
    expected = 400 * quad(rate, 0.4, 1)[0] / quad(rate, 0, 0.4)[0]
    assert exponential_rest(at, 0.4) == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize("power", [0.5, 1.5])
def test_the_rest_of_a_power_rate(power):
    def rate(x):
        return (x + 0.01) ** -power

    at = places(rate, 0.4, 400)
    expected = 400 * quad(rate, 0.4, 1)[0] / quad(rate, 0, 0.4)[0]
    assert power_rest(at, 0.4) == pytest.approx(expected, rel=0.1)


def test_nothing_found_leaves_nothing_to_expect():
    assert exponential_rest(np.zeros(0), 0.5) == power_rest(np.zeros(0), 0.5) == 0
    features = dict(zip(NAMES, curve_features(np.zeros(10, bool), 40), strict=True))
    assert features["since the last"] == pytest.approx(np.log1p(10))
    assert features["share read"] == 0.25


def test_counts_by_hand():
    # 20 of 60 read; relevant at 0, 1, 14, 18: 4 found, 1 since; the last 2 hold 1, the last 6 two.
    marks = np.zeros(20, dtype=bool)
    marks[[0, 1, 14, 18]] = True
    features = dict(zip(NAMES, curve_features(marks, 60), strict=True))
    assert features["found"] == pytest.approx(np.log1p(4))
    assert features["since the last"] == pytest.approx(np.log1p(1))
    assert features["last tenth"] == pytest.approx(np.log1p(0.5 * 40))
    assert features["last three tenths"] == pytest.approx(np.log1p(2 / 6 * 40))


def test_no_more_is_expected_than_is_unread():
    features = curve_features(np.ones(30, dtype=bool), 33)
    assert features[0] <= np.log1p(3)
    assert features[1] <= np.log1p(3)
