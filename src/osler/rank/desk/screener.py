"""ELAS u4: which paper a reviewer should read next.

TF-IDF over all papers (:mod:`osler.rank.desk.tfidf`), a linear machine with C = 0.11
(:mod:`osler.rank.desk.margin`), relevant marks weighted up. The papers are read once; after a mark
only the marks' own products are worked out anew. Chosen because of 32 variants none was better on
reviews that had not chosen it (docs/explanation/review.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.errors import InputError
from osler.rank.desk.growing_rows import GrowingRows
from osler.rank.desk.margin import Floats, balanced_weights, fit_margin
from osler.rank.desk.tfidf import tfidf

COST = 0.11
RATIO = 9.8
FEW = 4
MOST_ROOM = 1_000
"""Marks that the kernel has room for beyond those it holds."""


class Screener:
    """The papers of one review, the marks so far, and the order of what is left."""

    def __init__(self, texts: Sequence[str], *, cost: float = COST, ratio: float = RATIO) -> None:
        self.matrix, self.terms = tfidf(texts)
        self.cost = cost
        self.ratio = ratio
        self.rows: list[int] = []
        self.relevant: list[bool] = []
        self._beta = np.zeros(0)
        self._kernel = np.zeros((0, 0))
        self._marked = GrowingRows(self.matrix.shape[1])
        self._stale = True

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def mark(self, marks: Mapping[int, bool]) -> None:
        """Add marks by row. A row that is marked already gets its new mark."""
        known = {row: at for at, row in enumerate(self.rows)}
        fresh = []
        for row, relevant in marks.items():
            if not 0 <= row < len(self):
                raise InputError(f"there is no paper number {row}")
            if row in known:
                self.relevant[known[row]] = bool(relevant)
            else:
                fresh.append((row, bool(relevant)))
        if fresh:
            self._grow([row for row, _ in fresh])
            self.relevant += [relevant for _, relevant in fresh]
        self._stale = True

    def unmark(self, rows: Sequence[int]) -> None:
        """Take marks back."""
        gone = set(rows)
        kept = np.array([row not in gone for row in self.rows], dtype=bool)
        self.rows = [row for row in self.rows if row not in gone]
        self.relevant = [mark for mark, keep in zip(self.relevant, kept, strict=True) if keep]
        self._kernel = self._kernel[: len(kept), : len(kept)][np.ix_(kept, kept)]
        self._beta = self._beta[kept]
        self._marked = GrowingRows(self.matrix.shape[1])
        self._marked.add(self.matrix[self.rows])
        self._stale = True

    def _grow(self, rows: Sequence[int]) -> None:
        before, count = len(self.rows), len(rows)
        self.rows += rows
        coming = self.matrix[list(rows)]
        self._marked.add(coming)
        marked = self._marked.matrix()
        if count <= FEW:
            # For a mark or two the lines are spread out: quicker than a product of sparse ones.
            block = np.stack([marked @ line for line in coming.toarray()], axis=1)
        else:
            block = (marked @ coming.T).toarray()
        block += 1.0
        if len(self._kernel) < before + count:
            # Room for more: to copy the whole at each mark would cost more than to learn. Of
            # thousands twice as many would fill the memory.
            more = min(before + count, MOST_ROOM)
            room = np.zeros((max(64, before + count + more),) * 2)
            room[:before, :before] = self._kernel[:before, :before]
            self._kernel = room
        self._kernel[: before + count, before : before + count] = block
        self._kernel[before : before + count, : before + count] = block.T
        self._beta = np.concatenate([self._beta, np.zeros(count)])

    @property
    def learns(self) -> bool:
        """Whether there are marks of both kinds."""
        return any(self.relevant) and not all(self.relevant)

    def _learn(self) -> None:
        """Bring beta up to the marks."""
        if not self._stale:
            return
        if not self.learns:
            raise InputError(
                "marks of one kind teach nothing",
                cure="mark at least one relevant paper and one that is not",
            )
        relevant = np.asarray(self.relevant, dtype=bool)
        self._beta = fit_margin(
            self._kernel[: len(relevant), : len(relevant)],
            np.where(relevant, 1.0, -1.0),
            balanced_weights(relevant, ratio=self.ratio),
            cost=self.cost,
            start=self._beta,
        )
        self._stale = False

    def weights(self) -> tuple[Floats, float]:
        """What each term weighs, and the bias; needs marks of both kinds."""
        self._learn()
        weights = self._marked.matrix().T @ self._beta
        return np.asarray(weights).ravel(), float(self._beta.sum())

    def scores(self) -> Floats:
        """A number a paper, its distance from the margin's middle."""
        weights, bias = self.weights()
        return np.asarray(self.matrix @ weights).ravel() + bias

    def order(self) -> npt.NDArray[np.int64]:
        """The papers that are not marked, the most promising first, ties by their row."""
        scores = self.scores()
        left = np.ones(len(self), dtype=bool)
        left[self.rows] = False
        rows = np.flatnonzero(left)
        return rows[np.argsort(-scores[rows], kind="stable")]

    def carried(self, row: int, most: int = 8) -> list[tuple[str, float]]:
        """The terms that raise a paper's score, the strongest first."""
        weights, _ = self.weights()
        line: Any = self.matrix[row]
        parts = line.data * weights[line.indices]
        best = np.argsort(-parts, kind="stable")[:most]
        return [
            (self.terms[int(line.indices[at])], round(float(parts[at]), 4))
            for at in best
            if parts[at] > 0
        ]
