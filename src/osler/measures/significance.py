"""Whether a difference between two systems, measured on the same queries, is one.

All tests are two-sided and take paired values: the first and the second system's, query by query.
``holm`` corrects p-values of several comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from osler.errors import InputError

# Drawn at once while resampling: bounds memory whatever the number of queries.
_CHUNK = 4_000_000


class Test(msgspec.Struct, frozen=True):
    """A test's statistic and p-value. ``n`` counts the pairs that the test used."""

    # pytest would otherwise take the class for a collection of tests.
    __test__ = False

    name: str
    statistic: float
    p: float
    n: int


class Difference(msgspec.Struct, frozen=True):
    """A mean difference (first minus second) with its bootstrap interval and p-value."""

    mean: float
    low: float
    high: float
    p: float
    level: float = 0.95


def wilcoxon(first: ArrayLike, second: ArrayLike) -> Test:
    """Wilcoxon's signed-rank test; pairs without a difference are left out, as Wilcoxon did.

    Exact for up to 50 pairs without ties, else by the normal approximation with tie correction.
    """
    differences = _differences(first, second)
    # Means of measures carry rounding in the last bits: equal is equal to within that.
    differences = np.where(np.abs(differences) < 1e-12, 0.0, differences)
    used = differences[differences != 0]
    if not used.size:
        return Test("wilcoxon", 0.0, 1.0, 0)
    from scipy import stats

    sizes = np.abs(used)
    exact = used.size <= 50 and np.unique(sizes).size == used.size
    result = stats.wilcoxon(used, method="exact" if exact else "asymptotic")
    return Test("wilcoxon", float(result.statistic), float(min(1.0, result.pvalue)), int(used.size))


def paired_t(first: ArrayLike, second: ArrayLike) -> Test:
    """Student's t on the differences. Equal differences give p = 1 if zero, else p = 0."""
    differences = _differences(first, second)
    n = int(differences.size)
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1)) if n > 1 else 0.0
    if n < 2:
        return Test("t", 0.0, 1.0, n)
    if spread <= 1e-12 * max(1.0, abs(mean)):
        if abs(mean) < 1e-12:
            return Test("t", 0.0, 1.0, n)
        return Test("t", float(np.copysign(np.inf, mean)), 0.0, n)
    from scipy import special

    t = mean / (spread / np.sqrt(n))
    return Test("t", float(t), float(2 * special.stdtr(n - 1, -abs(t))), n)


def bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    *,
    samples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Paired bootstrap over queries.

    The interval holds the middle ``level`` of the resampled mean differences. The p-value is the
    share of resampled means, shifted to a true difference of zero, that are at least as far out as
    the one observed; one is added above and below, so that it is never zero.
    """
    if samples < 1:
        raise InputError("a bootstrap needs at least one sample")
    if not 0 < level < 1:
        raise InputError("the level of an interval lies between 0 and 1")
    differences = _differences(first, second)
    mean = float(differences.mean())
    means = resampled_means(differences, samples=samples, seed=seed)
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    # The tolerance keeps resamples that equal the observed mean but for rounding.
    extreme = int(np.count_nonzero(np.abs(means - mean) >= abs(mean) * (1 - 1e-12)))
    return Difference(mean, float(low), float(high), (extreme + 1) / (samples + 1), level)


def randomisation(
    first: ArrayLike, second: ArrayLike, *, samples: int = 10_000, seed: int = 0
) -> Test:
    """Fisher's paired randomisation: were the two systems alike, each pair could as well stand the
    other way round. The p-value is the share of random turns whose mean difference is at least as
    far out as the one observed; one is added above and below."""
    if samples < 1:
        raise InputError("a randomisation needs at least one sample")
    differences = _differences(first, second)
    mean = float(differences.mean())
    generator = np.random.default_rng(seed)
    step = max(1, _CHUNK // differences.size)
    extreme = 0
    for start in range(0, samples, step):
        turns = generator.choice(
            np.array([-1.0, 1.0]), (min(step, samples - start), differences.size)
        )
        means = turns @ differences / differences.size
        extreme += int(np.count_nonzero(np.abs(means) >= abs(mean) * (1 - 1e-12)))
    return Test(
        "randomisation", mean, (extreme + 1) / (samples + 1), int(np.count_nonzero(differences))
    )


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down correction, in the order given: the i-th smallest of m is multiplied by
    m - i + 1, and made no smaller than the one before it."""
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not np.all((values >= 0) & (values <= 1)):
        raise InputError("p-values lie between 0 and 1")
    order = np.argsort(values, kind="stable")
    factors = np.arange(values.size, 0, -1)
    stepped = np.minimum(1.0, np.maximum.accumulate(values[order] * factors))
    corrected = np.empty_like(values)
    corrected[order] = stepped
    return [float(value) for value in corrected]


def resampled_means(values: NDArray[np.float64], *, samples: int, seed: int) -> NDArray[np.float64]:
    """Means of ``samples`` resamples with replacement, seeded."""
    generator = np.random.default_rng(seed)
    n = values.size
    step = max(1, _CHUNK // n)
    means = np.empty(samples)
    for start in range(0, samples, step):
        stop = min(samples, start + step)
        picks = generator.integers(0, n, size=(stop - start, n))
        means[start:stop] = values[picks].mean(axis=1)
    return means


def _differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    a = np.asarray(first, dtype=np.float64)
    b = np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError("paired values are two lists of one length")
    if not a.size:
        raise InputError("there is nothing to compare")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError("paired values must be finite numbers")
    return a - b
