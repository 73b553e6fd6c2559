"""RCor and KImp predicted from their fragments, the grade looked up in Table 1.

HiCapsRKL without its third prediction: each fragment's representation predicts its own label, and
nothing learns the grade itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from osler.grade.grader import Floats
from osler.grade.methods.neural import NeuralGrader
from osler.grade.scale import KIMP_CLASSES


class Lookup(NeuralGrader):
    name = "lookup"
    help = "RCor and KImp predicted, the grade looked up in Table 1"
    reads = ("rcor", "kimp")

    def head(self) -> Any:
        from torch import nn

        from osler_papers.pairs.cross_encoder import CrossEncoder

        width = self.encoder.dimension
        parts = (CrossEncoder(width, 2, dropout=0.2), CrossEncoder(width, KIMP_CLASSES))
        return nn.ModuleList(parts)

    def forward(self, head: Any, inputs: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        import torch

        rcor, kimp = head[0](inputs["rcor"]), head[1](inputs["kimp"])
        # The label's logits follow from the two and carry no weight of their own.
        described = torch.log_softmax(rcor, dim=1)
        importance = torch.log_softmax(kimp, dim=1)
        columns = [
            described[:, int(r == 3)] + (importance[:, k] if k is not None else 0.0)
            for r, k in zip(self.scale.rcor, self.scale.kimp, strict=True)
        ]
        return torch.stack(columns, dim=1), rcor, kimp

    def labelled(self, logits: tuple[Any, Any, Any]) -> Floats:
        from osler.grade.networks.heads import softmax

        _, rcor, kimp = logits
        return self.scale.combined(softmax(rcor)[:, 1], softmax(kimp))
