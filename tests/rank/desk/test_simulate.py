"""A review screened again: measures by hand, every paper read once, the same seed the same run."""

import numpy as np
import pytest

from osler.errors import InputError
from osler.rank.desk.simulate import (
    Simulation,
    found_after,
    measures,
    saved,
    simulate,
    starting_papers,
    time_to_discovery,
)

RELEVANT = [f"statins and muscle pain number {n} in adults" for n in "abcdefgh"]
OTHERS = [f"inhalers for asthma {n} of children at school" for n in "abcdefghijklmnopqrstuvwxyz"]


def test_every_paper_is_read_once_and_relevant_ones_early():
    texts = RELEVANT + OTHERS
    truth = [True] * len(RELEVANT) + [False] * len(OTHERS)
    run = simulate(texts, truth, seed=3)
    assert sorted(run.order) == list(range(len(texts)))
    assert run.marks == tuple(truth[row] for row in run.order)
    assert all(run.marks[2 : len(RELEVANT) + 1])
    assert simulate(texts, truth, seed=3) == run
    assert {simulate(texts, truth, seed=seed).order[:2] for seed in range(8)} != {run.order[:2]}


def test_batches_read_the_same_papers():
    texts = RELEVANT + OTHERS
    truth = [True] * len(RELEVANT) + [False] * len(OTHERS)
    run = simulate(texts, truth, batch=5)
    assert sorted(run.order) == list(range(len(texts)))


def test_the_start_is_one_of_each():
    truth = np.array([False, True, False, True])
    for seed in range(5):
        yes, no = starting_papers(truth, seed)
        assert truth[yes]
        assert not truth[no]
    with pytest.raises(InputError, match="both kinds"):
        starting_papers(np.array([True, True]), 0)


def test_measures_by_hand():
    # Ten papers after the two given; relevant ones are the 1st, 2nd, 4th and 8th.
    marks = np.array([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], dtype=bool)
    assert saved(marks, 1.0) == pytest.approx(1 - 8 / 10)
    assert saved(marks, 0.95) == pytest.approx(0.95 - 8 / 10)
    assert saved(marks, 0.5) == pytest.approx(0.5 - 2 / 10)
    assert found_after(marks, 0.2) == 0.5
    assert time_to_discovery(marks) == pytest.approx((1 + 2 + 4 + 8) / 4 / 10)
    run = Simulation(0, tuple(range(12)), (True, False, *marks.tolist()))
    assert measures(run) == pytest.approx(
        {"wss95": 0.15, "wss100": 0.2, "rrf10": 0.25, "atd": 0.375}
    )


def test_nothing_relevant_saves_nothing():
    nothing = np.zeros(5, dtype=bool)
    assert saved(nothing, 0.95) == found_after(nothing, 0.1) == time_to_discovery(nothing) == 0
