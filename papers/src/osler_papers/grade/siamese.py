"""Siamese BERT (Reimers and Gurevych 2019): fact and paper encoded apart, fused in the last layer.

The classification form: softmax(W [u; v; |u - v|]). The one encoder learns from both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from osler.grade.methods.neural import NeuralGrader


class Siamese(NeuralGrader):
    name = "siamese"
    help = "fact and paper encoded apart (Siamese BERT)"
    reads = ("fact", "paper")

    def head(self) -> Any:
        from osler_papers.pairs.cross_encoder import CrossEncoder

        return CrossEncoder(3 * self.encoder.dimension, len(self.scale.labels), dropout=0.2)

    def forward(self, head: Any, inputs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        import torch

        first, second = inputs["fact"], inputs["paper"]
        return head(torch.cat([first, second, (first - second).abs()], dim=1)), None, None
