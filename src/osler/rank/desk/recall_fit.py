"""Fitting the estimate of recall on finished reviews, and checking it on those left out.

A state is a moment of a simulated review: its features and how many relevant papers were unread.
The regression is a negative binomial one with a log link and a ridge on standardised features:

    minimise  -sum_i ln NB(R_i; mu_i, size) + ridge / 2 |w|^2,   ln mu_i = w_0 + w . z_i

The interval is conformal: residuals (ln(1 + R) - ln(1 + mu)) / sqrt(1/size + 1/mu) of each review,
predicted by a fit on the others, give quantiles by stage of reading.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from osler.errors import InputError
from osler.rank.desk.found_curve import Bools, Floats, curve_features
from osler.rank.desk.recall import RecallModel, spread_of

STAGES = tuple(round(0.05 * step, 2) for step in range(1, 20))
RIDGE = 300.0
WINDOW = 0.05
"""Stages this near are pooled for a quantile."""
LEVEL = 0.95
TAILS = (0.025, 0.96)
"""Quantiles of the residuals. The upper one is less than 0.975 because whole papers are rounded up:
with these the intervals of reviews left out hold the truth a little more often than 95 %."""


class State(msgspec.Struct, frozen=True):
    """A review (the group that is left out together) at a stage of its reading."""

    review: str
    stage: float
    features: Floats
    found: int
    rest: int
    unread: int


def states_of(review: str, marks: Sequence[bool]) -> list[State]:
    """The states of one simulated review at every stage, from the marks of all its papers."""
    relevant: Bools = np.asarray(marks, dtype=bool)
    total, every = len(relevant), int(relevant.sum())
    states = []
    for stage in STAGES:
        read = round(stage * total)
        found = int(relevant[:read].sum())
        states.append(
            State(
                review,
                stage,
                curve_features(relevant[:read], total),
                found,
                every - found,
                total - read,
            )
        )
    return states


def fit_recall(
    states: Sequence[State],
    *,
    ridge: float = RIDGE,
    window: float = WINDOW,
    tails: tuple[float, float] = TAILS,
) -> RecallModel:
    """A model from the states of at least three reviews."""
    reviews = sorted({state.review for state in states})
    if len(reviews) < 3:
        raise InputError("the estimate of recall needs three finished reviews or more")
    groups = np.array([state.review for state in states])
    features = np.stack([state.features for state in states])
    rest = np.array([state.rest for state in states], dtype=float)
    unread = np.array([state.unread for state in states], dtype=float)
    stage = np.array([state.stage for state in states])
    residuals = np.zeros(len(states))
    for review in reviews:
        out = groups == review
        part = _regression(features[~out], rest[~out], ridge)
        expected = np.minimum(part.expected(features[out]), unread[out])
        residuals[out] = (np.log1p(rest[out]) - np.log1p(expected)) / spread_of(expected, part.size)
    whole = _regression(features, rest, ridge)
    low, high = [], []
    for at in STAGES:
        near = residuals[np.abs(stage - at) <= window + 1e-9]
        low.append(min(0.0, float(np.quantile(near, tails[0]))))
        high.append(max(0.0, float(np.quantile(near, tails[1]))))
    return msgspec.structs.replace(whole, stages=list(STAGES), low=low, high=high, data=reviews)


def _regression(features: Floats, rest: Floats, ridge: float) -> RecallModel:
    from scipy.optimize import minimize

    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled = np.column_stack([np.ones(len(features)), (features - mean) / spread])
    start = np.zeros(scaled.shape[1] + 1)
    start[0] = np.log(rest.mean() + 1)
    best = minimize(
        negative_likelihood, start, args=(scaled, rest, ridge), jac=True, method="L-BFGS-B"
    ).x
    return RecallModel(
        mean=mean.tolist(),
        spread=spread.tolist(),
        weights=best[:-1].tolist(),
        size=float(np.exp(best[-1])),
        stages=[],
        low=[],
        high=[],
        level=LEVEL,
        data=[],
    )


def negative_likelihood(
    point: Floats, scaled: Floats, rest: Floats, ridge: float
) -> tuple[float, Floats]:
    """Minus the penalised log likelihood and its gradient at (weights, ln size)."""
    from scipy.special import digamma, gammaln

    weights, size = point[:-1], float(np.exp(point[-1]))
    mu = np.exp(np.clip(scaled @ weights, -8.0, 12.0))
    likelihood = (
        gammaln(rest + size)
        - gammaln(size)
        - gammaln(rest + 1)
        + size * np.log(size / (size + mu))
        + rest * np.log(mu / (size + mu))
    )
    slope = rest - (rest + size) * mu / (size + mu)
    by_size = (
        digamma(rest + size)
        - digamma(size)
        + np.log(size / (size + mu))
        + 1
        - (size + rest) / (size + mu)
    )
    gradient = np.append(-(scaled.T @ slope), -size * by_size.sum())
    gradient[1:-1] += ridge * weights[1:]
    return float(-likelihood.sum() + 0.5 * ridge * (weights[1:] ** 2).sum()), gradient


def coverage(states: Sequence[State], **options: object) -> list[tuple[State, bool, float]]:
    """Each state with whether the interval of a model that has not seen its review holds the
    truth, and that interval's width."""
    from osler.rank.desk.recall import rest_between

    checked = []
    for review in sorted({state.review for state in states}):
        others = [state for state in states if state.review != review]
        model = fit_recall(others, **options)  # type: ignore[arg-type]
        for state in states:
            if state.review != review:
                continue
            expected = np.minimum(model.expected(state.features), state.unread)
            fewest, most = rest_between(model, expected, state.stage)
            most_found = state.found / max(1, state.found + min(fewest, state.unread))
            least_found = state.found / max(1, state.found + min(most, state.unread))
            checked.append((state, fewest <= state.rest <= most, most_found - least_found))
    return checked
