"""A linear support vector machine with squared hinge loss and a weight a paper.

Minimised over w and b:

    1/2 (|w|^2 + b^2) + C sum_i s_i max(0, 1 - y_i (w x_i + b))^2

which is liblinear's problem (Fan et al. 2008): the bias is one more feature of value 1. With few
marks and very many words it is solved for the marks: w = sum_i beta_i x_i. Papers inside the
margin (y_i f_i < 1) have (K + D) beta = y, with D = diag(1 / (2 C s_i)) and K = x x' + 1; all
others have beta = 0 (Chapelle 2007, "Training a support vector machine in the primal"). Which
papers are inside is found by Newton's steps; after one more mark the last answer is nearly the
next one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

STEPS = 60
TOLERANCE = 1e-6


def fit_margin(
    kernel: Floats,
    signs: Floats,
    weights: Floats,
    *,
    cost: float,
    start: Floats | None = None,
) -> Floats:
    """Beta of each marked paper. ``kernel`` holds x x' + 1 of the marked ones, ``signs`` are +1
    and -1, ``start`` is an earlier answer, zeros for what is new."""
    ridge = 1.0 / (2.0 * cost * weights)
    beta = np.zeros(len(signs)) if start is None else start.copy()
    outputs = kernel @ beta
    value = _objective(beta, outputs, signs, weights, cost)
    inside = signs * outputs < 1
    for _ in range(STEPS):
        goal, goal_outputs = _solved(kernel, ridge, signs, beta, outputs, inside)
        share = 1.0
        while True:
            new_beta = beta + share * (goal - beta)
            new_outputs = outputs + share * (goal_outputs - outputs)
            new_value = _objective(new_beta, new_outputs, signs, weights, cost)
            if new_value <= value + 1e-12 * abs(value) or share < 1e-4:
                break
            share /= 2
        gain = value - new_value
        beta, outputs, value = new_beta, new_outputs, new_value
        still_inside = signs * outputs < 1
        # Solved for the papers that are inside: there is nothing left to move.
        if share == 1.0 and (
            np.array_equal(inside, still_inside) or gain <= 1e-9 * max(1.0, abs(value))
        ):
            break
        inside = still_inside
    return beta


def _objective(beta: Floats, outputs: Floats, signs: Floats, weights: Floats, cost: float) -> float:
    short = np.maximum(0.0, 1.0 - signs * outputs)
    return float(0.5 * beta @ outputs + cost * (weights * short * short).sum())


def _solved(
    kernel: Floats,
    ridge: Floats,
    goal: Floats,
    start: Floats,
    start_outputs: Floats,
    inside: npt.NDArray[np.bool_],
) -> tuple[Floats, Floats]:
    """(kernel + diag(ridge)) beta = goal for the papers inside, zero for the others, by conjugate
    gradients from an earlier answer; scaled by the diagonal, which class weights make uneven. With
    beta comes kernel @ beta, which the steps have worked out on their way: products with the kernel
    are what a new order costs.

    The kernel is never cut: with so small a C nearly all papers are inside, and to copy their part
    of it costs more than to solve.
    """
    scale = inside / (kernel.diagonal() + ridge)
    beta = np.where(inside, start, 0.0)
    gone = np.flatnonzero(~inside & (start != 0.0))
    outputs = start_outputs - kernel[gone].T @ start[gone]
    rest = np.where(inside, goal - (outputs + ridge * beta), 0.0)
    scaled = scale * rest
    direction = scaled.copy()
    size = float(rest @ scaled)
    limit = TOLERANCE**2 * float(goal @ (scale * goal))
    for _ in range(10 * len(goal) + 20):
        if size <= limit:
            break
        whole_image = kernel @ direction
        image = np.where(inside, whole_image + ridge * direction, 0.0)
        rate = size / float(direction @ image)
        beta += rate * direction
        outputs += rate * whole_image
        rest -= rate * image
        scaled = scale * rest
        new_size = float(rest @ scaled)
        direction = scaled + (new_size / size) * direction
        size = new_size
    return beta, outputs


def balanced_weights(relevant: npt.NDArray[np.bool_], *, ratio: float = 9.8) -> Floats:
    """Weights of marked papers as ELAS u4 balances them: 1 for a relevant one, P / (ratio Q) for
    another one, with P relevant and Q irrelevant marks; rescaled to sum to their number."""
    positive = int(relevant.sum())
    negative = len(relevant) - positive
    low = positive / (ratio * negative) if negative and positive else 1.0
    raw = np.where(relevant, 1.0, low)
    return np.asarray(raw * len(raw) / raw.sum())
