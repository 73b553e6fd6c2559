"""Logistic regression over words: the quick way for few papers gives what the plain one does."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from osler.rank.logistic import fit_logistic, fit_wide


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
def test_few_rows_with_many_features(kind):
    rng = np.random.default_rng(0)
    features = rng.random((30, 400)) * (rng.random((30, 400)) < 0.1)
    # Two rows alike: their products have no full rank.
    features[1] = features[0]
    targets = rng.integers(0, 3, 30)
    plain, bias = fit_logistic(kind(features), targets, 3, strength=30.0)
    quick, other = fit_wide(kind(features), targets, 3, strength=30.0)
    assert quick == pytest.approx(plain, abs=2e-3)
    assert other - other.mean() == pytest.approx(bias - bias.mean(), abs=2e-3)
    # Where a feature never occurs it has no weight.
    unused = ~features.any(axis=0)
    assert unused.any()
    assert quick[unused] == pytest.approx(0.0)
