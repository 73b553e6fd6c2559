"""Probabilities that mean what they say: one temperature, learned on what was held out.

Guo et al. 2017, "On Calibration of Modern Neural Networks": softmax(z / T), T by least log loss.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST, MOST = 0.2, 5.0
"""Bounds, so that a handful of held-out cases, all right or all wrong, cannot drive it away."""


def log_softmax(logits: NDArray[Any]) -> Floats:
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def softmax(logits: NDArray[Any]) -> Floats:
    return np.asarray(np.exp(log_softmax(logits)))


def fit_temperature(logits: NDArray[Any], targets: NDArray[Any]) -> float:
    """What held-out logits (a row a case) are divided by to make their softmax honest."""
    from scipy.optimize import minimize_scalar

    rows = np.arange(len(targets))

    def loss(log_t: float) -> float:
        return -float(log_softmax(logits / np.exp(log_t))[rows, targets].mean())

    best = minimize_scalar(loss, bounds=(np.log(LEAST), np.log(MOST)), method="bounded")
    return float(np.exp(best.x))
