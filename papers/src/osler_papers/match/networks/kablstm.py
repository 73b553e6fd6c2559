"""KABLSTM (Shen et al. 2018): a BiLSTM over words beside a network over knowledge embeddings.

Words go through a BiLSTM. The entities of a text go through an attention that the text's words
guide and through a convolution over their order. Both sides of a pair attend to each other before
pooling; a layer scores the two, their bilinear likeness and how many words they share.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from osler.match.networks.attention import FAR

Tensor = Any


class KABLSTM(nn.Module):  # type: ignore[misc]
    """``words`` and ``entities`` are padded numbers; entity 0 pads."""

    def __init__(self, vectors: Tensor, entities: Tensor, *, hidden: int = 64) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=0)
        self.entities = nn.Embedding.from_pretrained(entities, freeze=True, padding_idx=0)
        self.lstm = nn.LSTM(vectors.shape[1], hidden, batch_first=True, bidirectional=True)
        wide = 2 * hidden
        self.guide = nn.Linear(wide, entities.shape[1], bias=False)
        self.sequence = nn.Conv1d(entities.shape[1], hidden, 2, padding=1)
        self.look = nn.Parameter(torch.eye(wide) * 0.1)
        whole = wide + hidden
        self.like = nn.Bilinear(whole, whole, 1)
        self.out = nn.Sequential(
            nn.Linear(2 * whole + 3, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 1)
        )

    def knowledge(self, entities: Tensor, context: Tensor) -> Tensor:
        rows = self.entities(entities)
        mask = entities != 0
        heat = (rows * self.guide(context).unsqueeze(1)).sum(2).masked_fill(~mask, FAR)
        weights = torch.softmax(heat, 1) * mask
        states = self.sequence((rows * weights.unsqueeze(2)).transpose(1, 2))
        return torch.tanh(states).amax(2)

    def forward(
        self, first: Tensor, second: Tensor, asked: Tensor, told: Tensor, shared: Tensor
    ) -> Tensor:
        left, _ = self.lstm(self.words(first))
        right, _ = self.lstm(self.words(second))
        gaps = (first == 0).unsqueeze(2) | (second == 0).unsqueeze(1)
        meet = torch.tanh(left @ self.look @ right.transpose(1, 2)).masked_fill(gaps, -1.0)
        to_left = torch.softmax(meet.amax(2).masked_fill(first == 0, FAR), 1)
        to_right = torch.softmax(meet.amax(1).masked_fill(second == 0, FAR), 1)
        question = (left * to_left.unsqueeze(2)).sum(1)
        answer = (right * to_right.unsqueeze(2)).sum(1)
        question = torch.cat([question, self.knowledge(asked, question)], 1)
        answer = torch.cat([answer, self.knowledge(told, answer)], 1)
        like = self.like(question, answer)
        return self.out(torch.cat([question, like, answer, shared], 1)).squeeze(1)
