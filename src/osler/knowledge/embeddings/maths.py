"""The few formulas that several methods share, on torch tensors."""

from __future__ import annotations

from typing import Any

from osler.learn import needs

Tensor = Any


def distance(difference: Tensor, norm: int) -> Tensor:
    """The L1 or L2 length of the last axis. A square root has no slope at zero: a little is added
    under it, far below what a float of the sum can tell."""
    if norm == 1:
        return difference.abs().sum(-1)
    return (difference * difference).sum(-1).add(1e-12).sqrt()


def uniform(count: int, width: int, generator: Any, *, fan: int = 0) -> Tensor:
    """Glorot and Bengio's uniform start. A table's row is looked up, not summed over: it has no
    inputs to count (``fan``), a layer has."""
    torch = needs.torch("graph embeddings")
    bound = (6.0 / (fan + width)) ** 0.5
    return torch.empty(count, width).uniform_(-bound, bound, generator=generator)


def normalise(rows: Tensor) -> None:
    """Make each row of length one, in place."""
    rows.div_(rows.norm(dim=-1, keepdim=True).clamp_min_(1e-12))


def shorten(rows: Tensor) -> None:
    """Make each row of length one at most, in place."""
    rows.div_(rows.norm(dim=-1, keepdim=True).clamp_min_(1.0))


def onto(rows: Tensor, plane: Tensor) -> Tensor:
    """Rows projected on the hyperplane whose unit normal is given: e - (w . e) w."""
    return rows - (rows * plane).sum(-1, keepdim=True) * plane


def all_distances(first: Tensor, second: Tensor, norm: int) -> Tensor:
    """Each row of the first against each of the second."""
    torch = needs.torch("graph embeddings")
    return torch.cdist(first, second, p=float(norm))
