"""Extremely randomised trees as plain arrays: learned by scikit-learn, read by NumPy alone.

Geurts, Ernst, Wehenkel 2006. A saved model thus needs neither scikit-learn nor a pickle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from osler.learn import needs

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


class Forest:
    """Trees one after the other: ``left`` and ``right`` are places of children, -1 at a leaf."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.roots = np.asarray(arrays["roots"], np.int32)
        self.left = np.asarray(arrays["left"], np.int32)
        self.right = np.asarray(arrays["right"], np.int32)
        self.feature = np.asarray(arrays["feature"], np.int16)
        self.threshold = np.asarray(arrays["threshold"], np.float32)
        self.value = np.asarray(arrays["value"], np.float32)

    @classmethod
    def fit(
        cls, table: Floats, classes: Ints, count: int, *, trees: int, leaf: int, seed: int
    ) -> Self:
        """Learn classes 0 .. ``count`` - 1; a class that is not there gets probability 0."""
        ensemble = needs.sklearn("ensemble", "training this grader")
        model = ensemble.ExtraTreesClassifier(trees, min_samples_leaf=leaf, random_state=seed)
        model.fit(table.astype(np.float32), classes)
        parts: dict[str, list[Array]] = {name: [] for name in _COLUMNS}
        roots, at = [], 0
        for one in model.estimators_:
            tree = one.tree_
            leaves = tree.children_left < 0
            roots.append(at)
            parts["left"].append(np.where(leaves, -1, tree.children_left + at))
            parts["right"].append(np.where(leaves, -1, tree.children_right + at))
            parts["feature"].append(np.where(leaves, 0, tree.feature))
            parts["threshold"].append(tree.threshold)
            value = np.zeros((tree.node_count, count))
            shares = tree.value[:, 0, :]
            value[:, model.classes_] = shares / shares.sum(1, keepdims=True)
            parts["value"].append(value)
            at += tree.node_count
        joined = {name: np.concatenate(columns) for name, columns in parts.items()}
        return cls({"roots": np.array(roots), **joined})

    def probabilities(self, table: Floats) -> Floats:
        """The mean of the trees' leaves, all rows and trees stepping down at once."""
        rows = np.asarray(table, np.float32)
        at = np.tile(self.roots, (len(rows), 1))
        places = np.arange(len(rows))[:, None]
        while True:
            left = self.left[at]
            inner = left >= 0
            if not inner.any():
                break
            low = rows[places, self.feature[at]] <= self.threshold[at]
            at = np.where(inner, np.where(low, left, self.right[at]), at)
        return np.asarray(self.value[at].mean(1), dtype=np.float64)

    def arrays(self, prefix: str = "") -> dict[str, Array]:
        kept = {"roots": self.roots, **{name: getattr(self, name) for name in _COLUMNS}}
        return {f"{prefix}{name}": column for name, column in kept.items()}


_COLUMNS = ("left", "right", "feature", "threshold", "value")
