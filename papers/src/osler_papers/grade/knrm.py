"""KNRM (Xiong et al. 2017) as a grader: kernel features of fact and paper, then the labels."""

from __future__ import annotations

from typing import Any

from osler_papers.grade.kernels import KernelGrader


class KNRMGrader(KernelGrader):
    name = "knrm"
    help = "K-NRM: word similarities pooled by kernels"

    def kernel_network(self) -> Any:
        import torch

        from osler_papers.pairs.knrm import KNRM

        return KNRM(torch.from_numpy(self.matrix.copy()))

    @property
    def kernels(self) -> int:
        from osler_papers.pairs.knrm import MUS

        return len(MUS)
