"""KNRM (Xiong et al. 2017) as a grader: kernel features of fact and paper, then the labels."""

from __future__ import annotations

from typing import Any

from osler.grade.grader import graders
from osler.grade.methods.kernels import KernelGrader


@graders.register("knrm")
class KNRMGrader(KernelGrader):
    name = "knrm"
    help = "K-NRM: word similarities pooled by kernels"

    def network(self) -> Any:
        import torch

        from osler.learn.pairs.knrm import KNRM

        return KNRM(torch.from_numpy(self.matrix.copy()))

    @property
    def width(self) -> int:
        from osler.learn.pairs.knrm import MUS

        return len(MUS)
