import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import InputError
from osler.rank.labels import Label
from osler.rank.progress import reading
from osler.rank.screening import may_stop, recall_so_far, stopping_p, work_saved


def test_work_saved_by_hand():
    # 20 relevant on top of 100: reading 19 finds 95 %.
    assert work_saved([True] * 20 + [False] * 80) == pytest.approx(1 - 0.19 - 0.05)
    assert work_saved([False] * 80 + [True] * 20) == pytest.approx(1 - 0.99 - 0.05)
    assert work_saved([False] * 5) == 0.0
    assert work_saved([True]) == pytest.approx(-0.05)


def test_recall_with_nothing_left_is_one():
    found = recall_so_far(7, [])
    assert (found.estimate, found.low, found.high) == (1.0, 1.0, 1.0)
    assert recall_so_far(0, []).estimate == 1.0


def test_more_evidence_narrows_the_interval():
    rest = np.full(200, 0.1)
    wide = recall_so_far(30, rest)
    narrow = recall_so_far(30, rest, observed=100, expected=100.0)
    assert narrow.estimate == pytest.approx(30 / 50, abs=0.01)
    assert narrow.high - narrow.low < wide.high - wide.low
    worse = recall_so_far(30, rest, observed=40, expected=20.0)
    assert worse.estimate < narrow.estimate


def test_interval_covers_the_truth():
    """Simulated reviews: probabilities off by a factor that the checked half also shows."""
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        factor = rng.uniform(0.6, 1.4)
        checked, rest = rng.uniform(0, 0.5, 120), rng.uniform(0, 0.2, 300)
        observed = int((rng.random(120) < checked * factor).sum())
        remaining = int((rng.random(300) < rest * factor).sum())
        found = 40 + observed
        now = recall_so_far(found, rest, observed=observed, expected=float(checked.sum()))
        covered += now.low <= found / (found + remaining) <= now.high
    assert covered / 400 >= 0.93


def test_stopping_needs_a_long_dry_stretch():
    start = [True] * 20
    assert not may_stop(start, 1000)
    assert not may_stop(start + [False] * 100, 1000)
    assert may_stop(start + [False] * 900, 1000)
    assert stopping_p([False] * 10, 100) == 1.0
    assert stopping_p([True], 1) == 0.0
    with pytest.raises(InputError):
        stopping_p([True] * 5, 3)


def test_stopping_rarely_stops_too_soon():
    """In random order, the worst case for the rule, recall at the stop is rarely short."""
    rng = np.random.default_rng(1)
    short = 0
    for _ in range(60):
        marks = rng.permutation([True] * 30 + [False] * 270)
        for read in range(20, 301, 10):
            if may_stop(marks[:read].tolist(), 300):
                break
        short += marks[:read].sum() / 30 < 0.95
    assert short / 60 <= 0.15


@given(
    st.integers(0, 50),
    st.lists(st.floats(0, 1), max_size=30),
    st.integers(0, 50),
    st.floats(0, 50),
)
def test_recall_is_always_a_share_within_its_interval(found, rest, observed, expected):
    now = recall_so_far(found, rest, observed=observed, expected=expected)
    assert 0 <= now.low <= now.high <= 1
    assert 0 <= now.estimate <= 1
    assert now.low - 1e-9 <= now.estimate <= now.high + 1e-9


def test_bad_probabilities():
    with pytest.raises(InputError):
        recall_so_far(1, [1.5])


def test_reading_of_a_review(world):
    pool, targets, topics = world
    order = [i for pair in zip(range(12), range(12, 24), strict=True) for i in pair]
    labels = [Label(pool.ids[row], bool(targets[row] == 0)) for row in order[:16]]
    now = reading(pool, topics[0], labels)
    assert now.read == 16
    assert now.total == 48
    assert now.recall.found == 8
    # Four of twelve relevant papers are unread.
    assert now.recall.low <= 8 / 12 <= now.recall.high
    assert not now.stop
    assert reading(pool, topics[0], labels[:3]) is None
    everything = [Label(id, bool(t == 0)) for id, t in zip(pool.ids, targets, strict=True)]
    assert reading(pool, topics[0], everything).stop


def test_the_p_value_is_the_least_over_every_start():
    """Against SciPy at every start of the last stretch, not only after relevant papers."""
    from scipy.stats import hypergeom

    rng = np.random.default_rng(1)
    for _ in range(200):
        total = int(rng.integers(8, 90))
        read = int(rng.integers(4, total))
        marks = rng.random(read) < rng.random() * 0.5
        if not marks.any() or marks.all():
            continue
        seen = np.concatenate([[0], np.cumsum(marks)])
        starts = np.arange(read)
        least = int(np.floor(seen[-1] / 0.95)) + 1
        relevant = np.minimum(least - seen[:-1], total - starts)
        slow = hypergeom.cdf(seen[-1] - seen[:-1], total - starts, relevant, read - starts).min()
        assert stopping_p(marks, total) == pytest.approx(slow, abs=1e-9)
