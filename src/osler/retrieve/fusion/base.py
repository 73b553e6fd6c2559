"""What a fusion is: a sum of what each channel contributes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from osler.errors import InputError
from osler.registry import Registry
from osler.retrieve.channel import Background, Candidates, Fused, Scores, align


class Fusion(ABC):
    """Weights are by channel; a channel without one has weight 1."""

    def __init__(self, *, weights: Mapping[str, float] | None = None) -> None:
        self.weights = dict(weights or {})
        if any(not weight >= 0 for weight in self.weights.values()):
            raise InputError("a fusion's weights cannot be negative")

    @abstractmethod
    def scale(self, raw: Scores, background: Background | None) -> Scores:
        """One channel's scores, NaN where it did not find a row, as comparable numbers."""

    def fuse(self, channels: Mapping[str, Candidates]) -> Fused:
        rows, seqs, raw = align(dict(channels))
        contributed = {
            name: self.weights.get(name, 1.0) * self.scale(scores, channels[name].background)
            for name, scores in raw.items()
        }
        total = np.zeros(len(rows))
        for part in contributed.values():
            total += part
        return Fused(rows, seqs, np.round(total, 9), raw, contributed)


fusions: Registry[Fusion] = Registry(
    "fusion", group="osler.fusions", builtin=("osler.retrieve.fusion",)
)
