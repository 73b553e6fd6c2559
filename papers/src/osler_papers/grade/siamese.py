"""Siamese BERT (Reimers and Gurevych 2019): fact and paper encoded apart, fused in the last layer.

The classification form: softmax(W [u; v; |u - v|]).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from osler.grade.methods.neural import NeuralGrader
from osler.grade.pair import Pair


class Siamese(NeuralGrader):
    name = "siamese"
    help = "fact and paper encoded apart (Siamese BERT)"

    def inputs(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        from osler.grade.networks.views import alone, only_fact

        length = self.lengths["medl"]
        first = self.encoder.vectors([only_fact(pair) for pair in pairs], length)
        second = self.encoder.vectors([alone(pair) for pair in pairs], length)
        return {"both": np.concatenate([first, second, np.abs(first - second)], axis=1)}

    def head(self) -> Any:
        from osler_papers.pairs.cross_encoder import CrossEncoder

        return CrossEncoder(3 * self.encoder.dimension, len(self.scale.labels), dropout=0.2)

    def forward(self, head: Any, inputs: Any) -> tuple[Any, Any, Any]:
        return head(inputs["both"]), None, None
