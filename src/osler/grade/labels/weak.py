"""A training set out of any papers and any graph: weak labels, and how far they can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np

from osler.errors import InputError
from osler.grade.labels.kimp import Way, kimp_levels
from osler.grade.labels.rcor import Clusters, describes
from osler.grade.pair import Pair
from osler.grade.scale import BARELY, DESCRIBED, GRADES, NOT_DESCRIBED, grade_of, scale_of
from osler.measures.agreement import cohen_kappa

A_LABEL = 25
"""Pairs of each label that section 5.1 reads."""


class Table6(msgspec.Struct, frozen=True):
    """Pairs by grade, and how many papers, relations and facts they hold."""

    grades: dict[str, int]
    pairs: int
    papers: int
    relations: int
    facts: int


class Agreement(msgspec.Struct, frozen=True):
    """Cohen's kappa of automatic labels with given ones; None where none were given. ``sampled``
    is over 25 pairs of each grade, drawn by the automatic label as in section 5.1."""

    rcor: float | None
    kimp: float | None
    grade: float | None
    sampled: float | None
    pairs: int


def weak_labels(
    pairs: Sequence[Pair],
    *,
    clusters: Clusters | None = None,
    kimp: Way = "coverage",
    seed: int = 0,
) -> list[Pair]:
    """The pairs with RCor, KImp and, by Table 1, a grade. Without ``clusters`` RCor is judged
    fragment by fragment, as the stand-in for a reader does."""
    levels = kimp_levels(pairs, way=kimp, seed=seed)
    labelled = []
    for pair, level in zip(pairs, levels, strict=True):
        if clusters is not None:
            rcor = clusters.label(pair)
        else:
            rcor = DESCRIBED if describes(pair) else NOT_DESCRIBED
        labelled.append(pair.labelled(label=grade_of(rcor, level), rcor=rcor, kimp=level))
    return labelled


def table6(pairs: Sequence[Pair]) -> Table6:
    """The statistics of Table 6 over labelled pairs."""
    counts = Counter(_grade(pair) for pair in pairs)
    return Table6(
        grades={grade: counts.get(grade, 0) for grade in GRADES},
        pairs=len(pairs),
        papers=len({pair.paper_id or pair.text for pair in pairs}),
        relations=len({pair.fact.relation for pair in pairs}),
        facts=len({pair.fact.text for pair in pairs}),
    )


def agreement(given: Sequence[Pair], made: Sequence[Pair], *, seed: int = 0) -> Agreement:
    """Kappa of the made labels with the given ones, M-imp and U-imp merged."""
    if not given:
        raise InputError("there is no pair with a given label to compare with")

    def kappa(name: str) -> float | None:
        pairs = [
            # The sample's RCor begins at 2, its KImp at 1: there M-imp and U-imp are one.
            (max(getattr(a, name), BARELY), max(getattr(b, name), BARELY))
            for a, b in zip(given, made, strict=True)
            if getattr(a, name) is not None
        ]
        return cohen_kappa(*zip(*pairs, strict=True)) if pairs else None

    graded = [
        (_grade(a), _grade(b)) for a, b in zip(given, made, strict=True) if a.label is not None
    ]
    grade = cohen_kappa(*zip(*graded, strict=True)) if graded else None
    sampled = None
    if graded:
        picked = [graded[row] for row in balanced([b for _, b in graded], A_LABEL, seed=seed)]
        sampled = cohen_kappa(*zip(*picked, strict=True))
    return Agreement(kappa("rcor"), kappa("kimp"), grade, sampled, len(given))


def balanced(labels: Sequence[str], each: int, *, seed: int = 0) -> list[int]:
    """Rows with ``each`` of every label (all where there are fewer), drawn with a seed."""
    rng = np.random.default_rng(seed)
    rows: list[int] = []
    for label in sorted(set(labels)):
        own = [row for row, one in enumerate(labels) if one == label]
        rows += [own[i] for i in rng.permutation(len(own))[:each].tolist()]
    return sorted(rows)


def _grade(pair: Pair) -> str:
    label = str(pair.label)
    scale = scale_of([label])
    return scale.grades[scale.place(label)]
