"""Bootstrap intervals: how far a measure would move on another sample of the same kind."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from osler.errors import InputError
from osler.measures.significance import resampled_means


class Interval(msgspec.Struct, frozen=True):
    """A value with the interval that holds the middle ``level`` of its bootstrap distribution."""

    value: float
    low: float
    high: float
    level: float = 0.95

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"


def bootstrap_interval(
    values: ArrayLike,
    statistic: Callable[[NDArray[np.float64]], float] | None = None,
    *,
    samples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The percentile interval of a statistic of ``values``, the mean when none is given."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not array.size:
        raise InputError("an interval needs a list with at least one value")
    if not np.isfinite(array).all():
        raise InputError("an interval needs finite values")
    if statistic is not None:
        measure = statistic
        return resampled_interval(
            array.size, lambda picks: measure(array[picks]), samples=samples, level=level, seed=seed
        )
    _check(samples, level)
    means = resampled_means(array, samples=samples, seed=seed)
    return _interval(float(array.mean()), means, level)


def resampled_interval(
    count: int,
    measure: Callable[[NDArray[np.intp]], float],
    *,
    samples: int = 1_000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The interval of any measure over ``count`` cases: ``measure`` takes the cases' positions.

    >>> resampled_interval(len(gold), lambda i: accuracy(gold[i], predicted[i]))  # doctest: +SKIP
    """
    _check(samples, level)
    if count < 1:
        raise InputError("an interval needs at least one case")
    generator = np.random.default_rng(seed)
    drawn = [float(measure(generator.integers(0, count, size=count))) for _ in range(samples)]
    return _interval(float(measure(np.arange(count))), np.asarray(drawn), level)


def _check(samples: int, level: float) -> None:
    if samples < 1:
        raise InputError("a bootstrap needs at least one sample")
    if not 0 < level < 1:
        raise InputError("the level of an interval lies between 0 and 1")


def _interval(value: float, drawn: NDArray[np.float64], level: float) -> Interval:
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(value, float(low), float(high), level)
