"""What a channel would say of documents that it could not have seen.

While vectors are being made, most documents have none. Taken at the channel's least score they
fall behind whatever has a vector, however well their words fit (nDCG@10 on nfcorpus with vectors
for a twentieth of the papers: 0.13 by hybrid search, 0.27 by words alone). So the channel is
estimated for them by what the other channels say: least squares over the documents that both have
seen, which puts those with and those without a vector on one scale.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from osler.retrieve.channel import Scores

Mask = npt.NDArray[np.bool_]

FEW = 8
"""With fewer documents that the others brought and this channel saw, all that it saw are taken."""
PRIOR, ROWS = 0.4, 10.0
"""The correlation that is assumed before looking, and as how many documents it weighs."""

ESTIMATED = "vectors, estimated"
"""The part of a score that stands for a vector that is not there yet."""


def estimate(values: Scores, others: Scores, unseen: Mask, brought: Mask) -> Scores:
    """``values`` of a channel, with those of ``unseen`` documents estimated from ``others``.

    ``brought`` are the documents that the other channels found: a line through what this channel
    itself chose would be too flat.
    """
    seen = ~unseen
    known = seen & brought
    if int(known.sum()) < FEW:
        known = seen
    if not known.any() or not unseen.any():
        return values
    x, y = others[known], values[known]
    middle, level = float(x.mean()), float(y.mean())
    # Of the documents with a vector perhaps none holds the question's words: then the spread of
    # all of them, and the correlation assumed, have to do.
    spread = float(others.std())
    slope = 0.0
    if spread > 1e-12:
        together = len(x) * float(((x - middle) * (y - level)).mean())
        assumed = ROWS * PRIOR * spread * float(y.std())
        slope = (together + assumed) / (len(x) * float(x.var()) + ROWS * spread**2)
    filled = values.copy()
    # Better words never make a paper worse.
    filled[unseen] = level + max(0.0, slope) * (others[unseen] - middle)
    return filled
