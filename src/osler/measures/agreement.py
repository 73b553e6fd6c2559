"""How far two raters agree beyond chance: Cohen's kappa, plain and weighted."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np

from osler.errors import ChoiceError
from osler.measures.classification import confusion

Weights = Literal["none", "linear", "quadratic"]


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    weights: Weights = "none",
    labels: Sequence[Hashable] | None = None,
) -> float:
    """1 - sum(w * observed) / sum(w * expected), w the cost of a disagreement.

    The cost is 1 (``none``), the distance of two grades in the order of ``labels`` (``linear``) or
    its square (``quadratic``). Weighted kappa depends on that order, and on labels that occur in
    neither list, so give ``labels`` for a scale. Where both raters use one and the same label
    throughout, chance agrees too and kappa is undefined (0 / 0): it is given as 1, since they never
    differ.
    """
    matrix = confusion(first, second, labels=labels)
    observed = matrix.counts / matrix.counts.sum()
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    places = np.arange(len(matrix.labels))
    distance = np.abs(places[:, None] - places[None, :]).astype(np.float64)
    if weights == "none":
        cost = (distance > 0).astype(np.float64)
    elif weights == "linear":
        cost = distance
    elif weights == "quadratic":
        cost = distance**2
    else:
        raise ChoiceError("weighting", weights, ("none", "linear", "quadratic"))
    chance = float((cost * expected).sum())
    if chance == 0:
        return 1.0
    return 1 - float((cost * observed).sum()) / chance
