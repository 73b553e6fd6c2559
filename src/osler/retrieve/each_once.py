"""Distinct numbers, rising."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def each_once(values: NDArray[Any]) -> NDArray[Any]:
    """What ``np.unique`` gives of a flat array, which asks first whether the array is masked and
    loads all of ``numpy.ma`` for the answer: a good part of what a first search takes."""
    rising = np.sort(values)
    fresh = np.ones(len(rising), bool)
    np.not_equal(rising[1:], rising[:-1], out=fresh[1:])
    return rising[fresh]
