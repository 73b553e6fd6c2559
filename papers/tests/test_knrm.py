"""K-NRM against its formula, written out again in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from osler_papers.pairs.knrm import KNRM, MUS, SIGMAS  # noqa: E402


def test_knrm_is_its_formula():
    torch.manual_seed(3)
    net = KNRM(torch.randn(8, 5))
    first, second = torch.tensor([[2, 3, 0]]), torch.tensor([[3, 4, 5, 0]])
    vectors = net.words.weight.detach().numpy()
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    matrix = vectors[[2, 3]] @ vectors[[3, 4, 5]].T
    phi = [
        sum(np.log(max(np.exp(-((row - mu) ** 2) / (2 * s * s)).sum(), 1e-10)) for row in matrix)
        for mu, s in zip(MUS, SIGMAS, strict=True)
    ]
    assert np.allclose(net.pooled(first, second)[0].detach(), np.array(phi) * 0.01, atol=1e-4)
    assert net(first, second).abs().detach().item() <= 1.0
