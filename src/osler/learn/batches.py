"""Batches: shuffled slices of a list, and ragged rows as one rectangle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from osler.learn.seeds import Rng

T = TypeVar("T")


def shuffled(items: Sequence[T], size: int) -> Callable[[Rng], Iterator[list[T]]]:
    """A ``batches`` argument for :func:`osler.learn.loop.fit`: every item once an epoch."""
    if size < 1:
        raise ValueError("a batch holds at least one item")

    def batches(rng: Rng) -> Iterator[list[T]]:
        order = rng.permutation(len(items))
        for start in range(0, len(items), size):
            yield [items[i] for i in order[start : start + size]]

    return batches


def padded(
    rows: Sequence[Sequence[int]], *, fill: int = 0, width: int | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Rows of numbers as a rectangle filled up on the right, and each row's length.

    ``width`` cuts longer rows. The rectangle has at least one column, so that a batch of empty
    rows is still a valid input.
    """
    limit = max((len(row) for row in rows), default=0)
    if width is not None:
        limit = min(limit, width)
    limit = max(limit, 1)
    filled = np.full((len(rows), limit), fill, dtype=np.int64)
    lengths = np.zeros(len(rows), dtype=np.int64)
    for i, row in enumerate(rows):
        cut = min(len(row), limit)
        filled[i, :cut] = row[:cut]
        lengths[i] = cut
    return filled, lengths
