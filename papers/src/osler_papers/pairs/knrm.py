"""K-NRM (Xiong et al. 2017): a matrix of word similarities, pooled by kernels.

    M_ij = cos(v_i, v_j)                       the translation matrix
    K_k(M_i) = sum_j exp(-(M_ij - mu_k)^2 / (2 sigma_k^2))
    phi_k = sum_i log K_k(M_i)                 soft term frequencies
    f(q, d) = tanh(w . phi + b)                learning to rank

Eleven kernels: one for exact matches (mu = 1, sigma = 0.001), ten from -0.9 to 0.9 (sigma = 0.1).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

Tensor = Any
MUS = (1.0, 0.9, 0.7, 0.5, 0.3, 0.1, -0.1, -0.3, -0.5, -0.7, -0.9)
SIGMAS = (0.001, *([0.1] * 10))


class KNRM(nn.Module):  # type: ignore[misc]
    """Scores pairs of padded word numbers (0 pads)."""

    def __init__(self, vectors: Tensor, *, tanh: bool = True) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=0)
        self.out = nn.Linear(len(MUS), 1)
        self.tanh = tanh
        self.register_buffer("mu", torch.tensor(MUS).view(1, 1, 1, -1), persistent=False)
        self.register_buffer("sigma", torch.tensor(SIGMAS).view(1, 1, 1, -1), persistent=False)

    def similarities(self, first: Tensor, second: Tensor) -> Tensor:
        left = nn.functional.normalize(self.words(first), dim=2)
        right = nn.functional.normalize(self.words(second), dim=2)
        return left @ right.transpose(1, 2)

    def pooled(self, first: Tensor, second: Tensor) -> Tensor:
        """phi of each pair, a column a kernel."""
        matrix = self.similarities(first, second).unsqueeze(3)
        kernels = torch.exp(-((matrix - self.mu) ** 2) / (2 * self.sigma**2))
        kernels = kernels * (second != 0).float()[:, None, :, None]
        logs = torch.log(kernels.sum(2).clamp(min=1e-10)) * 0.01
        asked = (first != 0).float().unsqueeze(2)
        return (logs * asked).sum(1)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        score = self.out(self.pooled(first, second)).squeeze(1)
        return torch.tanh(score) if self.tanh else score
