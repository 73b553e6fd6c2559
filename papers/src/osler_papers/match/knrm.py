"""K-NRM as a matcher (Xiong et al. 2017; seed 001, 4.2)."""

from __future__ import annotations

from typing import Any

from osler.match.neural import NeuralMatcher


class KNRM(NeuralMatcher):
    """Kernels over the matrix of word similarities; the network is that of ``learn.pairs``."""

    name = "knrm"
    help = "K-NRM: kernel pooling of word similarities"

    def build(self, vectors: Any) -> Any:
        from osler_papers.pairs import knrm

        # A hinge of one cannot be met within tanh's bounds: the ranking layer stays linear.
        return knrm.KNRM(vectors, tanh=False)
