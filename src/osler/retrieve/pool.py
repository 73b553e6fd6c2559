"""A pool: the documents that any channel brought, with every channel's score for each.

Fusion by z-score needs numbers for all documents of the pool. What a channel was asked for and did
not give lies at its floor: zero where it gave all it has, the least score where it was cut off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from osler.retrieve.channel import Candidates, Fused, Rows, Scores
from osler.retrieve.estimate import Mask, estimate


@dataclass(frozen=True)
class Like:
    """For a channel that has not seen everything: which rows it has not, the scores that it is
    estimated from, and the rows that those were found for."""

    unseen: Mask
    scores: Scores
    brought: Mask


class Pool:
    """Rows of the truth, rising, and channels as arrays beside them."""

    def __init__(self, channels: Mapping[str, Candidates]) -> None:
        found = [candidates for candidates in channels.values() if len(candidates)]
        empty = np.zeros(0, np.int64)
        self.rows: Rows = np.unique(np.concatenate([c.rows for c in found])) if found else empty
        self.seqs: Rows = np.zeros(len(self.rows), np.int64)
        self.raw: dict[str, Scores] = {}
        self.seen: dict[str, Mask] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def put(
        self, name: str, candidates: Candidates, *, depth: int = 0, like: Like | None = None
    ) -> Scores:
        """Take a channel in; ``depth`` is how many it was asked for, 0 if it gave all it has.
        Rows outside the pool are left out. Gives its standard scores. ``like`` says which rows the
        channel could not have seen, and what they are estimated from."""
        cut = 0 < depth <= len(candidates)
        floor = float(candidates.scores.min()) if cut and len(candidates) else 0.0
        values = np.full(len(self.rows), floor)
        if len(candidates) and len(self.rows):
            at = np.minimum(np.searchsorted(self.rows, candidates.rows), len(self.rows) - 1)
            inside = self.rows[at] == candidates.rows
            values[at[inside]] = candidates.scores[inside]
            np.maximum.at(self.seqs, at[inside], candidates.seqs[inside])
        if like is not None and like.unseen.any():
            values = estimate(values, like.scores, like.unseen, like.brought)
            self.seen[name] = ~like.unseen
        self.raw[name] = values
        return self.standard(name)

    def standard(self, name: str) -> Scores:
        """A channel as standard deviations from its mean over the pool; zeros if all are equal.
        Estimates differ less than what they stand for: they play no part in the deviation."""
        return standardised(self.raw[name], self.seen.get(name))

    def fused(self, contributed: Mapping[str, Scores]) -> Fused:
        """The sum of what channels contribute, rounded so that equal sums are equal."""
        total = np.zeros(len(self.rows))
        for part in contributed.values():
            total += part
        return Fused(self.rows, self.seqs, np.round(total, 9), dict(self.raw), dict(contributed))


def standardised(values: Scores, among: Mask | None = None) -> Scores:
    """Zero mean, unit deviation (over some of them); all zero where nothing differs."""
    measured = values if among is None else values[among]
    if not len(measured):
        return np.zeros(len(values))
    spread = float(measured.std())
    if spread < 1e-12:
        return np.zeros(len(values))
    result: Scores = (values - measured.mean()) / spread
    return result
