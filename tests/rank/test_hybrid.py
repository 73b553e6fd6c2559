"""Osler's own ranker: what its cross-validation sets."""

import numpy as np
import pytest

from osler.learn.temperature import fit_temperature
from osler.rank.papers.hybrid import Hybrid
from osler.rank.splits import folds


def test_the_temperature_is_that_of_the_logits_of_papers_held_out(world):
    pool, targets, topics = world
    # Few papers of one topic: the biases are far from even.
    rows = np.flatnonzero((targets != 1) | (np.cumsum(targets == 1) <= 5))
    pool, targets = pool.take(rows), targets[rows]
    ranker = Hybrid().fit(pool, targets, topics)
    logits = np.zeros((len(pool), len(topics) + 1))
    for test in folds(targets, 5):
        rest = np.setdiff1d(np.arange(len(pool)), test)
        part = Hybrid()
        part.topics = list(topics)
        part._learn(pool.take(rest), targets[rest])
        assert np.ptp(part.bias) > 0.1
        logits[test] = part._logits(pool.take(test))
    assert ranker.temperature == pytest.approx(fit_temperature(logits, targets))
    assert ranker.calibrated
