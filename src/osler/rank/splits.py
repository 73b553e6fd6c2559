"""Splits of labelled papers into a training and a held-out part, class by class."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from osler.rank.pool import Ints

Split = tuple[Ints, Ints]


def held_out(targets: Ints, *, share: float = 0.2, rng: np.random.Generator) -> Split:
    """One stratified split: ``ceil(share * n)`` papers of each class are held out (Table 2)."""
    out: list[int] = []
    for target in np.unique(targets):
        rows = rng.permutation(np.flatnonzero(targets == target))
        out.extend(int(row) for row in rows[: math.ceil(share * len(rows))])
    test = np.array(sorted(out), dtype=np.int64)
    train = np.setdiff1d(np.arange(len(targets)), test)
    return train, test


def repeated(
    targets: Ints, *, repeats: int = 5, splits: int = 3, share: float = 0.2, first: int = 0
) -> Iterator[Split]:
    """The paper's protocol, repeated: ``splits`` splits from each of ``repeats`` seeds, from
    ``first`` on. Later seeds give splits that chose nothing."""
    for seed in range(first, first + repeats):
        rng = np.random.default_rng(seed)
        for _ in range(splits):
            yield held_out(targets, share=share, rng=rng)


def folds(targets: Ints, count: int, *, seed: int = 0) -> list[Ints]:
    """Each paper once in one of ``count`` held-out folds; classes spread evenly."""
    rng = np.random.default_rng(seed)
    place = np.zeros(len(targets), dtype=np.int64)
    turn = 0
    for target in np.unique(targets):
        rows = rng.permutation(np.flatnonzero(targets == target))
        place[rows] = (np.arange(len(rows)) + turn) % count
        turn += len(rows)
    return [np.flatnonzero(place == fold) for fold in range(count)]
