"""Logistic regression of many classes with an L2 penalty, by SciPy alone.

The default ranker learns with it, so that ranking a topic needs neither torch nor scikit-learn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from osler.learn.temperature import log_softmax
from osler.rank.pool import Floats, Ints


def fit_logistic(
    features: Any,
    targets: Ints,
    classes: int,
    *,
    strength: float,
    weights: Floats | None = None,
    iterations: int = 200,
) -> tuple[Floats, Floats]:
    """Weights (features x classes) and biases that minimise

        sum_i w_i * -log softmax(x_i W + b)[y_i]  +  |W|^2 / (2 * strength).

    ``features`` is a dense or a SciPy sparse matrix. Biases are not penalised. The problem is
    convex, and the start is zero, so the outcome is one and the same each time.
    """
    from scipy.optimize import minimize

    rows, columns = features.shape
    each = np.ones(rows) if weights is None else weights
    hot = np.zeros((rows, classes))
    hot[np.arange(rows), targets] = 1.0
    turned = features.T.tocsr() if hasattr(features, "tocsr") else features.T

    def objective(flat: Floats) -> tuple[float, Floats]:
        matrix = flat.reshape(columns + 1, classes)
        logs = log_softmax(features @ matrix[:-1] + matrix[-1])
        loss = -float((each[:, None] * hot * logs).sum())
        off = each[:, None] * (np.exp(logs) - hot)
        gradient = np.empty_like(matrix)
        gradient[:-1] = turned @ off + matrix[:-1] / strength
        gradient[-1] = off.sum(axis=0)
        return loss + float((matrix[:-1] ** 2).sum()) / (2 * strength), gradient.ravel()

    solution = minimize(
        objective,
        np.zeros((columns + 1) * classes),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": iterations, "gtol": 1e-4},
    )
    matrix = solution.x.reshape(columns + 1, classes)
    return matrix[:-1], matrix[-1]


def fit_wide(
    features: Any, targets: Ints, classes: int, *, strength: float
) -> tuple[Floats, Floats]:
    """The same for many more features than rows, much quicker.

    The best weights are a mix of the rows, W = X' A. With X X' = Q L Q' the rows can be turned into
    Z = Q L^(1/2), which has the same products; the weights there, V, give W = X' Q L^(-1/2) V. The
    penalty is the same, since |W| = |V|.
    """
    products = features @ features.T
    lengths, axes = np.linalg.eigh(
        np.asarray(products.todense() if hasattr(products, "todense") else products)
    )
    kept = lengths > lengths[-1] * 1e-12
    roots = np.sqrt(lengths[kept])
    turned, bias = fit_logistic(axes[:, kept] * roots, targets, classes, strength=strength)
    return np.asarray(features.T @ (axes[:, kept] / roots @ turned)), bias
