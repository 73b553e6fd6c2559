"""The similarity matrix of Shen et al. 2015 (seed 001's SMatrix): words against words as a picture.

Each cell is the cosine of a question word and an answer word (the lexical part); convolutions over
it find runs of like words in like order (the sequential part). Max-pooling brings it to a fixed
size for the layers that score.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

Tensor = Any


class SMatrix(nn.Module):  # type: ignore[misc]
    """Scores pairs of padded word numbers (0 pads)."""

    def __init__(self, vectors: Tensor, *, channels: int = 8, pooled: int = 6) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=0)
        self.first = nn.Conv2d(1, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.shrink = nn.AdaptiveMaxPool2d(pooled)
        self.out = nn.Sequential(
            nn.Linear(channels * pooled * pooled, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 1)
        )

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        left = nn.functional.normalize(self.words(first), dim=2)
        right = nn.functional.normalize(self.words(second), dim=2)
        picture = (left @ right.transpose(1, 2)).unsqueeze(1)
        picture = torch.relu(self.first(picture))
        picture = nn.functional.max_pool2d(picture, 2, ceil_mode=True)
        picture = self.shrink(torch.relu(self.second(picture)))
        return self.out(picture.flatten(1)).squeeze(1)
