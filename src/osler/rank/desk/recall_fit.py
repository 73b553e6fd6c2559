"""Fitting the estimate of recall on finished reviews, and checking it on those left out.

A state is a moment of a simulated review: its features and how many relevant papers were unread.
The regression is a negative binomial one with a log link and a ridge on standardised features:

    minimise  -sum_i ln NB(R_i; mu_i, size) + ridge / 2 |w|^2,   ln mu_i = w_0 + w . z_i

The interval is conformal. For each review, predicted by a fit on the others, the distribution that
was predicted says at which level the true count stood. Quantiles of these levels, over states that
were about as far, are the levels between which the shipped interval lies. So it is as wide as it
had to be on reviews unseen, and small counts keep the skew and the zeros that counts have.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from osler.errors import InputError
from osler.rank.desk.found_curve import Bools, Floats, curve_features
from osler.rank.desk.recall import FEW_FOUND, RecallModel, count_chance, rest_between

STAGES = tuple(round(0.05 * step, 2) for step in range(1, 20))
RIDGE = 300.0
WINDOW = 0.3
"""Stages this near are pooled for a quantile."""
LEVEL = 0.95
TAILS = (0.015, 0.97)
"""Quantiles of the levels. They are not 0.025 and 0.975 because counts are whole: with these
the intervals of reviews left out hold the truth a little more often than 95 %."""
_SURE = 1e-9


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
    reached, before = np.zeros(len(states)), np.zeros(len(states))
    for review in reviews:
        out = np.flatnonzero(groups == review)
        part = _regression(features[groups != review], rest[groups != review], ridge)
        expected = np.minimum(part.expected(features[out]), unread[out])
        for row, mean in zip(out, expected, strict=True):
            count = states[int(row)].rest
            reached[row] = count_chance(count, mean, part.size)
            before[row] = count_chance(count - 1, mean, part.size) if count else 0.0
    whole = _regression(features, rest, ridge)
    enough = np.array([state.found >= FEW_FOUND for state in states])
    low, high = [], []
    for at in STAGES:
        near = enough & (np.abs(stage - at) <= window + 1e-9)
        if not near.any():
            raise InputError(
                f"no review had found {FEW_FOUND} relevant papers when {at:.0%} was read",
                cure="fit on reviews with more relevant papers",
            )
        # Inside: the count has reached the low level, and the count before it not yet the high one.
        low.append(float(np.clip(np.quantile(reached[near], tails[0]), _SURE, 0.5)))
        high.append(float(np.clip(np.quantile(before[near], tails[1]), 0.5, 1 - _SURE)))
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
    checked = []
    for review in sorted({state.review for state in states}):
        others = [state for state in states if state.review != review]
        model = fit_recall(others, **options)  # type: ignore[arg-type]
        for state in states:
            if state.review == review:
                checked.append((state, *holds(model, state)))
    return checked


def holds(model: RecallModel, state: State) -> tuple[bool, float]:
    """Whether the interval that a model gives at a state holds the truth, and its width."""
    expected = min(float(model.expected(state.features)), float(state.unread))
    fewest, most = rest_between(
        model, expected, state.stage, found=state.found, unread=state.unread
    )
    if state.found < FEW_FOUND:
        return True, 1.0
    width = state.found / (state.found + fewest) - state.found / (state.found + most)
    return fewest <= state.rest <= most, width
