"""Siamese LSTM with a Manhattan distance over several channels.

Gupta, Andrassy, Schütze 2018, "Replicated Siamese LSTM in Ticketing System for Similarity
Learning and Retrieval in Asymmetric Texts". One LSTM reads both texts; their likeness is

    g(x, y) = exp(-(V_h |h_x - h_y|_1 / H  +  V_e |s_x - s_y|_1))

where h is the last hidden state, s the text's mean word vector scaled to an L1 norm of 1, and V_h,
V_e are learned weights that cannot be negative. "Replicated" is the pairing of a short text with
each part of a long one: here a query with each sentence.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


class SiameseLSTM(nn.Module):  # type: ignore[misc]
    """``vectors`` has a row a word, row 0 for padding; they stay fixed unless ``tune``."""

    def __init__(self, vectors: Any, *, hidden: int = 50, tune: bool = False) -> None:
        super().__init__()
        table = torch.as_tensor(vectors, dtype=torch.float32)
        self.words = nn.Embedding.from_pretrained(table, freeze=not tune, padding_idx=0)
        self.lstm = nn.LSTM(table.shape[1], hidden, batch_first=True)
        self.hidden = hidden
        # softplus(0.54) is about 1: both channels weigh the same at first.
        self.channels = nn.Parameter(torch.full((2,), 0.54))

    def encode(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Each text's last hidden state and its scaled mean word vector."""
        embedded = self.words(ids)
        states, _ = self.lstm(embedded)
        # A text without words takes its first (padding) position.
        last = (lengths.clamp(min=1) - 1).view(-1, 1, 1).expand(-1, 1, self.hidden)
        mean = embedded.sum(1)
        return states.gather(1, last).squeeze(1), nn.functional.normalize(mean, p=1.0, dim=1)

    def likeness(self, first: tuple[Tensor, Tensor], second: tuple[Tensor, Tensor]) -> Tensor:
        """g of encoded pairs, in (0, 1]."""
        weights = nn.functional.softplus(self.channels)
        apart = (first[0] - second[0]).abs().mean(1) * weights[0]
        apart = apart + (first[1] - second[1]).abs().sum(1) * weights[1]
        return torch.exp(-apart)

    def forward(
        self, first: Tensor, first_lengths: Tensor, second: Tensor, second_lengths: Tensor
    ) -> Tensor:
        return self.likeness(self.encode(first, first_lengths), self.encode(second, second_lengths))
