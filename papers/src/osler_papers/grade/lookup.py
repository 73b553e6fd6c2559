"""RCor and KImp predicted from their fragments, the grade looked up in Table 1.

HiCapsRKL without its third prediction: each fragment's representation predicts its own label, and
nothing learns the grade itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from osler.grade.grader import Floats
from osler.grade.methods.neural import NeuralGrader
from osler.grade.pair import Pair


class Lookup(NeuralGrader):
    name = "lookup"
    help = "RCor and KImp predicted, the grade looked up in Table 1"

    def inputs(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        views = [self.encoded(pairs, which) for which in ("rcor", "kimp")]
        return {"vectors": np.stack(views, axis=1)}

    def head(self) -> Any:
        from torch import nn

        from osler_papers.pairs.cross_encoder import CrossEncoder

        width = self.encoder.dimension
        return nn.ModuleList([CrossEncoder(width, 2, dropout=0.2), CrossEncoder(width, 3)])

    def forward(self, head: Any, inputs: Any) -> tuple[Any, Any, Any]:
        import torch

        rcor, kimp = head[0](inputs["vectors"][:, 0]), head[1](inputs["vectors"][:, 1])
        # The label's logits follow from the two and carry no weight of their own.
        described = torch.log_softmax(rcor, dim=1)
        importance = torch.log_softmax(kimp, dim=1)
        columns = [
            described[:, int(r == 3)] + (importance[:, k - 1] if k is not None else 0.0)
            for r, k in zip(self.scale.rcor, self.scale.kimp, strict=True)
        ]
        return torch.stack(columns, dim=1), rcor, kimp

    def _mean(self, tensors: Mapping[str, Any]) -> Floats:
        import torch

        from osler.grade.networks.heads import softmax

        found = []
        with torch.no_grad():
            for head in self.heads:
                _, rcor, kimp = self.forward(head.eval(), tensors)
                found.append(self.scale.combined(softmax(rcor)[:, 1], softmax(kimp)))
        return np.asarray(np.mean(found, axis=0), dtype=np.float64)
