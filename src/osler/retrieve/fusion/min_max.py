"""Weighted min-max fusion: each channel scaled to 0-1 over what it found (CombSUM of Fox and
Shaw, TREC-2, on normalised scores). What a channel did not find gets 0 from it."""

from __future__ import annotations

import numpy as np

from osler.retrieve.channel import Background, Scores
from osler.retrieve.fusion.base import Fusion, fusions


@fusions.register("min-max")
class MinMax(Fusion):
    def scale(self, raw: Scores, background: Background | None) -> Scores:
        scored = ~np.isnan(raw)
        scaled = np.zeros(len(raw))
        if not scored.any():
            return scaled
        low, high = raw[scored].min(), raw[scored].max()
        scaled[scored] = (raw[scored] - low) / (high - low) if high > low else 1.0
        return scaled
