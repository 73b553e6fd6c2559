"""HiCapsRKL's upper part: capsule routing on two fragments, add-fusion, three predictions.

Sections 3.3 and 3.4: R_MedL, R_RCor, R_KImp come from the encoder; R^c_RCor = CapsR(theta_r) of
R_RCor and R^c_KImp = CapsR(theta_t) of R_KImp; R'_MedL = R_MedL + R^c_RCor + R^c_KImp ("add",
appendix A.4) predicts the label, the two caps-representations predict RCor (two classes) and KImp
(four). That is the network as printed. Ours, under another name, has more: ``normed`` sets each
representation to a length at which every capsule starts with about 1 (a caps-representation is
never longer than the root of the number of its capsules, so that as printed R_MedL outweighs it),
``dropout`` works on the representations, ``hints`` adds a linear map of counted features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from osler.grade.networks.capsules import CapsuleRouting, capsule_shape
from osler.grade.scale import KIMP_CLASSES


@dataclass(frozen=True)
class Parts:
    """Which parts the model has: the whole, or one of the seven ablations of Table 4."""

    caps_medl: bool = False
    caps_rcor: bool = True
    caps_kimp: bool = True
    rcor: bool = True
    kimp: bool = True


ABLATIONS: dict[str, Parts] = {
    "w/ CapsR MedL": Parts(caps_medl=True),
    "w/o CapsR KImp": Parts(caps_kimp=False),
    "w/o CapsR RCor": Parts(caps_rcor=False),
    "w/o CapsR": Parts(caps_rcor=False, caps_kimp=False),
    "w/o KImp": Parts(kimp=False),
    "w/o RCor": Parts(rcor=False),
    "w/o RCor&KImp": Parts(rcor=False, kimp=False),
}


class HiCaps(nn.Module):  # type: ignore[misc]
    """``forward`` gives the logits of label, RCor and KImp; absent parts give None."""

    def __init__(
        self,
        dimension: int,
        labels: int,
        *,
        parts: Parts | None = None,
        hints: int = 0,
        layers: int = 3,
        iterations: int = 3,
        capsules: int | None = None,
        normed: bool = False,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        parts = parts or Parts()
        self.parts = parts
        _, width = capsule_shape(dimension, capsules)
        self.scale = width**-0.5 if normed else 1.0
        options: dict[str, Any] = {
            "capsules": capsules,
            "layers": layers,
            "iterations": iterations,
        }

        def routing(wanted: bool) -> nn.Module:
            return CapsuleRouting(dimension, **options) if wanted else nn.Identity()

        self.norm = nn.LayerNorm(dimension, elementwise_affine=False) if normed else nn.Identity()
        self.caps_medl = routing(parts.caps_medl)
        self.caps_rcor = routing(parts.rcor and parts.caps_rcor)
        self.caps_kimp = routing(parts.kimp and parts.caps_kimp)
        self.hinted = (
            nn.ModuleList(nn.Linear(hints, dimension) for _ in range(3)) if hints else None
        )
        self.dropout = nn.Dropout(dropout)
        self.label = nn.Linear(dimension, labels)
        self.rcor = nn.Linear(dimension, 2)
        self.kimp = nn.Linear(dimension, KIMP_CLASSES)

    def represented(
        self, vectors: Tensor, hints: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """R'_MedL, R^c_RCor and R^c_KImp; ``vectors`` (batch, 3, d) are R_MedL, R_RCor, R_KImp."""
        views = self.norm(vectors) * self.scale
        if self.hinted is not None and hints is not None:
            added = torch.stack([layer(hints) for layer in self.hinted], dim=1)
            views = views + added * self.scale
        views = self.dropout(views)
        fused = self.caps_medl(views[:, 0])
        rcor = self.caps_rcor(views[:, 1]) if self.parts.rcor else None
        kimp = self.caps_kimp(views[:, 2]) if self.parts.kimp else None
        for part in (rcor, kimp):
            if part is not None:
                fused = fused + part
        return fused, rcor, kimp

    def forward(
        self, vectors: Tensor, hints: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        fused, rcor, kimp = self.represented(vectors, hints)
        return (
            self.label(fused),
            self.rcor(rcor) if rcor is not None else None,
            self.kimp(kimp) if kimp is not None else None,
        )
