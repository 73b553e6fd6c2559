"""The machine against liblinear, against numbers worked out by hand, and warm against cold."""

import numpy as np
import pytest

from osler.rank.desk.margin import balanced_weights, fit_margin


def problem(seed, count=40, size=60):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(count, size)) / np.sqrt(size)
    relevant = rng.random(count) < 0.3
    relevant[:2] = True, False
    return features, relevant


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("cost", [0.11, 3.0])
def test_equals_liblinear(seed, cost):
    svm = pytest.importorskip("sklearn.svm")
    features, relevant = problem(seed)
    weights = balanced_weights(relevant)
    signs = np.where(relevant, 1.0, -1.0)
    beta = fit_margin(features @ features.T + 1, signs, weights, cost=cost)
    machine = svm.LinearSVC(C=cost, tol=1e-10, max_iter=1_000_000)
    machine.fit(features, relevant, sample_weight=weights)
    ours = features @ (features.T @ beta) + beta.sum()
    assert np.abs(ours - machine.decision_function(features)).max() < 1e-5


def test_two_papers_by_hand():
    # x = +-1 with signs +-1 and C = 1/2: w = 1 - w, so w = 2 sum of C s (1 - w) = 2 (1 - w): 2/3.
    kernel = np.array([[2.0, 0.0], [0.0, 2.0]])
    beta = fit_margin(kernel, np.array([1.0, -1.0]), np.ones(2), cost=0.5)
    assert beta == pytest.approx([1 / 3, -1 / 3])


def test_warm_is_cold():
    features, relevant = problem(7, count=80)
    kernel = features @ features.T + 1
    signs = np.where(relevant, 1.0, -1.0)
    before = fit_margin(kernel[:79, :79], signs[:79], balanced_weights(relevant[:79]), cost=1.0)
    weights = balanced_weights(relevant)
    warm = fit_margin(kernel, signs, weights, cost=1.0, start=np.append(before, 0.0))
    cold = fit_margin(kernel, signs, weights, cost=1.0)
    assert np.abs(kernel @ (warm - cold)).max() < 1e-5


def test_from_any_start_however_far_the_answer_is_one():
    """Few features and a far start: a full step goes too far there and must be shortened."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        count = int(rng.integers(3, 12))
        features = rng.normal(0, 3, (count, int(rng.integers(1, 4))))
        kernel = features @ features.T + 1
        signs, weights = np.where(rng.random(count) < 0.5, 1.0, -1.0), rng.uniform(0.1, 3, count)
        far = rng.normal(0, 10, count)
        cold = fit_margin(kernel, signs, weights, cost=10.0)
        warm = fit_margin(kernel, signs, weights, cost=10.0, start=far)
        assert np.abs(kernel @ (warm - cold)).max() < 1e-3, seed


def test_weights_by_hand():
    # P = 1, Q = 3: a relevant one weighs 1, another 1 / (9.8 * 3); both rescaled to sum to 4.
    low = 1 / (9.8 * 3)
    scale = 4 / (1 + 3 * low)
    assert balanced_weights(np.array([True, False, False, False])) == pytest.approx(
        [scale, *[low * scale] * 3]
    )


def test_weights_of_one_kind_are_even():
    assert balanced_weights(np.array([True, True])) == pytest.approx([1.0, 1.0])
