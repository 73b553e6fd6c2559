"""Self-attention with a residual (seed 001, eq. 10), over padded rows."""

from __future__ import annotations

from math import sqrt
from typing import Any

import torch
from torch import nn

Tensor = Any
FAR = -1e9


class SelfAttention(nn.Module):  # type: ignore[misc]
    """Attention(X) = softmax(X Wq (X Wk)^T / sqrt(d_k)) X Wv + X  (eq. 10).

    ``keys`` is d_k. ``mask`` is true where a row is real. Gives the new rows and the weights;
    padded rows are zero.
    """

    def __init__(self, dimension: int, *, keys: int = 50) -> None:
        super().__init__()
        keys = min(keys, dimension)
        self.query = nn.Linear(dimension, keys, bias=False)
        self.key = nn.Linear(dimension, keys, bias=False)
        self.value = nn.Linear(dimension, dimension, bias=False)
        self.scale = 1 / sqrt(keys)

    def forward(self, rows: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        like = self.query(rows) @ self.key(rows).transpose(-1, -2) * self.scale
        like = like.masked_fill(~mask.unsqueeze(-2), FAR)
        weights = torch.softmax(like, -1)
        return (weights @ self.value(rows) + rows) * mask.unsqueeze(-1), weights


def column_means(weights: Tensor, mask: Tensor) -> Tensor:
    """How much each row was looked at: the mean of its column over the real rows.

    Eq. 13 gives a matrix of weights; a path's own weight is its column's mean. They sum to one.
    """
    real = mask.float()
    count = real.sum(-1, keepdim=True).clamp(min=1.0)
    return (weights * real.unsqueeze(-1)).sum(-2) / count * real
