"""Cross-encoder (Devlin et al. 2019): one encoder reads both texts at once; a layer on the
representation of the pair gives the classes.

The encoder may be trained along, or be fixed and its representations given: the layer is the same.
"""

from __future__ import annotations

from typing import Any

from torch import nn

Tensor = Any


class CrossEncoder(nn.Module):  # type: ignore[misc]
    """Classes out of representations of pairs (batch, dimension)."""

    def __init__(self, dimension: int, classes: int, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dimension)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(dimension, classes)

    def forward(self, represented: Tensor) -> Tensor:
        return self.out(self.dropout(self.norm(represented)))
