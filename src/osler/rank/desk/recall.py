"""How much of what is relevant has been found, with an interval that holds.

The papers still unread and relevant are estimated by a negative binomial regression on the
found-curve (:mod:`osler.rank.desk.found_curve`) that was fitted on finished reviews. The interval
lies between two quantiles of that distribution. Which two, by how far the reading had come, was
read off reviews that the fit had not seen: those between which the truth fell as often as it should
(a conformal interval). Nothing of the ranker enters it, so that it serves any order that is best
first. Coefficients ship in ``recall.json`` with the names of the reviews; ``osler simulate`` fits
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import resources

import msgspec
import numpy as np

from osler.errors import InputError
from osler.rank.desk.found_curve import Bools, Floats, curve_features

FEW_FOUND = 4
"""With fewer relevant papers than this the curve says nothing: the interval is everything."""
EARLY = 0.4
"""An interval wider than this tells a reviewer nothing to act on."""
SMALL = 20
"""With fewer relevant papers than this no rule is to be trusted: read everything."""


class RecallModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """Coefficients of the regression and the levels of its quantiles by stage of reading.

    ``weights`` begins with the intercept; ``size`` is the negative binomial's; ``low`` and ``high``
    are levels between 0 and 1, one a stage; ``data`` names the reviews and ``about`` says what of
    them was used.
    """

    mean: list[float]
    spread: list[float]
    weights: list[float]
    size: float
    stages: list[float]
    low: list[float]
    high: list[float]
    level: float
    data: list[str]
    about: str = ""

    def expected(self, features: Floats) -> Floats:
        """The mean number of relevant papers unread; a row of features a state."""
        scaled = (features - np.asarray(self.mean)) / np.asarray(self.spread)
        logs = self.weights[0] + scaled @ np.asarray(self.weights[1:])
        return np.asarray(np.exp(np.clip(logs, -8.0, 12.0)))


class FoundSoFar(msgspec.Struct, frozen=True):
    """Where a reviewer stands. ``low`` and ``high`` bound the share found, ``missed_at_most`` the
    relevant papers unread, all at ``level``."""

    read: int
    total: int
    found: int
    estimate: float
    low: float
    high: float
    missed_at_most: int
    level: float = 0.95

    @property
    def early(self) -> bool:
        """Whether it is too early to tell."""
        return self.read < self.total and self.high - self.low > EARLY

    @property
    def words(self) -> str:
        """One line for a reviewer; never a lone number."""
        if self.read >= self.total:
            return f"Found {self.found}. All {self.total:,} papers are read."
        line = (
            f"Found {self.found}. Too early to tell how much is left."
            if self.early
            else f"Found {self.found}. Likely {self.low:.0%} to {self.high:.0%} of all; "
            f"at most {self.missed_at_most} missed."
        )
        if self.found < SMALL:
            line += f" With fewer than {SMALL} relevant papers, read everything."
        return line


def count_chance(count: int, mean: float, size: float) -> float:
    """The chance of so many or fewer, of a negative binomial count."""
    from scipy.special import betainc

    return float(betainc(size, count + 1.0, size / (size + mean)))


def count_at(level: float, mean: float, size: float, most: int) -> int:
    """The least count whose chance reaches the level, at most ``most``."""
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        if count_chance(middle, mean, size) >= level:
            high = middle
        else:
            low = middle + 1
    return low


@lru_cache(maxsize=1)
def shipped() -> RecallModel:
    """The coefficients that come with the package."""
    data = resources.files("osler.rank.desk").joinpath("recall.json").read_bytes()
    return msgspec.json.decode(data, type=RecallModel)


def found_so_far(
    marks: Sequence[bool] | Bools, total: int, *, model: RecallModel | None = None
) -> FoundSoFar:
    """The estimate after some papers were marked, in the order of reading.

    With too few relevant papers nothing can be said: the interval is everything.
    """
    read = len(marks)
    if read > total:
        raise InputError(f"{read} papers are marked, but there are {total}")
    relevant = np.asarray(marks, dtype=bool)
    found = int(relevant.sum())
    unread = total - read
    if not unread:
        return FoundSoFar(read, total, found, 1.0, 1.0, 1.0, 0)
    chosen = model or shipped()
    expected = min(float(chosen.expected(curve_features(relevant, total))), float(unread))
    fewest, most = rest_between(chosen, expected, read / total, found=found, unread=unread)
    if found < FEW_FOUND:
        return FoundSoFar(read, total, found, 0.5, 0.0, 1.0, most, chosen.level)
    low, high = found / (found + most), found / (found + fewest)
    return FoundSoFar(
        read,
        total,
        found,
        min(max(found / (found + expected), low), high),
        low,
        high,
        most,
        chosen.level,
    )


def rest_between(
    model: RecallModel, expected: float, stage: float, *, found: int, unread: int
) -> tuple[int, int]:
    """The fewest and the most relevant papers that may be unread, where ``expected`` are."""
    if found < FEW_FOUND:
        return 0, unread
    low = float(np.interp(stage, model.stages, model.low))
    high = float(np.interp(stage, model.stages, model.high))
    return (
        count_at(low, expected, model.size, unread),
        count_at(high, expected, model.size, unread),
    )
