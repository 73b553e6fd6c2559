"""What a fusion is: a sum of what each channel contributes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

import numpy as np

from osler.errors import InputError
from osler.registry import Registry
from osler.retrieve.channel import Background, Candidates, Fused, Rows, Scores
from osler.retrieve.estimate import ESTIMATED, Mask, estimate
from osler.retrieve.pool import Pool

Unseen = Callable[[Rows], Mask]


class Fusion(ABC):
    """Weights are by channel; a channel without one has weight 1."""

    def __init__(self, *, weights: Mapping[str, float] | None = None) -> None:
        self.weights = dict(weights or {})
        if any(not weight >= 0 for weight in self.weights.values()):
            raise InputError("a fusion's weights cannot be negative")

    @abstractmethod
    def scale(self, raw: Scores, background: Background | None) -> Scores:
        """One channel's scores, NaN where it did not find a row, as comparable numbers."""

    def fuse(
        self, channels: Mapping[str, Candidates], unseen: Mapping[str, Unseen] | None = None
    ) -> Fused:
        """``unseen`` says of a channel which rows it could not have found: what it would give them
        is estimated, and told as a part of its own."""
        pool = Pool(channels)
        contributed = {
            name: self.weights.get(name, 1.0)
            * self.scale(pool.lay(name, candidates), candidates.background)
            for name, candidates in channels.items()
        }
        for name, look in (unseen or {}).items():
            _complete(name, look(pool.rows), pool.raw, contributed)
        return pool.fused(contributed)


def _complete(
    name: str, unseen: Mask, raw: Mapping[str, Scores], contributed: dict[str, Scores]
) -> None:
    if not unseen.any():
        return
    others = [other for other in raw if other != name]
    like = sum((contributed[other] for other in others), np.zeros(len(unseen)))
    brought = np.zeros(len(unseen), np.bool_)
    for other in others:
        brought |= ~np.isnan(raw[other])
    filled = estimate(contributed[name], like, unseen, brought)
    contributed[name] = np.where(unseen, 0.0, filled)
    contributed[ESTIMATED] = np.where(unseen, filled, 0.0)


fusions: Registry[Fusion] = Registry(
    "fusion", group="osler.fusions", builtin=("osler.retrieve.fusion",)
)
