"""How the default weighs its features: a linear score, learned list by list.

The weights maximise the log-probability of the true answer under a softmax over its list (Cao et
al. 2007), with a ridge. Features are brought to mean zero and deviation one first, so that what
each contributed to a score can be read off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RIDGE = 1e-3


@dataclass
class Linear:
    """score = sum of ``weights`` * (x - ``mean``) / ``spread``."""

    mean: Floats
    spread: Floats
    weights: Floats

    def parts(self, rows: Floats) -> Floats:
        """What each feature contributes to each row's score."""
        return np.asarray((rows - self.mean) / self.spread * self.weights)

    def scores(self, rows: Floats) -> Floats:
        return np.asarray(self.parts(rows).sum(1))


def learn(
    rows: Floats, sizes: Sequence[int], *, ridge: float = RIDGE, floor: Sequence[int] = ()
) -> Linear:
    """Weights from lists behind one another, each of ``sizes`` rows, the true answer first.

    Columns named by ``floor`` get no weight below zero: a shared word cannot speak against an
    answer.
    """
    from scipy.optimize import minimize

    mean, spread = rows.mean(0), rows.std(0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    scaled = (rows - mean) / spread
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    true = scaled[starts].sum(0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        values = scaled @ weights
        values = values - np.maximum.reduceat(values, starts)[owner]
        powers = np.exp(values)
        totals = np.add.reduceat(powers, starts)
        shares = powers / totals[owner]
        value = float(np.log(totals).sum() - values[starts].sum()) / len(sizes)
        slope = (shares @ scaled - true) / len(sizes)
        return value + ridge * float(weights @ weights), slope + 2 * ridge * weights

    bounds = [(0.0, None) if at in set(floor) else (None, None) for at in range(rows.shape[1])]
    solution = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds)
    return Linear(mean, spread, np.asarray(solution.x))
