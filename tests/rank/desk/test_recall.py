"""The estimate of recall: its likelihood against SciPy's, its interval on reviews of another make
than the estimator's own, what it says to a reviewer."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.stats import nbinom

from osler.errors import InputError
from osler.rank.desk.recall import FoundSoFar, found_so_far, rest_between, shipped, spread_of
from osler.rank.desk.recall_fit import (
    STAGES,
    coverage,
    fit_recall,
    negative_likelihood,
    states_of,
)


def drawn_review(seed, total=600):
    """A review whose relevant papers are found by a noisy order: scores of two normals, which is
    neither of the curves that the estimator knows."""
    rng = np.random.default_rng(seed)
    relevant = rng.random(total) < rng.uniform(0.03, 0.2)
    relevant[:3] = True
    scores = rng.normal(size=total) + relevant * rng.uniform(0.8, 2.2)
    return relevant[np.argsort(-scores)]


def test_likelihood_is_scipys():
    rng = np.random.default_rng(0)
    scaled = np.column_stack([np.ones(30), rng.normal(size=(30, 2))])
    rest = rng.poisson(4, 30).astype(float)
    point = np.array([1.2, 0.3, -0.2, 0.7])
    mu, size = np.exp(scaled @ point[:3]), np.exp(point[3])
    expected = -nbinom.logpmf(rest, size, size / (size + mu)).sum() + 0.5 * 5 * (0.3**2 + 0.2**2)
    assert negative_likelihood(point, scaled, rest, 5.0)[0] == pytest.approx(expected)
    error = check_grad(
        lambda p: negative_likelihood(p, scaled, rest, 5.0)[0],
        lambda p: negative_likelihood(p, scaled, rest, 5.0)[1],
        point,
    )
    assert error < 1e-3


def test_spread_by_hand():
    assert spread_of(np.array(4.0), 2.0) == pytest.approx(np.sqrt(1 / 2 + 1 / 4))
    assert spread_of(np.array(0.0), 2.0) == pytest.approx(np.sqrt(1 / 2 + 2))


def test_interval_holds_on_reviews_left_out():
    states = [
        state
        for number in range(12)
        for seed in range(4)
        for state in states_of(f"review {number}", drawn_review(100 * number + seed))
    ]
    checked = coverage(states)
    held = np.mean([ok for _, ok, _ in checked])
    width = np.mean([width for *_, width in checked])
    assert 0.9 <= held <= 0.995
    assert width < 0.35
    late = [width for state, _, width in checked if state.stage >= 0.8]
    assert np.mean(late) < 0.2


def test_what_ships_holds_on_drawn_reviews():
    inside = []
    for seed in range(40):
        marks = drawn_review(seed)
        for share in (0.2, 0.5, 0.8):
            read = int(share * len(marks))
            now = found_so_far(marks[:read].tolist(), len(marks))
            inside.append(now.low <= marks[:read].sum() / marks.sum() <= now.high)
    assert np.mean(inside) > 0.9


def test_residual_quantiles_bound_the_rest():
    model = shipped()
    assert model.stages == list(STAGES)
    fewest, most = rest_between(model, np.array(10.0), 0.3)
    unit = float(spread_of(np.array(10.0), model.size))
    at = STAGES.index(0.3)
    assert most == int(np.ceil(np.expm1(np.log(11) + model.high[at] * unit)))
    assert fewest == max(0, int(np.floor(np.expm1(np.log(11) + model.low[at] * unit))))
    assert fewest < 10 < most


def test_two_reviews_are_too_few_to_fit():
    states = states_of("a", drawn_review(1)) + states_of("b", drawn_review(2))
    with pytest.raises(InputError, match="three finished reviews"):
        fit_recall(states)


def test_everything_read_is_everything_found():
    now = found_so_far([True, False, True], 3)
    assert (now.low, now.estimate, now.high, now.missed_at_most) == (1.0, 1.0, 1.0, 0)
    assert now.words == "Found 2. All 3 papers are read."


def test_one_relevant_paper_says_nothing():
    now = found_so_far([True, False, False], 100)
    assert (now.low, now.high, now.missed_at_most) == (0.0, 1.0, 97)
    assert now.early
    assert now.words == "Found 1. Too early to tell how much is left."


def test_more_marks_than_papers():
    with pytest.raises(InputError, match="3 papers are marked, but there are 2"):
        found_so_far([True, False, True], 2)


def test_words_for_a_reviewer():
    late = FoundSoFar(500, 1000, 38, 0.85, 0.7, 0.97, 16)
    assert late.words == "Found 38. Likely 70% to 97% of all; at most 16 missed."
    few = FoundSoFar(500, 1000, 12, 0.85, 0.7, 0.97, 5)
    assert few.words.endswith("With fewer than 20 relevant papers, read everything.")


def test_a_dry_spell_raises_the_estimate():
    marks = drawn_review(5)[:200].tolist()
    before = found_so_far(marks, 600)
    after = found_so_far([*marks, *[False] * 150], 600)
    assert after.estimate > before.estimate
    assert after.high - after.low < before.high - before.low
