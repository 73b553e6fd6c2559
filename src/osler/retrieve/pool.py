"""A pool: the documents that any channel brought, with every channel's score for each.

Every fusion works on a pool: it lays the channels out beside the same rows, says who found what,
and adds up what the channels contribute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from osler.retrieve.channel import Background, Candidates, Fused, Rows, Scores, each_once
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
        brought = [candidates.rows for candidates in channels.values() if len(candidates)]
        empty = np.zeros(0, np.int64)
        self.rows: Rows = each_once(np.concatenate(brought)) if brought else empty
        self.seqs: Rows = np.zeros(len(self.rows), np.int64)
        self.raw: dict[str, Scores] = {}
        self.seen: dict[str, Mask] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def lay(self, name: str, candidates: Candidates) -> Scores:
        """Take a channel in as it is: its scores, NaN where it did not find a row. Rows outside
        the pool are left out."""
        values = np.full(len(self.rows), np.nan)
        if len(candidates) and len(self.rows):
            at = np.minimum(np.searchsorted(self.rows, candidates.rows), len(self.rows) - 1)
            inside = self.rows[at] == candidates.rows
            values[at[inside]] = candidates.scores[inside]
            np.maximum.at(self.seqs, at[inside], candidates.seqs[inside])
        self.raw[name] = values
        return values

    def put(
        self, name: str, candidates: Candidates, *, depth: int = 0, like: Like | None = None
    ) -> Scores:
        """Take a channel in with a number for every row, and give its standard scores over the
        pool. ``depth`` is how many it was asked for, 0 if it gave all it has: what it did not give
        lies at zero then, else at its least score. ``like`` says which rows the channel could not
        have seen, and what they are estimated from."""
        cut = 0 < depth <= len(candidates)
        floor = float(candidates.scores.min()) if cut and len(candidates) else 0.0
        values = self.lay(name, candidates)
        values = np.where(np.isnan(values), floor, values)
        if like is not None and like.unseen.any():
            values = estimate(values, like.scores, like.unseen, like.brought)
            self.seen[name] = ~like.unseen
        self.raw[name] = values
        return self.standard(name)

    def standard(self, name: str) -> Scores:
        """A channel as standard deviations from its mean over the pool; zeros if all are equal.
        Estimates differ less than what they stand for: they play no part in the deviation."""
        return standard_scores(self.raw[name], among=self.seen.get(name))

    def fused(self, contributed: Mapping[str, Scores]) -> Fused:
        """The sum of what channels contribute, rounded so that equal sums are equal."""
        total = np.zeros(len(self.rows))
        for part in contributed.values():
            total += part
        return Fused(self.rows, self.seqs, np.round(total, 9), dict(self.raw), dict(contributed))


def standard_scores(
    raw: Scores, background: Background | None = None, among: Mask | None = None
) -> Scores:
    """Scores as standard deviations from a mean.

    Mean and deviation are those of the whole collection where a ``background`` knows them, else
    those of the rows at hand (of some of them, ``among``). What a channel did not find (NaN) is
    taken at the score that the channel gives it, or at its least one.
    """
    scored = ~np.isnan(raw)
    measured = raw[scored] if among is None else raw[scored & among]
    if not len(measured):
        return np.zeros(len(raw))
    mean, spread, missing = measured.mean(), measured.std(), measured.min()
    if background is not None:
        mean, spread = background.mean, background.spread
        if background.missing is not None:
            missing = background.missing
    if spread < 1e-12:
        # One score for all says only who was found.
        return np.where(scored, 0.0, -1.0)
    scaled: Scores = (np.where(scored, raw, missing) - mean) / spread
    return scaled
