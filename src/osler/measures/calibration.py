"""Whether a confidence of 0.8 is right eight times in ten."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from osler.errors import ChoiceError, InputError

Binning = Literal["width", "mass"]


class Bin(msgspec.Struct, frozen=True):
    """The cases whose confidence lies in (low, high]; the first bin takes 0 too."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


def reliability_bins(
    confidences: ArrayLike, correct: ArrayLike, *, bins: int = 10, by: Binning = "width"
) -> list[Bin]:
    """Mean confidence against accuracy, bin by bin; empty bins are left out.

    ``width`` cuts 0-1 in equal parts; ``mass`` cuts so that bins hold equally many cases (equal
    confidences stay together).
    """
    sure, right = _check(confidences, correct, bins)
    if by == "width":
        edges = np.linspace(0, 1, bins + 1)
    elif by == "mass":
        uppers = np.arange(1, bins + 1) / bins
        edges = np.unique(np.quantile(sure, uppers, method="inverted_cdf"))
        edges = np.concatenate([[0.0], edges[edges > 0]])
    else:
        raise ChoiceError("binning", by, ("width", "mass"))
    if edges.size == 1:  # all confidences are 0
        edges = np.array([0.0, 1.0])
    places = np.clip(np.searchsorted(edges, sure, side="left") - 1, 0, edges.size - 2)
    filled = []
    for place in np.unique(places):
        inside = places == place
        filled.append(
            Bin(
                float(edges[place]),
                float(edges[place + 1]),
                int(inside.sum()),
                float(sure[inside].mean()),
                float(right[inside].mean()),
            )
        )
    return filled


def expected_calibration_error(
    confidences: ArrayLike, correct: ArrayLike, *, bins: int = 10, by: Binning = "width"
) -> float:
    """The mean gap between confidence and accuracy, each bin weighted by its cases."""
    filled = reliability_bins(confidences, correct, bins=bins, by=by)
    total = sum(one.count for one in filled)
    return sum(one.count * abs(one.confidence - one.accuracy) for one in filled) / total


def brier(confidences: ArrayLike, correct: ArrayLike) -> float:
    """The mean squared gap between confidence and outcome."""
    sure, right = _check(confidences, correct, 1)
    return float(((sure - right) ** 2).mean())


def _check(
    confidences: ArrayLike, correct: ArrayLike, bins: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    sure = np.asarray(confidences, dtype=np.float64)
    right = np.asarray(correct, dtype=np.float64)
    if sure.ndim != 1 or sure.shape != right.shape or not sure.size:
        raise InputError("confidences and outcomes are two lists of one length, not empty")
    if not np.all((sure >= 0) & (sure <= 1)):
        raise InputError("confidences lie between 0 and 1")
    if not np.all((right == 0) | (right == 1)):
        raise InputError("an outcome is right (1) or wrong (0)")
    if bins < 1:
        raise InputError("there must be at least one bin")
    return sure, right
