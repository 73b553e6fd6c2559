"""Evidence: our own grader. Trees over what can be counted of a pair; beyond the paper.

Two forests predict RCor and KImp, whose product gives the labels by Table 1; a third predicts the
label itself; their mean is sharpened by one temperature learned on held-out pairs. A pair that
comes with fragments is learned from twice, once with those and once with fragments made here, so
that papers without given ones are graded as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from osler.grade.calibrate import best_temperature, held_out, sharpened
from osler.grade.features import features, names
from osler.grade.forest import Forest
from osler.grade.grader import (
    Floats,
    Grader,
    Ints,
    Progress,
    State,
    Targets,
    graders,
    scale_named,
)
from osler.grade.heat import counted_heats
from osler.grade.pair import Pair
from osler.grade.scale import KIMP_CLASSES
from osler.kinds import Heat

PARTS = ("label", "rcor", "kimp")


@graders.register("evidence")
class Evidence(Grader):
    name = "evidence"
    help = "trees over places, nearness and coverage of the two entities; ours"
    # People's labels are met better by the order alone: Table 3 of the recipe hicapsrkl.
    in_order = 0.0
    trial: ClassVar[Mapping[str, Any]] = {"trees": 12, "calibrate": False}

    def __init__(self, *, trees: int = 200, leaf: int = 2, calibrate: bool = True) -> None:
        self.trees = trees
        self.leaf = leaf
        self.calibrate = calibrate
        self.temperature = 1.0
        self.forests: dict[str, Forest] = {}

    @property
    def calibrated(self) -> bool:
        return self.calibrate

    def fit(
        self, pairs: Sequence[Pair], *, seed: int = 0, progress: Progress | None = None
    ) -> Self:
        targets = Targets(pairs)
        self.scale = targets.scale
        tables = [features(pairs)]
        if any(pair.rcor_text or pair.kimp_text for pair in pairs):
            bare = [replace(pair, rcor_text="", kimp_text="") for pair in pairs]
            tables.append(features(bare))

        def learn(rows: Ints, trees: int) -> dict[str, Forest]:
            table = np.concatenate([one[rows] for one in tables])
            return self._learn(table, targets, np.tile(rows, len(tables)), trees, seed)

        self.temperature = 1.0
        if self.calibrate:
            # A fifth of the trees is enough to tell how sure they are.
            fewer = max(20, self.trees // 5)
            held = held_out(
                pairs,
                targets.labels,
                len(self.scale.labels),
                lambda rows: self._predictor(learn(rows, fewer), tables[0]),
                seed=seed,
            )
            self.temperature = best_temperature(held, targets.labels)
        self.forests = learn(np.arange(len(pairs)), self.trees)
        return self

    def _learn(
        self, table: Floats, targets: Targets, rows: Ints, trees: int, seed: int
    ) -> dict[str, Forest]:
        options = {"trees": trees, "leaf": self.leaf, "seed": seed}
        learned = {
            "label": Forest.fit(table, targets.labels[rows], len(self.scale.labels), **options),
            "rcor": Forest.fit(table, targets.rcor[rows], 2, **options),
        }
        if len(np.unique(targets.kimp[rows])) > 1:
            learned["kimp"] = Forest.fit(table, targets.kimp[rows], KIMP_CLASSES, **options)
        return learned

    def _predictor(self, forests: Mapping[str, Forest], table: Floats) -> Any:
        return lambda rows: self._mixed(forests, table[rows])

    def _mixed(self, forests: Mapping[str, Forest], table: Floats) -> Floats:
        direct = forests["label"].probabilities(table)
        if "kimp" not in forests:
            return direct
        described = forests["rcor"].probabilities(table)[:, 1]
        importance = forests["kimp"].probabilities(table)
        return (direct + self.scale.combined(described, importance)) / 2

    def probabilities(self, pairs: Sequence[Pair]) -> Floats:
        return sharpened(self._mixed(self.forests, features(pairs)), self.temperature)

    def heats(self, pair: Pair) -> tuple[Heat, ...]:
        return counted_heats(pair)

    def state(self) -> State:
        tensors: dict[str, Any] = {}
        for part, forest in self.forests.items():
            tensors.update(forest.arrays(f"{part}."))
        config = {
            "scale": self.scale.name,
            "temperature": self.temperature,
            "trees": self.trees,
            "leaf": self.leaf,
            "parts": [part for part in PARTS if part in self.forests],
            "features": names(),
        }
        return tensors, config

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        grader = cls(trees=config["trees"], leaf=config["leaf"])
        grader.scale = scale_named(config["scale"])
        grader.temperature = float(config["temperature"])
        for part in config["parts"]:
            mark = f"{part}."
            grader.forests[part] = Forest(
                {
                    name.removeprefix(mark): np.asarray(value)
                    for name, value in tensors.items()
                    if name.startswith(mark)
                }
            )
        return grader
