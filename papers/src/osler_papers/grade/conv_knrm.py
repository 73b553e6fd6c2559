"""Conv-KNRM (Dai et al. 2018) as a grader: kernels over n-grams of fact and paper."""

from __future__ import annotations

from typing import Any

from osler_papers.grade.kernels import KernelGrader

LONGEST = 3


class ConvKNRMGrader(KernelGrader):
    name = "conv-knrm"
    help = "Conv-KNRM: n-gram similarities pooled by kernels"

    def kernel_network(self) -> Any:
        import torch

        from osler_papers.pairs.conv_knrm import ConvKNRM

        return ConvKNRM(torch.from_numpy(self.matrix.copy()), longest=LONGEST)

    @property
    def kernels(self) -> int:
        from osler_papers.pairs.knrm import MUS

        return LONGEST * LONGEST * len(MUS)
