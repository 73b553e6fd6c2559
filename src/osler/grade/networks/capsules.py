"""Capsule routing (section 3.3, equations 1 to 4), batched: no loop runs over capsules.

A representation R of width p * D is split into p sub-vectors u_i. Between two layers

    x_j = sum_i c_ij W_ij u_i                       (1)
    v_j = |x_j|^2 / (1 + |x_j|^2) * x_j / |x_j|     (2)
    c_ij = exp(b_ij) / sum_k exp(b_ik)              (3)
    b_ij = b_ij + (W_ij u_i) . v_j                  (4)

``layers`` stacks the step (K in the text); ``iterations`` repeats (3), (1), (2), (4) between two
layers (K in common code): two parameters, 3 each by default. The last layer's capsules are
concatenated to the caps-representation, as wide as R.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

WIDTH = 64
"""D for a 768-wide encoder, which makes p = 12."""


def capsule_shape(dimension: int, capsules: int | None = None) -> tuple[int, int]:
    """(p, D) for an encoder's width: 12 capsules where they divide it, else as near as can be."""
    if capsules is not None:
        if dimension % capsules:
            raise ValueError(f"{capsules} capsules do not divide a width of {dimension}")
        return capsules, dimension // capsules
    best = min(
        (p for p in range(1, dimension + 1) if dimension % p == 0), key=lambda p: (abs(p - 12), p)
    )
    return best, dimension // best


def squash(x: Tensor) -> Tensor:
    """Equation 2 over the last axis; at zero its limit, zero."""
    square = (x * x).sum(-1, keepdim=True)
    return x * (square / (1 + square) * torch.rsqrt(square + 1e-12))


class CapsuleRouting(nn.Module):  # type: ignore[misc]
    """CapsR(theta): R (batch, p * D) to the caps-representation of the same width."""

    def __init__(
        self, dimension: int, *, capsules: int | None = None, layers: int = 3, iterations: int = 3
    ) -> None:
        super().__init__()
        if layers < 2 or iterations < 1:
            raise ValueError("routing needs two layers and one iteration at least")
        self.capsules, self.width = capsule_shape(dimension, capsules)
        self.iterations = iterations
        # Equation 1 runs between two layers: K layers have K - 1 sets of weights. Row i of a set
        # holds W_ij of all j side by side, so that one product gives every prediction of u_i.
        shape = (layers - 1, self.capsules, self.width, self.capsules * self.width)
        self.weights = nn.Parameter(torch.randn(shape) / self.width**0.5)

    def forward(self, given: Tensor) -> Tensor:
        batch = given.shape[0]
        capsules = given.view(batch, self.capsules, self.width)
        for weights in self.weights:
            capsules = self.route(capsules, weights)
        return capsules.reshape(batch, self.capsules * self.width)

    def route(self, capsules: Tensor, weights: Tensor) -> Tensor:
        """One layer to the next: (batch, p, D) to (batch, p, D)."""
        batch, count, width = capsules.shape
        # (i, batch, D) x (i, D, j * D): every prediction of every pair in one batched product.
        predicted = torch.bmm(capsules.transpose(0, 1), weights)
        # (batch, j, i, D): what capsule j is told by each i.
        predicted = predicted.view(count, batch, count, width).permute(1, 2, 0, 3).contiguous()
        # As in common code, the gradient runs through the last iteration alone: the couplings are
        # found on values, which gives the same output and trains more than twice as fast.
        with torch.no_grad():
            agreed = predicted.new_zeros(batch, count, count)
            for _ in range(self.iterations - 1):
                output = _gathered(agreed, predicted)
                agreed = agreed + torch.matmul(predicted, output.unsqueeze(3)).squeeze(3)
        return _gathered(agreed, predicted)


def _gathered(agreed: Tensor, predicted: Tensor) -> Tensor:
    """Equations 3, 1 and 2: (batch, j, i) logits and (batch, j, i, D) predictions to (batch, j, D).

    Axis 1 is j: the couplings of one i sum to 1 over all j.
    """
    coupling = torch.softmax(agreed, dim=1)
    return squash(torch.matmul(coupling.unsqueeze(2), predicted).squeeze(2))


def direct_route(capsules: Any, weights: Any, iterations: int) -> Any:
    """The same, capsule by capsule as the equations are written: for tests and the benchmark."""
    batch, count, width = capsules.shape
    outputs = torch.zeros_like(capsules)
    for row in range(batch):
        routed = {}
        for i in range(count):
            for j in range(count):
                matrix = weights[i, :, j * width : (j + 1) * width]
                routed[i, j] = capsules[row, i] @ matrix
        b = torch.zeros(count, count)
        v = [torch.zeros(width) for _ in range(count)]
        for turn in range(iterations):
            c = [torch.softmax(b[i], dim=0) for i in range(count)]
            for j in range(count):
                x = torch.zeros(width)
                for i in range(count):
                    x = x + c[i][j] * routed[i, j]
                v[j] = squash(x)
            if turn + 1 < iterations:
                for i in range(count):
                    for j in range(count):
                        b[i, j] = b[i, j] + routed[i, j] @ v[j]
        for j in range(count):
            outputs[row, j] = v[j]
    return outputs
