"""What a grader is, and how graders are found by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from osler.errors import InputError
from osler.grade.pair import Pair
from osler.grade.scale import DESCRIBED, PAPER, SCALES, UNIMPORTANT, Scale, scale_of
from osler.kinds import Heat
from osler.registry import Registry

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Progress = Callable[[str], None]
State = tuple[dict[str, Any], dict[str, Any]]


class Grader(ABC):
    """Gives a pair a probability for each label of its scale.

    ``fit`` learns from labelled pairs; a grader with ``learns`` False takes at most statistics of
    them. Labels are never inputs of ``probabilities``.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    learns: ClassVar[bool] = True
    in_order: ClassVar[float] = 1 / 3
    """How much of a list's order is the grade; the rest is ``osler.grade.order``. None of it where
    people's labels are met better without."""
    needs: ClassVar[frozenset[str]] = frozenset()
    """Options that only a library can give: ``vectors`` are those of its graph, by the method that
    ``embedding`` names."""
    embedding: ClassVar[str] = ""
    trial: ClassVar[Mapping[str, Any]] = {}
    """Options with which it learns in a moment: what contract tests make it with."""

    scale: Scale = PAPER

    @property
    def calibrated(self) -> bool:
        """Whether its probabilities were fitted on pairs held out from teaching. What was not is
        shown without a number."""
        return False

    @abstractmethod
    def fit(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        """Learn; returns itself."""

    @abstractmethod
    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        """A row a pair, a column a label of the scale."""

    def scores(self, pairs: Sequence[Pair]) -> Floats:
        """What papers are ranked by: the expected gain."""
        return self.scale.score(self.probabilities(pairs))

    def with_gains(self, pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
        """The probabilities, and the expected gain scaled to 0-1: what the grade puts into the
        order of a list."""
        probabilities = self.probabilities(pairs)
        return probabilities, self.scale.score(probabilities) / max(self.scale.gains)

    def grades(self, pairs: Sequence[Pair]) -> Floats:
        """Probabilities of H, F, M, I."""
        return self.scale.by_grade(self.probabilities(pairs))

    def called(self, grades: Floats) -> Ints:
        """The grade that is told of each row of P(H), P(F), P(M), P(I), by its number: the
        likeliest."""
        return np.asarray(grades.argmax(1), dtype=np.int64)

    def heats(self, pair: Pair) -> tuple[Heat, ...]:
        """Words and how much they carried, for the views RCor and KImp; nothing where a method
        cannot say."""
        return ()

    @abstractmethod
    def state(self) -> State:
        """Tensors and plain settings that :meth:`restore` makes the trained grader from."""

    @classmethod
    @abstractmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        """The trained grader again."""


class Targets:
    """What training pairs say: labels by number, and the targets of the two side tasks.

    ``kimp`` is 0 (U-imp) to 3 (Imp), 0 where a label leaves it open (see :class:`Scale`).
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        if not pairs:
            raise InputError("there is no pair to learn from")
        given = [pair.label for pair in pairs]
        if any(label is None for label in given):
            raise InputError(
                "a pair has no label", cure="give a column label, or make labels: osler label grade"
            )
        self.scale = scale_of([str(label) for label in given])
        self.labels: Ints = np.array([self.scale.place(str(label)) for label in given])
        if len(np.unique(self.labels)) < 2:
            raise InputError("all pairs have one label: there is nothing to tell apart")
        self.rcor: Ints = np.array(
            [
                int((self.scale.rcor[at] if pair.rcor is None else pair.rcor) == DESCRIBED)
                for pair, at in zip(pairs, self.labels, strict=True)
            ]
        )
        self.kimp: Ints = np.array(
            [
                (self.scale.kimp[at] or UNIMPORTANT) if pair.kimp is None else pair.kimp
                for pair, at in zip(pairs, self.labels, strict=True)
            ]
        )


def scale_named(name: str) -> Scale:
    return SCALES[name]


graders: Registry[Grader] = Registry(
    "grader",
    group="osler.graders",
    papers=True,
    builtin=(
        "osler.grade.methods.rule",
        "osler.grade.methods.about",
        "osler.grade.methods.evidence",
        "osler.grade.methods.hicapsrkl",
    ),
)
