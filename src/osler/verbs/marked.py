"""Marks of a project in its own searches: what they may weigh, and what learns them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from osler.rank.desk.screener import Screener
from osler.review.project import Project, includes
from osler.search.marked import Marked
from osler.search.ranker import SearchRanker

if TYPE_CHECKING:
    from osler.library import Library

FEW = 3
"""Marks of either kind below which nothing can be shown."""
FOLDS = 5


def marked_by(library: Library, ranker: SearchRanker, project: str) -> Marked:
    """A ranker with what holds of a project's papers: included ones are relevant, excluded ones
    are not."""
    return Marked(ranker, project, marks_of(library.projects.get(project)), learned)


def marks_of(project: Project) -> dict[str, bool]:
    """Papers on which the project has a verdict. What one of several reviewers said alone is no
    verdict, and stays unseen by the others."""
    verdicts = {id: project.verdict("abstract", id) for id in project.papers}
    return {id: includes(word) for id, word in verdicts.items() if word is not None}


def learned(
    texts: Sequence[str], marks: Mapping[int, bool]
) -> tuple[npt.NDArray[np.float64], float]:
    """A score a text, and the weight that the marks have earned."""
    weight = 0.0
    scores = np.zeros(len(texts))
    if min(sum(marks.values()), len(marks) - sum(marks.values())) >= FEW:
        screener = Screener(texts)
        weight = support(screener, marks)
        if weight:
            screener.mark(marks)
            scores = screener.scores()
    return scores, weight


def support(screener: Screener, marks: Mapping[int, bool]) -> float:
    """How far marks foretell each other, from 0 (chance) to 1: twice what the area under the curve
    of marks left out in turn has above one half, less its standard error (Hanley and McNeil
    1982)."""
    kinds = [[row for row in sorted(marks) if marks[row] is kind] for kind in (True, False)]
    said: dict[int, float] = {}
    for fold in range(FOLDS):
        out = [row for rows in kinds for row in rows[fold::FOLDS]]
        kept = {row: mark for row, mark in marks.items() if row not in out}
        if not out or len(set(kept.values())) < 2:
            continue
        screener.mark(kept)
        scores = screener.scores()
        said |= {row: float(scores[row]) for row in out}
        screener.unmark(list(kept))
    yes = np.array([said[row] for row in kinds[0] if row in said])
    no = np.array([said[row] for row in kinds[1] if row in said])
    if not len(yes) or not len(no):
        return 0.0
    area = float(((yes[:, None] > no) + 0.5 * (yes[:, None] == no)).mean())
    return min(1.0, max(0.0, 2 * (area - standard_error(area, len(yes), len(no)) - 0.5)))


def standard_error(area: float, ones: int, others: int) -> float:
    """The standard error of an area under the curve, by Hanley and McNeil's equation 2. An area of
    1 from few pairs would have none: it counts as if half a pair were wrong."""
    a = min(area, 1 - 0.5 / (ones * others))
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    squared = a * (1 - a) + (ones - 1) * (q1 - a * a) + (others - 1) * (q2 - a * a)
    return math.sqrt(max(0.0, squared) / (ones * others))
