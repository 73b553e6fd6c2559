"""Candidates of one channel: rows of the truth with a score each, as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]


def each_once(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Distinct numbers, rising: what ``np.unique`` gives of a flat array, which asks first whether
    the array is masked and loads all of ``numpy.ma`` for the answer: a good part of what a first
    search takes."""
    rising = np.sort(values)
    fresh = np.ones(len(rising), bool)
    np.not_equal(rising[1:], rising[:-1], out=fresh[1:])
    return rising[fresh]


@dataclass(frozen=True)
class Background:
    """How a channel scores the whole collection, not only what it found: mean, deviation, and the
    score of what it did not find (None: the least that it found)."""

    mean: float
    spread: float
    missing: float | None = None


@dataclass(frozen=True)
class Candidates:
    """Rows and their scores; ``seqs`` say at which change each was indexed."""

    rows: Rows
    scores: Scores
    seqs: Rows
    background: Background | None = None

    @classmethod
    def of(cls, entries: Iterable[tuple[int, int, float]]) -> Candidates:
        listed = list(entries)
        if not listed:
            return cls.none()
        rows, seqs, scores = zip(*listed, strict=True)
        return cls(np.array(rows, np.int64), np.array(scores, np.float64), np.array(seqs, np.int64))

    @classmethod
    def none(cls) -> Candidates:
        empty = np.zeros(0, np.int64)
        return cls(empty, np.zeros(0), empty)

    def __len__(self) -> int:
        return len(self.rows)

    def among(self, total: int) -> Candidates:
        """The same, where everything else of ``total`` documents scores zero."""
        mean = float(self.scores.sum()) / max(1, total)
        square = float((self.scores**2).sum()) / max(1, total)
        spread = max(0.0, square - mean * mean) ** 0.5
        return replace(self, background=Background(mean, spread, 0.0))

    def within(self, rows: Rows) -> Candidates:
        """Only these rows."""
        kept = np.isin(self.rows, rows)
        return replace(self, rows=self.rows[kept], scores=self.scores[kept], seqs=self.seqs[kept])


@dataclass(frozen=True)
class Fused:
    """Candidates of several channels as one: the total and what each channel gave to it."""

    rows: Rows
    seqs: Rows
    scores: Scores
    raw: dict[str, Scores]
    contributed: dict[str, Scores]

    def order(self) -> Rows:
        """Places by falling score; equal scores in order of row, to be settled by id later."""
        return np.lexsort((self.rows, -self.scores))

    def within(self, rows: Iterable[int]) -> Fused:
        """Only these rows, at the scores that they have."""
        kept = np.isin(self.rows, np.fromiter(rows, np.int64))
        return Fused(
            self.rows[kept],
            self.seqs[kept],
            self.scores[kept],
            {name: values[kept] for name, values in self.raw.items()},
            {name: values[kept] for name, values in self.contributed.items()},
        )
