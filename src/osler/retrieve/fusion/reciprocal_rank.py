"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009).

score(d) = sum over channels of 1 / (k + rank(d)), with ranks from 1 and k = 60.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from osler.retrieve.channel import Background, Scores
from osler.retrieve.fusion.base import Fusion, fusions


@fusions.register("rrf")
class ReciprocalRank(Fusion):
    def __init__(self, *, k: float = 60.0, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(weights=weights)
        self.k = k

    def scale(self, raw: Scores, background: Background | None) -> Scores:
        scaled = np.zeros(len(raw))
        scored = np.flatnonzero(~np.isnan(raw))
        # Equal scores share the better rank, so that the order of insertion plays no part.
        values = -raw[scored]
        ordered = np.sort(values)
        scaled[scored] = 1.0 / (self.k + np.searchsorted(ordered, values, side="left") + 1)
        return scaled
