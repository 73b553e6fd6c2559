"""Scales of relevance and how they hang on RCor and KImp (Table 1 of the paper).

RCor says whether the text around the two entities describes their relation; KImp how important
the fact is to the paper's subject. The released sample numbers them 3 and 2 (RCor), 3 to 1
(KImp), and gives a label 0 to 4 to five of the pairs; (2, 2) has no row in Table 1 and is taken
as I, since its relation is not described.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from osler.errors import FieldError

Floats = npt.NDArray[np.float64]
GRADES = ("H", "F", "M", "I")
PLAIN = {
    "H": "about this fact",
    "F": "speaks of it",
    "M": "mentions it",
    "I": "not about it",
}
"""The grades in plain words: how far a paper is about a fact. On which side it stands is another
question (``osler.claims``)."""
DESCRIBED, NOT_DESCRIBED = 3, 2
IMPORTANT, PARTLY, BARELY, UNIMPORTANT = 3, 2, 1, 0
KIMP_CLASSES = 4
"""Imp, P-imp, M-imp, U-imp of Table 1."""


@dataclass(frozen=True)
class Scale:
    """The labels that a model predicts; each stands for a grade, a RCor and a KImp.

    ``kimp`` None: the label may have any KImp. Where a pair does not say which, the side task aims
    at U-imp, which is what Table 1 has beside I.
    """

    name: str
    labels: tuple[str, ...]
    grades: tuple[str, ...]
    rcor: tuple[int, ...]
    kimp: tuple[int | None, ...]
    gains: tuple[float, ...]

    def place(self, label: str) -> int:
        """A label's number on the scale."""
        try:
            return self.labels.index(label)
        except ValueError:
            raise FieldError(
                f"the label {label[:40]!r} is not on the scale",
                cure=f"labels: {', '.join(self.labels)}",
            ) from None

    def by_grade(self, probabilities: Floats) -> Floats:
        """Probabilities of H, F, M, I: labels of one grade added up."""
        summed = np.zeros((len(probabilities), len(GRADES)))
        for place, grade in enumerate(self.grades):
            summed[:, GRADES.index(grade)] += probabilities[:, place]
        return summed

    def score(self, probabilities: Floats) -> Floats:
        """The expected gain: what papers are ranked by."""
        return np.asarray(probabilities @ np.array(self.gains), dtype=np.float64)

    def combined(self, described: Floats, importance: Floats) -> Floats:
        """Labels out of the two side tasks, taken as independent: P(described) and
        P(KImp = 0, 1, 2, 3), or without its first column. Pairs that no label stands for share
        their part among the rest."""
        grades = np.zeros((len(described), len(self.labels)))
        for place, (rcor, kimp) in enumerate(zip(self.rcor, self.kimp, strict=True)):
            first = described if rcor == DESCRIBED else 1 - described
            second = importance[:, kimp - KIMP_CLASSES] if kimp is not None else 1.0
            grades[:, place] = first * second
        total = grades.sum(1, keepdims=True)
        return np.asarray(grades / np.where(total == 0, 1, total), dtype=np.float64)


SAMPLE = Scale(
    name="sample",
    labels=("0", "1", "2", "3", "4"),
    grades=("H", "F", "I", "M", "I"),
    rcor=(3, 3, 2, 3, 2),
    kimp=(3, 2, 2, 1, 1),
    gains=(3.0, 2.0, 0.5, 1.0, 0.0),
)
"""The sample's five raw labels, as functions of (RCor, KImp)."""

PAPER = Scale(
    name="paper",
    labels=GRADES,
    grades=GRADES,
    rcor=(3, 3, 3, 2),
    kimp=(3, 2, 1, None),
    gains=(3.0, 2.0, 1.0, 0.0),
)
"""Table 1."""

SCALES = {scale.name: scale for scale in (SAMPLE, PAPER)}


def grade_of(rcor: int, kimp: int) -> str:
    """Table 1: the grade of a pair by its two labels."""
    if rcor != DESCRIBED:
        return "I"
    return {IMPORTANT: "H", PARTLY: "F"}.get(kimp, "M")


def scale_of(labels: Sequence[str]) -> Scale:
    """The scale that all of these labels are on; an error names the first one that is on none."""
    for scale in (PAPER, SAMPLE):
        if all(label in scale.labels for label in labels):
            return scale
    known = {label for scale in SCALES.values() for label in scale.labels}
    stranger = next((label for label in labels if label not in known), "")
    if stranger:
        raise FieldError(
            f"the label {stranger[:40]!r} is on no scale",
            cure="use H, F, M, I or the sample's 0 to 4",
        )
    raise FieldError("the labels mix two scales", cure="use H, F, M, I or the sample's 0 to 4")
