"""Weighted z-score fusion: each channel as standard deviations from its mean.

Mean and deviation are those over the whole collection where the channel knows them. Taken over
the candidates alone they say little: a channel's best thousand are all good, and how far the best
stands out from everything else is lost (nDCG@10 on nfcorpus falls from 0.335 to 0.314).
"""

from __future__ import annotations

from osler.retrieve.channel import Background, Scores
from osler.retrieve.fusion.base import Fusion, fusions
from osler.retrieve.pool import standard_scores


@fusions.register("z-score")
class ZScore(Fusion):
    def scale(self, raw: Scores, background: Background | None) -> Scores:
        return standard_scores(raw, background)
