"""What the found-curve tells about the rest: numbers that hold for any review and any ranker.

A reviewer who reads the best papers first finds many at the beginning and few later. How fast that
fades says how many are left. Of the marks in the order of reading the features are, each as
ln(1 + value): the papers expected unread if the rate goes on falling as a e^(-bx), or as
a (x + 0.01)^(-b), with x the share read (both by maximum likelihood); what the yield of the last
10 % and 30 % of the reading would bring from the unread; the papers found; those read since the
last relevant one; and the share read as it is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

NAMES = (
    "exponential rest",
    "power rest",
    "last tenth",
    "last three tenths",
    "found",
    "since the last",
    "share read",
)
_FALLS = np.concatenate([[1e-3], np.geomspace(0.05, 200.0, 80)])
_POWERS = np.linspace(0.0, 6.0, 121) + 1e-6
_SHIFT = 0.01


def curve_features(marks: Bools, total: int) -> Floats:
    """The features after ``len(marks)`` of ``total`` papers, in the order of :data:`NAMES`."""
    read = len(marks)
    unread = total - read
    places = np.flatnonzero(marks)
    share = read / total
    at = (places + 0.5) / total
    since = read - 1 - int(places[-1]) if len(places) else read
    counts = (
        min(exponential_rest(at, share), unread),
        min(power_rest(at, share), unread),
        _yield(marks, 0.1) * unread,
        _yield(marks, 0.3) * unread,
        float(len(places)),
        float(since),
    )
    return np.array([*(np.log1p(count) for count in counts), share])


def _yield(marks: Bools, share: float) -> float:
    last = max(1, round(share * len(marks)))
    return float(marks[-last:].mean()) if len(marks) else 0.0


def exponential_rest(at: Floats, share: float) -> float:
    """Papers expected beyond ``share`` where those found at ``at`` came at the rate a e^(-bx)."""
    likelihood = len(at) * np.log(_FALLS / -np.expm1(-_FALLS * share)) - _FALLS * at.sum()
    fall = float(_FALLS[int(np.argmax(likelihood))])
    scale = len(at) / -np.expm1(-fall * share)
    return float(scale * (np.exp(-fall * share) - np.exp(-fall)))


def power_rest(at: Floats, share: float) -> float:
    """The same for the rate a (x + 0.01)^(-b)."""
    before = _mass(_SHIFT, share + _SHIFT)
    likelihood = -len(at) * np.log(before) - _POWERS * np.log(at + _SHIFT).sum()
    best = int(np.argmax(likelihood))
    return float(len(at) * _mass(share + _SHIFT, 1.0 + _SHIFT)[best] / before[best])


def _mass(low: float, high: float) -> Floats:
    """The integral of x^(-b) from low to high, for every b of the grid."""
    power = 1.0 - _POWERS
    return np.asarray((high**power - low**power) / power)
