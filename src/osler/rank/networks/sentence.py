"""The supervised sentence ranker of section 3.5.2 as a network.

    x^p    = [G x ; x]                                        projection, residual by concatenation
    r_sup  = exp(-(|Phi^p - q^p|_1 + beta |Phi^p - t^p|_1))
    r_f    = linear([r_sup, r_siamese, BM25-Extra])

The vectors have an L1 norm of 1, so that the distances stay where exp has a slope. r_f is fitted to
{0, 1} by mean squared error, end to end: G, the siamese LSTM and the regression together.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from osler.learn.pairs.siamese import SiameseLSTM


class SupervisedSentence(nn.Module):  # type: ignore[misc]
    def __init__(
        self, vectors: Any, *, beta: float, projection: int, hidden: int, extra: int
    ) -> None:
        super().__init__()
        self.siamese = SiameseLSTM(vectors, hidden=hidden)
        self.g = nn.Linear(self.siamese.words.embedding_dim, projection, bias=False)
        self.beta = beta
        self.regression = nn.Linear(2 + extra, 1)

    def project(self, x: Tensor) -> Tensor:
        return nn.functional.normalize(torch.cat([self.g(x), x], dim=1), p=1.0, dim=1)

    def relevance(self, phi: Tensor, query: Tensor, title: Tensor) -> Tensor:
        """r_sup."""
        seen = self.project(phi)
        apart = (seen - self.project(query)).abs().sum(1)
        if self.beta:
            apart = apart + self.beta * (seen - self.project(title)).abs().sum(1)
        return torch.exp(-apart)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """r_f of each row, before it is clipped to [0, 1]."""
        r_sup = self.relevance(batch["phi"], batch["query"], batch["title"])
        # Few queries, many sentences: each query is read once.
        queries = self.siamese.encode(batch["query_ids"], batch["query_lengths"])
        which = batch["which"]
        r_siamese = self.siamese.likeness(
            self.siamese.encode(batch["ids"], batch["lengths"]),
            (queries[0][which], queries[1][which]),
        )
        found: Tensor = self.regression(
            torch.cat([r_sup.unsqueeze(1), r_siamese.unsqueeze(1), batch["extra"]], dim=1)
        ).squeeze(1)
        return found
