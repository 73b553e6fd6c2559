"""What the tables of the recipe ``rdoc`` share."""

from __future__ import annotations

import math
from collections.abc import Sequence

from osler.rank.pool import Floats

Row = tuple[str, ...]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table as lines."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def one_split(values: Floats) -> tuple[float, float]:
    """Where one more split is expected to fall, 95 times of 100: the t interval of a prediction.

    The paper prints one split; this asks whether it could have been one of ours. (Between the least
    and the largest of fifteen values another one falls only 14 times of 16.)
    """
    from scipy.stats import t

    count = len(values)
    half = float(t.ppf(0.975, count - 1)) * float(values.std(ddof=1)) * math.sqrt(1 + 1 / count)
    mean = float(values.mean())
    return max(mean - half, 0.0), min(mean + half, 1.0)


def holds(values: Floats, published: float | None) -> str:
    """Whether the published number lies between our worst and our best split; "nearly" where it is
    beyond them, yet where one more split is expected."""
    if published is None:
        return ""
    # Published to three places: 0.9649 is 0.965.
    if values.min() - 5e-4 <= published <= values.max() + 5e-4:
        return "yes"
    low, high = one_split(values)
    return "nearly" if low <= published <= high else "no"


def spread(values: Floats) -> str:
    """The mean, where one more split is expected, and the best of the splits."""
    low, high = one_split(values)
    return f"{values.mean():.3f} ({low:.3f} to {high:.3f}; best {values.max():.3f})"


def corrected_t(first: Floats, second: Floats, *, share: float = 57 / 209) -> float:
    """Two-sided p of a paired t test over repeated random splits, with the variance corrected for
    the overlap of their training sets (Nadeau and Bengio 2003): 1/n becomes 1/n + test/train."""
    from scipy.stats import t

    gap = first - second
    spread_ = float(gap.var(ddof=1))
    if spread_ == 0:
        return 1.0 if float(gap.mean()) == 0 else 0.0
    statistic = float(gap.mean()) / math.sqrt((1 / len(gap) + share) * spread_)
    return float(2 * t.sf(abs(statistic), len(gap) - 1))
