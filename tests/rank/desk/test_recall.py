"""The estimate of recall: its likelihood against SciPy's, its interval on reviews of another make
than the estimator's own, what it says to a reviewer."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.stats import nbinom

from osler.errors import InputError
from osler.rank.desk.found_curve import curve_features
from osler.rank.desk.recall import (
    FEW_FOUND,
    FoundSoFar,
    RecallModel,
    count_at,
    count_chance,
    found_so_far,
    rest_between,
    shipped,
)
from osler.rank.desk.recall_fit import (
    STAGES,
    State,
    coverage,
    fit_recall,
    holds,
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


@pytest.mark.parametrize(("mean", "size"), [(0.3, 2.0), (4.0, 3.2), (150.0, 0.7)])
def test_counts_are_scipys(mean, size):
    law = nbinom(size, size / (size + mean))
    for count in (0, 1, 5, 40):
        assert count_chance(count, mean, size) == pytest.approx(law.cdf(count))
    for level in (0.025, 0.5, 0.96):
        assert count_at(level, mean, size, 10_000) == law.ppf(level)
    assert count_at(0.96, 150.0, 0.7, 12) == 12


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


def test_levels_bound_the_rest():
    model = shipped()
    assert model.stages == list(STAGES)
    at = STAGES.index(0.3)
    law = nbinom(model.size, model.size / (model.size + 10))
    fewest, most = rest_between(model, 10.0, 0.3, found=FEW_FOUND, unread=500)
    assert (fewest, most) == (law.ppf(model.low[at]), law.ppf(model.high[at]))
    assert fewest < 10 < most
    assert rest_between(model, 10.0, 0.3, found=FEW_FOUND, unread=11)[1] == 11
    assert rest_between(model, 10.0, 0.3, found=FEW_FOUND - 1, unread=500) == (0, 500)


def test_levels_are_those_of_reviews_left_out():
    """Levels by hand: each review predicted by the others, the chance of its true count."""
    states = [
        state
        for number in range(5)
        for state in states_of(f"review {number}", drawn_review(number, total=300))
    ]
    model = fit_recall(states, window=0.01, tails=(0.1, 0.9))
    reached, before = [], []
    for number in range(5):
        others = [state for state in states if state.review != f"review {number}"]
        part = fit_recall(others, window=0.01)
        state = next(s for s in states if s.review == f"review {number}" and s.stage == 0.5)
        mean = min(float(part.expected(state.features)), state.unread)
        law = nbinom(part.size, part.size / (part.size + mean))
        reached.append(law.cdf(state.rest))
        before.append(law.cdf(state.rest - 1))
    at = STAGES.index(0.5)
    assert model.low[at] == pytest.approx(min(0.5, np.quantile(reached, 0.1)))
    assert model.high[at] == pytest.approx(max(0.5, np.quantile(before, 0.9)))


def test_whether_an_interval_holds_by_hand():
    model = shipped()
    features = states_of("r", drawn_review(3))[9].features
    expected = float(model.expected(features))
    fewest, most = rest_between(model, expected, 0.5, found=20, unread=300)
    inside, width = holds(model, State("r", 0.5, features, 20, most, 300))
    assert inside
    assert width == pytest.approx(20 / (20 + fewest) - 20 / (20 + most))
    assert not holds(model, State("r", 0.5, features, 20, most + 1, 300))[0]
    # Where nothing can be said, everything is: as wide as it gets.
    assert holds(model, State("r", 0.5, features, 2, 9, 300)) == (True, 1.0)


def test_reviews_without_finds_cannot_be_fitted():
    none = [s for name in "abc" for s in states_of(name, [True] + [False] * 99)]
    with pytest.raises(InputError, match="no review had found 4"):
        fit_recall(none)


def test_two_reviews_are_too_few_to_fit():
    states = states_of("a", drawn_review(1)) + states_of("b", drawn_review(2))
    with pytest.raises(InputError, match="three finished reviews"):
        fit_recall(states)


def test_everything_read_is_everything_found():
    now = found_so_far([True, False, True], 3)
    assert (now.low, now.estimate, now.high, now.missed_at_most) == (1.0, 1.0, 1.0, 0)
    assert now.words == "Found 2. All 3 papers are read."


@pytest.mark.parametrize("found", [1, 3])
def test_few_relevant_papers_say_nothing(found):
    now = found_so_far([True] * found + [False] * 2, 100)
    assert (now.low, now.high, now.missed_at_most) == (0.0, 1.0, 98 - found)
    assert now.early
    assert now.words == (
        f"Found {found}. Too early to tell how much is left. "
        "With fewer than 20 relevant papers, read everything."
    )


def test_the_fourth_relevant_paper_says_something():
    now = found_so_far([True] * FEW_FOUND + [False] * 80, 100)
    assert now.low > 0
    assert now.estimate != 0.5


def test_the_estimate_lies_in_its_interval():
    for seed in range(10):
        marks = drawn_review(seed)
        for read in (40, 150, 400, 590):
            now = found_so_far(marks[:read], len(marks))
            assert 0 <= now.low <= now.estimate <= now.high <= 1


def test_more_marks_than_papers():
    with pytest.raises(InputError, match="3 papers are marked, but there are 2"):
        found_so_far([True, False, True], 2)


def test_words_for_a_reviewer():
    late = FoundSoFar(500, 1000, 38, 0.85, 0.7, 0.97, 16)
    assert late.words == "Found 38. Likely 70% to 97% of all; at most 16 missed."
    wide = FoundSoFar(500, 1000, 38, 0.7, 0.5, 0.91, 38)
    assert wide.words == "Found 38. Too early to tell how much is left."
    assert not FoundSoFar(500, 1000, 38, 0.7, 0.5, 0.9, 38).early
    few = FoundSoFar(500, 1000, 12, 0.85, 0.7, 0.97, 5)
    assert few.words.endswith("With fewer than 20 relevant papers, read everything.")


def test_a_dry_spell_raises_the_estimate():
    marks = drawn_review(5)[:200].tolist()
    before = found_so_far(marks, 600)
    after = found_so_far([*marks, *[False] * 150], 600)
    assert after.estimate > before.estimate
    assert after.high - after.low < before.high - before.low


def test_what_was_found_and_what_is_expected_make_the_estimate():
    """A model that knows nothing but its intercept: the rest is e^w, whatever was found."""
    plain = RecallModel(
        mean=[0.0] * 7,
        spread=[1.0] * 7,
        weights=[np.log(6.0), *[0.0] * 7],
        size=2.0,
        stages=[0.5],
        low=[0.1],
        high=[0.9],
        level=0.95,
        data=[],
    )
    law = nbinom(2.0, 2.0 / 8.0)
    for found in (10, 30):
        now = found_so_far([True] * found + [False] * 70, 200, model=plain)
        assert now.estimate == pytest.approx(found / (found + 6))
        assert now.low == pytest.approx(found / (found + law.ppf(0.9)))
        assert now.high == pytest.approx(found / (found + law.ppf(0.1)))
        assert now.missed_at_most == law.ppf(0.9)
    # No more than are unread.
    assert found_so_far([True] * 30, 33, model=plain).missed_at_most == 3


def test_more_expected_is_less_found():
    model = shipped()
    marks = drawn_review(5)[:200]
    dry = np.concatenate([marks, np.zeros(100, dtype=bool)])
    wet = np.concatenate([marks, np.arange(100) % 5 == 0])
    few, many = (float(model.expected(curve_features(m, 600))) for m in (dry, wet))
    assert few < many
    after_dry, after_wet = found_so_far(dry, 600), found_so_far(wet, 600)
    assert after_dry.missed_at_most < after_wet.missed_at_most
