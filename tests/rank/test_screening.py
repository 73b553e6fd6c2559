import numpy as np
import pytest

from osler.errors import InputError
from osler.rank.labels import Label
from osler.rank.progress import reading
from osler.rank.screening import may_stop, stopping_p, work_saved


def test_work_saved_by_hand():
    # 20 relevant on top of 100: reading 19 finds 95 %.
    assert work_saved([True] * 20 + [False] * 80) == pytest.approx(1 - 0.19 - 0.05)
    assert work_saved([False] * 80 + [True] * 20) == pytest.approx(1 - 0.99 - 0.05)
    assert work_saved([False] * 5) == 0.0
    assert work_saved([True]) == pytest.approx(-0.05)


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


def test_the_p_value_is_the_least_over_every_start():
    """Against SciPy at every start, not only at those after a relevant paper."""
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


def test_reading_of_a_review(world):
    pool, targets, topics = world
    order = [i for pair in zip(range(12), range(12, 24), strict=True) for i in pair]
    labels = [Label(pool.ids[row], bool(targets[row] == 0)) for row in order[:16]]
    now = reading(labels, topics[0], 4_800)
    assert (now.so_far.read, now.so_far.total, now.so_far.found) == (16, 4_800, 8)
    assert not now.stop
    assert now.p > 0.9
    assert reading(labels[:1], topics[0], 48) is None
    assert reading(labels, topics[0], 48, known=pool.ids[:6]) is None
    everything = [Label(id, bool(t == 0)) for id, t in zip(pool.ids, targets, strict=True)]
    done = reading(everything, topics[0], 48)
    assert done.stop
    assert done.so_far.words == "Found 12. All 48 papers are read."
