"""Which of an entity's pictures are noise, and the vector of those that are not.

Seed 001 (MKHAN), section 3.3.1: the noise score N of a picture is the sum of its Euclidean
distances to all others of the same entity; above a threshold it is filtered; the rest are summed
with weights exp(-N) / sum exp(-N) (eq. 1).

The paper gives no threshold, and a sum grows with the number of pictures and with the scale of the
features. So the default threshold is relative: a picture is noise when its score is more than
``relative`` times the median score of its entity, which needs three pictures to say anything. An
absolute ``threshold`` is the printed form. exp(-N) of sums of distances is zero in floating point:
the smallest score is subtracted first, which changes nothing else. Even so one picture takes all
the weight when scores differ by tens; ``scaled`` divides scores by their mean first, so that the
weights stay a mixture. Without it the weights are the printed ones.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError

Floats = NDArray[np.float64]
RELATIVE = 1.3


class Noise(msgspec.Struct, frozen=True):
    """The verdict on one entity's pictures, in their order: scores, which are kept, and the weight
    of each (zero where it is filtered)."""

    scores: tuple[float, ...]
    kept: tuple[bool, ...]
    weights: tuple[float, ...]


def noise_scores(features: NDArray[np.floating]) -> Floats:
    """The summed distances of each picture to the others; zero for an only one."""
    rows = np.asarray(features, np.float64)
    squares = (rows * rows).sum(1)
    gaps = np.maximum(squares[:, None] + squares[None, :] - 2 * rows @ rows.T, 0)
    np.fill_diagonal(gaps, 0)
    scores: Floats = np.sqrt(gaps).sum(1)
    return scores


def judge(
    features: NDArray[np.floating],
    *,
    threshold: float | None = None,
    relative: float = RELATIVE,
    scaled: bool = True,
) -> Noise:
    """Score, filter and weigh the pictures of one entity.

    The least noisy picture is always kept: an entity does not lose its last one.
    """
    if threshold is not None and threshold < 0:
        raise InputError("a threshold of noise is not negative")
    scores = noise_scores(features)
    limit = threshold if threshold is not None else relative * float(np.median(scores))
    kept = scores <= limit + 1e-12
    if threshold is None and len(scores) < 3:
        kept[:] = True
    kept[int(np.argmin(scores))] = True
    weights = np.where(kept, weights_of(scores, kept, scaled=scaled), 0.0)
    return Noise(tuple(scores.tolist()), tuple(kept.tolist()), tuple(weights.tolist()))


def weights_of(scores: Floats, kept: NDArray[np.bool_], *, scaled: bool) -> Floats:
    """exp(-N) over the kept pictures, summing to one."""
    used = scores[kept]
    if scaled and used.mean() > 0:
        used = used / used.mean()
    raised = np.exp(-(used - used.min()))
    weights = np.zeros(len(scores))
    weights[kept] = raised / raised.sum()
    return weights


def aggregate(features: NDArray[np.floating], noise: Noise) -> NDArray[np.float32]:
    """Eq. 1: the weighted sum of the kept pictures' features."""
    rows = np.asarray(features, np.float64)
    return (np.asarray(noise.weights) @ rows).astype(np.float32)
