"""RCor&KImp (appendix A.3): the grade read off two rules, by Table 1. It needs no training.

RCor: the fact is described where one sentence holds both entities, the surer the more words of
the relation stand in it. KImp: by the coverage of title, first sentence and keywords (appendix
A.4): both entities in all of them is the paper's subject, both in any of them a part of it.
The probabilities are the rounded shares with which each case bore out in the released sample
(``osler recipe run hicapsrkl`` prints their calibration error).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from osler.grade.features import features, names
from osler.grade.grader import Floats, Grader, Progress, State, graders, scale_named
from osler.grade.heat import counted_heats
from osler.grade.pair import Pair
from osler.grade.scale import PAPER, Scale, scale_of
from osler.kinds import Heat

_COLUMN = {name: place for place, name in enumerate(names())}
APART = 0.03
"""P(described) where no sentence holds both entities."""
IN_TITLE = 0.97
BY_CUES = (0.4, 0.8, 0.95)
"""P(described) of a sentence with both, by its number of cues: none, one, more."""
BARELY = (0.95, 0.04, 0.01)
PARTLY = (0.06, 0.9, 0.04)
TITLED = (0.02, 0.63, 0.35)
WHOLLY = (0.01, 0.29, 0.7)
"""P(KImp = 1, 2, 3): an entity in no part; both in some part; both in the title; both in all."""


@graders.register("rule")
class Rule(Grader):
    name = "rule"
    help = "RCor and KImp by rules, looked up in Table 1; needs no training"
    # People's labels are met better by the order alone: Table 3 of the recipe hicapsrkl.
    in_order = 0.0
    learns = False

    def __init__(self, *, scale: Scale = PAPER) -> None:
        self.scale = scale

    def fit(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        labels = [pair.label for pair in pairs if pair.label is not None]
        if labels:
            self.scale = scale_of(labels)
        return self

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        table = features(pairs)
        return self.scale.combined(described(table), importance(table))

    def heats(self, pair: Pair) -> tuple[Heat, ...]:
        return counted_heats(pair)

    def state(self) -> State:
        return {}, {"scale": self.scale.name}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        return cls(scale=scale_named(config["scale"]))


def described(table: Floats) -> Floats:
    """P(RCor positive) of each row of features."""
    together = (table[:, _COLUMN["fragment gap"]] == 0) | (table[:, _COLUMN["gap"]] == 0)
    cues = np.minimum(table[:, _COLUMN["fragment cues"]], 2).astype(np.int64)
    strength = np.array(BY_CUES)[cues]
    strength = np.where(
        table[:, _COLUMN["title both"]] > 0, np.maximum(strength, IN_TITLE), strength
    )
    return np.where(together, strength, APART)


def importance(table: Floats) -> Floats:
    """P(KImp = 1, 2, 3) of each row of features."""
    least = table[:, _COLUMN["coverage least"]].copy()
    # Without keywords two parts are all that can cover.
    least += (table[:, _COLUMN["keywords number"]] == 0) & (least >= 2)
    # A bare title cannot say that the fact is all that a paper is about.
    titled = table[:, _COLUMN["title both"]] > 0
    levels = np.tile(np.array(BARELY), (len(table), 1))
    levels[least >= 1] = PARTLY
    levels[titled] = TITLED
    levels[titled & (least >= 3)] = WHOLLY
    return levels


def levels(table: Floats) -> tuple[list[int], list[int]]:
    """The rules' own RCor (3, 2) and KImp (3, 2, 1) of each row: the automatic labels."""
    rcor = [3 if p >= 0.5 else 2 for p in described(table)]
    kimp = [int(row.argmax()) + 1 for row in importance(table)]
    return rcor, kimp
