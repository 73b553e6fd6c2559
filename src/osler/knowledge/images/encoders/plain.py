"""An encoder without weights: a thumbnail in grey and a histogram of colours.

It sees outlines and colours and nothing of what a picture shows. It needs no torch and no download,
and serves as the floor that a trained encoder has to beat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from osler.knowledge.images.encoder import Floats, ImageEncoder, image_encoders

SIDE = 8
LEVELS = 4


@image_encoders.register("plain")
class PlainEncoder(ImageEncoder):
    """64 grey values and 64 bins of colour."""

    name = "plain"
    help = "a thumbnail in grey and a histogram of colours; no weights, no torch"
    dimension = SIDE * SIDE + LEVELS**3

    def encode(self, pictures: Sequence[Any]) -> Floats:
        features = np.zeros((len(pictures), self.dimension), np.float32)
        for row, picture in enumerate(pictures):
            grey = np.asarray(picture.convert("L").resize((SIDE, SIDE), resample=4), np.float32)
            features[row, : SIDE * SIDE] = grey.ravel() / 255.0
            small = np.asarray(picture.resize((32, 32), resample=4), np.int64) * LEVELS // 256
            bins = (small[..., 0] * LEVELS + small[..., 1]) * LEVELS + small[..., 2]
            counts = np.bincount(bins.ravel(), minlength=LEVELS**3)
            # Square roots, so that a background of one colour does not hide the others.
            features[row, SIDE * SIDE :] = np.sqrt(counts / bins.size)
        return features
