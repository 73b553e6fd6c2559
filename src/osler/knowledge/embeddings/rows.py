"""Optimisers that write only the rows that a batch touched.

Adagrad and plain descent leave a row without a gradient as it is, so that writing the touched rows
alone gives what a whole table's update gives. Adam moves every row at every step; ``adam`` here is
its lazy form, where a row's moments decay only when it is touched.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from osler.errors import ChoiceError
from osler.learn import needs

Tensor = Any


class RowOptimiser(ABC):
    """One table's optimiser."""

    def __init__(self, table: Tensor, lr: float) -> None:
        self.table = table
        self.lr = lr

    @abstractmethod
    def stepped(self, numbers: Tensor, rows: Tensor, gradient: Tensor) -> Tensor:
        """The rows after a step down their gradient; the caller constrains and writes them."""

    def memory(self) -> dict[str, Tensor]:
        """What it remembers of past steps, by name: the tensors themselves, no copies."""
        return {}


class Descent(RowOptimiser):
    """Stochastic gradient descent."""

    def stepped(self, numbers: Tensor, rows: Tensor, gradient: Tensor) -> Tensor:
        return rows.sub_(gradient, alpha=self.lr)


class Adagrad(RowOptimiser):
    """Duchi et al. 2011: each number's step shrinks with the gradients that it has seen."""

    def __init__(self, table: Tensor, lr: float) -> None:
        super().__init__(table, lr)
        self.sums = needs.torch().zeros_like(table)

    def stepped(self, numbers: Tensor, rows: Tensor, gradient: Tensor) -> Tensor:
        # Shared weights come as a slice, and a slice is a view: nothing below may write into it.
        sums = self.sums[numbers] + gradient * gradient
        self.sums[numbers] = sums
        return rows.addcdiv_(gradient, sums.sqrt().add_(1e-10), value=-self.lr)

    def memory(self) -> dict[str, Tensor]:
        return {"sums": self.sums}


class LazyAdam(RowOptimiser):
    """Kingma and Ba 2015, on touched rows; the bias of the start is corrected row by row."""

    FIRST, SECOND = 0.9, 0.999

    def __init__(self, table: Tensor, lr: float) -> None:
        super().__init__(table, lr)
        torch = needs.torch()
        self.first = torch.zeros_like(table)
        self.second = torch.zeros_like(table)
        # Double: in single precision 1 - 0.999 is wrong in its fifth digit.
        shape = (len(table), *([1] * (table.dim() - 1)))
        self.steps = torch.zeros(shape, dtype=torch.float64)

    def stepped(self, numbers: Tensor, rows: Tensor, gradient: Tensor) -> Tensor:
        steps = self.steps[numbers] + 1
        first = self.first[numbers].lerp(gradient, 1 - self.FIRST)
        second = self.second[numbers] * self.SECOND + gradient * gradient * (1 - self.SECOND)
        self.steps[numbers], self.first[numbers], self.second[numbers] = steps, first, second
        seen = [(1 - decay**steps).to(rows.dtype) for decay in (self.FIRST, self.SECOND)]
        size = (second / seen[1]).sqrt().add_(1e-8)
        return rows.addcdiv_(first / seen[0], size, value=-self.lr)

    def memory(self) -> dict[str, Tensor]:
        return {"first": self.first, "second": self.second, "steps": self.steps}


OPTIMISERS: dict[str, type[RowOptimiser]] = {
    "adagrad": Adagrad,
    "adam": LazyAdam,
    "sgd": Descent,
}


def optimiser(name: str) -> type[RowOptimiser]:
    if name not in OPTIMISERS:
        raise ChoiceError("optimiser", name, OPTIMISERS)
    return OPTIMISERS[name]
