"""Counted features as inputs of a network: standardised, and coded by which of their training
quartiles they pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]
QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)


class Coding:
    """Learned from training features alone."""

    def __init__(self, mean: Array, spread: Array, column: Array, above: Array) -> None:
        self.mean = np.asarray(mean, np.float64)
        self.spread = np.asarray(spread, np.float64)
        self.column = np.asarray(column, np.int64)
        self.above = np.asarray(above, np.float64)

    @classmethod
    def of(cls, table: Floats) -> Self:
        mean, spread = table.mean(0), table.std(0)
        column, above = [], []
        for place in range(table.shape[1]):
            values = np.unique(table[:, place])
            if len(values) < 2:
                continue
            cuts = np.unique(np.quantile(table[:, place], QUANTILES))
            for cut in cuts[cuts < values[-1]].tolist():
                column.append(place)
                above.append(cut)
        return cls(mean, np.where(spread == 0, 1.0, spread), np.array(column), np.array(above))

    @property
    def width(self) -> int:
        return len(self.mean) + len(self.above)

    def __call__(self, table: Floats) -> npt.NDArray[np.float32]:
        plain = np.clip((table - self.mean) / self.spread, -4, 4)
        passed = (table[:, self.column] > self.above) * 2.0 - 1.0
        return np.concatenate([plain, passed], axis=1).astype(np.float32)

    def arrays(self) -> dict[str, Array]:
        return {name: getattr(self, name) for name in ("mean", "spread", "column", "above")}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any]) -> Self:
        return cls(*(np.asarray(tensors[n]) for n in ("mean", "spread", "column", "above")))
