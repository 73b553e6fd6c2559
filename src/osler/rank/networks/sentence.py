"""The supervised sentence ranker of section 3.5.2 as a network.

    x^p    = [G x ; x]                                        projection, residual by concatenation
    r_sup  = exp(-(|Phi^p - q^p|_1 + beta |Phi^p - t^p|_1))
    r_f    = linear([r_sup, r_siamese, BM25-Extra])

Both halves of x^p have an L1 norm of 1/2, so that the distances stay where exp has a slope and G
counts from the start. r_f is fitted to {0, 1} by mean squared error: G and the regression together.

r_sup hardly varies (a few hundredths) where BM25 runs to ten. As they are, the one would need a
weight that no few steps reach, and BM25 alone would decide; so the regression sees each of its
inputs at mean 0 and variance 1, and begins and ends at its least squares, which are known exactly.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

RIDGE = 5.0


class SupervisedSentence(nn.Module):  # type: ignore[misc]
    """``extra`` counts the regression's inputs besides r_sup."""

    mean: Tensor
    spread: Tensor

    def __init__(self, dimension: int, *, beta: float, projection: int, extra: int) -> None:
        super().__init__()
        self.g = nn.Linear(dimension, projection, bias=False)
        self.beta = beta
        self.regression = nn.Linear(1 + extra, 1)
        self.register_buffer("mean", torch.zeros(1 + extra))
        self.register_buffer("spread", torch.ones(1 + extra))

    def project(self, x: Tensor) -> Tensor:
        halves = (self.g(x), x)
        return torch.cat([nn.functional.normalize(half, p=1.0, dim=1) / 2 for half in halves], 1)

    def relevance(self, batch: dict[str, Tensor]) -> Tensor:
        """r_sup. Queries and titles come once each, ``of_query`` and ``of_title`` say whose."""
        seen = self.project(batch["phi"])
        apart = (seen - self.project(batch["query"])[batch["of_query"]]).abs().sum(1)
        if self.beta:
            titles = self.project(batch["title"])[batch["of_title"]]
            apart = apart + self.beta * (seen - titles).abs().sum(1)
        return torch.exp(-apart)

    def inputs(self, batch: dict[str, Tensor]) -> Tensor:
        """[r_sup, r_siamese, BM25-Extra], scaled."""
        raw = torch.cat([self.relevance(batch).unsqueeze(1), batch["extra"]], dim=1)
        return (raw - self.mean) / self.spread

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """r_f of each row, before it is clipped to [0, 1]."""
        score: Tensor = self.regression(self.inputs(batch)).squeeze(1)
        return score

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def scale(self, batch: dict[str, Tensor]) -> None:
        """Take mean and spread from the training rows."""
        raw = torch.cat([self.relevance(batch).unsqueeze(1), batch["extra"]], dim=1)
        self.mean.copy_(raw.mean(0))
        spread = raw.std(0, correction=0)
        self.spread.copy_(torch.where(spread > 1e-9, spread, torch.ones_like(spread)))

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def solve(self, batch: dict[str, Tensor], gold: Tensor) -> None:
        """The regression at its least squares for the G of now (a small ridge: two of BM25-Extra's
        features nearly say the same)."""
        rows = self.inputs(batch).double()
        middle = rows.mean(0)
        rows, level = rows - middle, gold.double().mean()
        weights = torch.linalg.solve(
            rows.T @ rows + RIDGE * torch.eye(rows.shape[1], dtype=rows.dtype),
            rows.T @ (gold.double() - level),
        )
        self.regression.weight.copy_(weights.unsqueeze(0))
        self.regression.bias.copy_((level - middle @ weights).unsqueeze(0))
