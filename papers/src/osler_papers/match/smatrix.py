"""SMatrix as a matcher (Shen et al. 2015; seed 001, 4.2)."""

from __future__ import annotations

from typing import Any

from osler.match.neural import NeuralMatcher


class SMatrix(NeuralMatcher):
    """Convolutions over the matrix of word similarities."""

    name = "smatrix"
    help = "convolutions over a matrix of word similarities"

    def build(self, vectors: Any) -> Any:
        from osler_papers.match.networks import smatrix

        return smatrix.SMatrix(vectors)
