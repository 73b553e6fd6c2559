"""What the tables of the recipe ``rdoc`` share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from osler.rank.pool import Floats

Row = tuple[str, ...]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table as lines."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


# Table 2: abstracts by construct, in the order of the alphabet.
PUBLISHED_COUNTS = {
    "all": (39, 38, 47, 21, 28, 27, 48, 18),
    "training": (31, 30, 37, 16, 22, 21, 38, 14),
    "held out": (8, 8, 10, 5, 6, 6, 10, 4),
    "test, task 1": (79, 108, 123, 144, 138, 139, 122, 146),
    "test, task 2": (19, 26, 30, 35, 34, 34, 30, 36),
}


def counts_table(names: Sequence[str], parts: Mapping[str, Sequence[int]]) -> list[str]:
    """Table 2: how many abstracts of each construct are in each part, the paper's in brackets where
    they differ. ``parts`` gives the number of each abstract's construct."""
    rows = []
    for part, numbers in parts.items():
        counts = [list(numbers).count(number) for number in range(len(names))]
        published = PUBLISHED_COUNTS.get(part, counts)
        cells = [
            str(own) if own == paper else f"{own} ({paper})"
            for own, paper in zip(counts, published, strict=True)
        ]
        rows.append((part, *cells, str(sum(counts))))
    return ["## Table 2: abstracts by construct", "", *table(("part", *names, "all"), rows), ""]


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


def of_mean(values: Floats, *, share: float = 57 / 209) -> tuple[float, float]:
    """The interval of the mean, 95 %: a t interval whose variance is corrected for the overlap of
    the splits' training sets (Nadeau and Bengio 2003): 1/n becomes 1/n + test/train."""
    from scipy.stats import t

    count = len(values)
    half = float(t.ppf(0.975, count - 1)) * float(values.std(ddof=1)) * math.sqrt(1 / count + share)
    mean = float(values.mean())
    return max(mean - half, 0.0), min(mean + half, 1.0)


def holds(values: Floats, published: float | None) -> str:
    """Whether the interval of our mean holds the published number; "one split" where it does not,
    yet one more split could give it, which is what the paper prints."""
    if published is None:
        return ""
    # Published to three places: 0.9649 is 0.965.
    for answer, (low, high) in (("yes", of_mean(values)), ("one split", one_split(values))):
        if low - 5e-4 <= published <= high + 5e-4:
            return answer
    return "no"


def spread(values: Floats) -> str:
    """The mean with its interval, and the worst and the best of the splits."""
    low, high = of_mean(values)
    ends = f"splits {values.min():.3f} to {values.max():.3f}"
    return f"{values.mean():.3f} ({low:.3f} to {high:.3f}; {ends})"


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
