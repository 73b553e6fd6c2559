"""Tools for reviewers: when to stop, how much work was saved.

:func:`may_stop` needs no probabilities. It is the test of Callaghan and Müller-Hansen (2020):
were the recall still below the target, drawing so few relevant papers lately would be improbable.
Since papers are read best first, later ones are less often relevant than a random draw, which
makes the test cautious for a ranking that works.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from osler.errors import InputError


def may_stop(
    marks: Sequence[bool], total: int, *, target: float = 0.95, confidence: float = 0.95
) -> bool:
    """Whether the marks, in the order of reading, allow the claim that recall is at the target."""
    return stopping_p(marks, total, target=target) < 1 - confidence


def stopping_p(
    marks: Sequence[bool] | npt.NDArray[np.bool_], total: int, *, target: float = 0.95
) -> float:
    """The p-value of "recall is below the target", the least over all starts of the last stretch.

    ``total`` counts all papers, read and unread. A stretch that began after ``i`` papers is taken
    as a random draw from what was left then.
    """
    read = len(marks)
    if not 0 < target <= 1:
        raise InputError("the target of recall lies between 0 and 1")
    if read > total:
        raise InputError(f"{read} papers are marked, but there are {total}")
    if read == total:
        return 0.0
    return stopping_chance(np.asarray(marks, dtype=bool), total, target=target)


def stopping_chance(marks: npt.NDArray[np.bool_], total: int, *, target: float) -> float:
    """:func:`stopping_p` of marks that are checked, some of them unread.

    Of the papers left at a start, ``unread`` are unread now. Were recall below the target, at least
    ``missing`` relevant ones would be among these: the hypergeometric tail from ``missing`` on.
    Among starts between the same two relevant papers the first leaves most papers and thus has the
    least chance, so a start for each relevant paper is enough.
    """
    places = np.flatnonzero(marks)
    found = len(places)
    if found == 0:
        return 1.0
    unread = total - len(marks)
    missing = math.floor(found / target) + 1 - found
    if missing > unread:
        return 0.0
    left = total - np.concatenate([[0], places + 1])
    relevant = found + missing - np.arange(found + 1)
    few = np.arange(missing)[:, None]
    table = _log_factorials(total)
    # C(relevant, few) C(left - relevant, unread - few) / C(left, unread), none where it cannot be.
    others = left - relevant - unread + few
    possible = (few <= relevant) & (others >= 0)
    logs = (
        table[relevant]
        - table[few]
        - table[np.where(possible, relevant - few, 0)]
        + table[left - relevant]
        - table[unread - few]
        - table[np.where(possible, others, 0)]
        - table[left]
        + table[unread]
        + table[left - unread]
    )
    fewer = np.where(possible, np.exp(logs), 0.0).sum(axis=0)
    return float(np.clip(1.0 - fewer.max(), 0.0, 1.0))


@lru_cache(maxsize=4)
def _log_factorials(top: int) -> npt.NDArray[np.float64]:
    """ln 0! to ln top!."""
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(top + 1) + 1.0))


def work_saved(marks: Sequence[bool], *, recall: float = 0.95) -> float:
    """WSS@recall (Cohen et al. 2006) of a ranking whose papers are all marked, best first.

    The share of papers that need not be read to reach the recall, less what a random order would
    save: 1 - n / N - (1 - recall). 0 where nothing is relevant.
    """
    relevant = np.asarray(marks, dtype=bool)
    total = int(relevant.sum())
    if not total:
        return 0.0
    wanted = math.ceil(recall * total - 1e-9)
    needed = int(np.searchsorted(np.cumsum(relevant), wanted)) + 1
    return 1 - needed / len(relevant) - (1 - recall)
