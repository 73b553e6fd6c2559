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


def corrected_t(first: Floats, second: Floats, *, share: float = 57 / 209) -> float:
    """Two-sided p of a paired t test over repeated random splits, with the variance corrected for
    the overlap of their training sets (Nadeau and Bengio 2003): 1/n becomes 1/n + test/train."""
    from scipy.stats import t

    gap = first - second
    spread = float(gap.var(ddof=1))
    if spread == 0:
        return 1.0 if float(gap.mean()) == 0 else 0.0
    statistic = float(gap.mean()) / math.sqrt((1 / len(gap) + share) * spread)
    return float(2 * t.sf(abs(statistic), len(gap) - 1))
