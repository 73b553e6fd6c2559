"""A review that is over, screened again: how much work would the desk have saved?

It begins with one relevant and one irrelevant paper, drawn by the seed, and then always reads the
paper that the ranker puts first, marking it as the reviewers did. Measures are those of the field:
WSS (Cohen et al. 2006), RRF@10 and ATD (as ASReview's insights define them: over the papers read
after the first two).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from osler.errors import InputError
from osler.rank.desk.models import Orders
from osler.rank.desk.screener import Screener

Bools = npt.NDArray[np.bool_]


class Simulation(msgspec.Struct, frozen=True):
    """One run: rows in the order of reading, and which of them were relevant. The first ``prior``
    were given."""

    seed: int
    order: tuple[int, ...]
    marks: tuple[bool, ...]
    prior: int = 2


def starting_papers(relevant: Bools, seed: int) -> tuple[int, int]:
    """A relevant and an irrelevant paper, drawn by the seed."""
    rng = np.random.default_rng(seed)
    yes, no = np.flatnonzero(relevant), np.flatnonzero(~relevant)
    if not len(yes) or not len(no):
        raise InputError("a simulation needs papers of both kinds")
    return int(rng.choice(yes)), int(rng.choice(no))


def simulate(
    texts: Sequence[str],
    relevant: Sequence[bool],
    *,
    seed: int = 0,
    make: Callable[[Sequence[str]], Screener] = Screener,
    batch: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Simulation:
    """Screen all papers in the order that the ranker asks for, ``batch`` at a time."""
    truth = np.asarray(relevant, dtype=bool)
    return screened(make(texts), truth, seed=seed, batch=batch, progress=progress)


def screened(
    screener: Orders,
    truth: Bools,
    *,
    seed: int = 0,
    batch: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Simulation:
    """The same with a model that has read the papers; its marks are taken back at the end."""
    read = list(starting_papers(truth, seed))
    screener.mark({row: bool(truth[row]) for row in read})
    left = int(truth.sum()) - int(truth[read].sum())
    while left:
        coming = screener.order()[:batch].tolist()
        screener.mark({row: bool(truth[row]) for row in coming})
        read += coming
        left -= int(truth[coming].sum())
        if progress:
            progress(len(read), len(truth))
    # Nothing is left to find: the rest is read in the last order, and teaches nothing.
    rest = screener.order().tolist() if len(read) < len(truth) else []
    screener.unmark(read)
    read += rest
    if progress:
        progress(len(read), len(truth))
    return Simulation(seed, tuple(read), tuple(bool(truth[row]) for row in read))


def measures(run: Simulation) -> dict[str, float]:
    """WSS@95, WSS@100, RRF@10 and ATD of a run, counted after the papers it was given."""
    marks = np.asarray(run.marks[run.prior :], dtype=bool)
    return {
        "wss95": saved(marks, 0.95),
        "wss100": saved(marks, 1.0),
        "rrf10": found_after(marks, 0.10),
        "atd": time_to_discovery(marks),
    }


def saved(marks: Bools, recall: float) -> float:
    """WSS@recall: 1 - n / N - (1 - recall), n papers being read when the recall is reached."""
    total = int(marks.sum())
    if not total:
        return 0.0
    wanted = int(np.ceil(recall * total - 1e-9))
    needed = int(np.searchsorted(np.cumsum(marks), wanted)) + 1
    return float(recall - needed / len(marks))


def found_after(marks: Bools, share: float) -> float:
    """The share of relevant papers found after a share of the papers has been read."""
    total = int(marks.sum())
    return float(marks[: int(share * len(marks))].sum() / total) if total else 0.0


def time_to_discovery(marks: Bools) -> float:
    """The mean share of papers read when a relevant one is found: less is better."""
    places = np.flatnonzero(marks) + 1
    return float(places.mean() / len(marks)) if len(places) else 0.0
