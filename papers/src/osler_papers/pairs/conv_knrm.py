"""Conv-KNRM (Dai et al. 2018): n-grams made by convolutions, matched softly, pooled by kernels.

    g_i^h = relu(W^h v_(i .. i+h-1) + b^h)          n-grams of length h = 1 .. H, both texts
    M_ij^(h, h') = cos(g_i^h, g_j^h')               cross-matching of all pairs of lengths
    phi = K-NRM's kernel pooling of each M, all beside each other

K-NRM is the case H = 1 without the convolution.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from osler_papers.pairs.knrm import MUS, SIGMAS

Tensor = Any


class ConvKNRM(nn.Module):  # type: ignore[misc]
    """Kernel features, or a score, of pairs of padded word numbers (0 pads)."""

    def __init__(self, vectors: Tensor, *, longest: int = 3, filters: int = 64) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=0)
        width = int(vectors.shape[1])
        self.longest = longest
        self.convolutions = nn.ModuleList(
            nn.Conv1d(width, filters, size) for size in range(1, longest + 1)
        )
        self.features = longest * longest * len(MUS)
        self.out = nn.Linear(self.features, 1)
        self.register_buffer("mu", torch.tensor(MUS), persistent=False)
        self.register_buffer("sigma", torch.tensor(SIGMAS), persistent=False)

    def grams(self, ids: Tensor) -> list[Tensor]:
        """Unit vectors of all n-grams, for each length; a text is padded so that none is lost."""
        embedded = self.words(ids).transpose(1, 2)
        found = []
        for size, convolution in enumerate(self.convolutions, 1):
            padded = nn.functional.pad(embedded, (0, size - 1))
            grams = torch.relu(convolution(padded)).transpose(1, 2)
            found.append(nn.functional.normalize(grams, dim=2))
        return found

    def pooled(self, first: Tensor, second: Tensor) -> Tensor:
        """phi of each pair: a column a kernel and a pair of lengths."""
        asked = (first != 0).float()
        told = (second != 0).float()
        parts = []
        right = self.grams(second)
        for left in self.grams(first):
            for other in right:
                matrix = (left @ other.transpose(1, 2)).unsqueeze(3)
                kernels = torch.exp(-((matrix - self.mu) ** 2) / (2 * self.sigma**2))
                summed = (kernels * told[:, None, :, None]).sum(2)
                logs = torch.log(summed.clamp(min=1e-10)) * 0.01
                parts.append((logs * asked.unsqueeze(2)).sum(1))
        return torch.cat(parts, dim=1)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        return torch.tanh(self.out(self.pooled(first, second)).squeeze(1))
