"""Linear heads over named features: softmax regression, small enough to ship as JSON.

p(class | x) = softmax(W x + b). The weights minimise the log loss plus (L2) half the sum of
penalty * w**2. The penalty of a counted word is 1 / strength; that of a feature of the rules grows
with its variance, so that features are held back alike whatever their scale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import numpy.typing as npt

from osler.claims.trial import Features

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = npt.NDArray[np.float64]
NGRAM_SCALE = 0.4
"""What a counted word is worth beside a feature of the rules: there are many of them."""
SPREAD = 8.0
"""How strongly a feature of the rules with variance one is held back beside a counted word."""


class LinearHead(msgspec.Struct, frozen=True):
    """Classes, and for each feature its weights in their order."""

    classes: tuple[str, ...]
    weights: dict[str, tuple[float, ...]]

    def scores(self, features: Features) -> Floats:
        total = np.zeros(len(self.classes))
        for name, value in features.items():
            weight = self.weights.get(name)
            if weight is not None:
                total += scaled(name, value) * np.asarray(weight)
        return total

    def probabilities(self, features: Features) -> Floats:
        return softmax(self.scores(features))

    def reasons(self, features: Features, label: str, most: int = 5) -> list[tuple[str, float]]:
        """The features that carried a class, heaviest first."""
        at = self.classes.index(label)
        shares = [
            (name, scaled(name, value) * self.weights[name][at])
            for name, value in features.items()
            if name in self.weights and name != "bias"
        ]
        return sorted(shares, key=lambda one: (-one[1], one[0]))[:most]


def softmax(scores: Floats) -> Floats:
    """Scores as probabilities that sum to one."""
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum(), dtype=np.float64)


def scaled(name: str, value: float) -> float:
    return value * NGRAM_SCALE if name[1:2] == ":" else value


def fit(
    rows: Sequence[Features],
    labels: Sequence[str],
    classes: Sequence[str],
    *,
    strength: float = 0.1,
    balanced: float = 0.0,
    least: int = 3,
    most: int = 3_000,
    weights: Sequence[float] | None = None,
) -> LinearHead:
    """Learns a head. Features seen in fewer than ``least`` rows are left out; of the counted words
    the ``most`` heaviest stay. ``balanced`` between 0 and 1 makes rare classes count for more."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix

    seen = Counter(name for row in rows for name in row)
    names = sorted(name for name, count in seen.items() if count >= least)
    column = {name: at for at, name in enumerate(names)}
    places, columns, values = [], [], []
    for at, row in enumerate(rows):
        for name, value in row.items():
            if value and name in column:
                places.append(at)
                columns.append(column[name])
                values.append(scaled(name, value))
    matrix = csr_matrix((values, (places, columns)), (len(rows), len(names)))
    target = np.zeros((len(rows), len(classes)))
    target[np.arange(len(rows)), [list(classes).index(label) for label in labels]] = 1.0
    counts = target.sum(0).clip(1)
    share = (len(rows) / (len(classes) * counts)) ** balanced
    weight = target @ share * (1.0 if weights is None else np.asarray(weights))
    penalty = _variances(matrix) * SPREAD / strength
    penalty[[at for at, name in enumerate(names) if name[1:2] == ":"]] = 1.0 / strength
    if "bias" in column:
        penalty[column["bias"]] = 1e-6

    def loss(flat: Floats) -> tuple[float, Floats]:
        w = flat.reshape(len(names), len(classes))
        scores = matrix @ w
        scores -= scores.max(1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(1, keepdims=True))
        error = weight[:, None] * (np.exp(logs) - target)
        value = -(weight[:, None] * target * logs).sum() + 0.5 * (penalty[:, None] * w**2).sum()
        return float(value), (matrix.T @ error + penalty[:, None] * w).ravel()

    start = np.zeros(len(names) * len(classes))
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    learned = best.reshape(len(names), len(classes))
    return LinearHead(tuple(classes), _kept(names, learned, most))


def fit_telling(
    rows: Sequence[Features],
    labels: Sequence[str],
    classes: Sequence[str],
    *,
    strength: float = 0.1,
    balanced: float = 0.0,
    most: int = 3_000,
) -> LinearHead:
    """The same with counted words scaled by how far they tell the first two classes apart (Wang
    and Manning 2012): r = |log of the ratio of their shares|, root mean square one. The weights are
    scaled back, so that the head is used like any other."""
    shares = []
    for label in classes[:2]:
        counted = Counter(
            name
            for row, own in zip(rows, labels, strict=True)
            if own == label
            for name, value in row.items()
            if value and name[1:2] == ":"
        )
        shares.append(counted)
    names = sorted(set(shares[0]) | set(shares[1]))
    totals = [sum(one.values()) + len(names) for one in shares]
    telling = {
        name: abs(
            np.log((shares[0][name] + 1) / totals[0]) - np.log((shares[1][name] + 1) / totals[1])
        )
        for name in names
    }
    size = float(np.sqrt(np.mean(np.square(list(telling.values()))))) if telling else 1.0
    scale = {name: float(value) / max(size, 1e-9) for name, value in telling.items()}
    turned = [
        {
            name: value * scale.get(name, 0.0 if name[1:2] == ":" else 1.0)
            for name, value in r.items()
        }
        for r in rows
    ]
    head = fit(turned, labels, classes, strength=strength, balanced=balanced, most=most)
    back = {
        name: tuple(round(w * scale.get(name, 1.0), 3) for w in weights)
        for name, weights in head.weights.items()
    }
    return LinearHead(head.classes, back)


def mean_head(heads: Sequence[LinearHead]) -> LinearHead:
    """One head whose scores are the mean of those of several over the same classes."""
    names = sorted({name for head in heads for name in head.weights})
    none = (0.0,) * len(heads[0].classes)
    weights = {
        name: tuple(
            round(sum(values) / len(heads), 3)
            for values in zip(*(head.weights.get(name, none) for head in heads), strict=True)
        )
        for name in names
    }
    return LinearHead(heads[0].classes, weights)


def _variances(matrix: csr_matrix) -> Floats:
    """Of each column; never quite nothing, so that a constant stays held back too."""
    mean = np.asarray(matrix.mean(0)).ravel()
    squares = np.asarray(matrix.multiply(matrix).mean(0)).ravel()
    return np.asarray(squares - mean**2 + 1e-3 / SPREAD, dtype=np.float64)


def _kept(names: Sequence[str], learned: Floats, most: int) -> dict[str, tuple[float, ...]]:
    heavy = np.abs(learned).max(1)
    counted = sorted(
        (at for at, name in enumerate(names) if name[1:2] == ":"), key=lambda at: -heavy[at]
    )[:most]
    kept = {at for at, name in enumerate(names) if name[1:2] != ":"} | set(counted)
    return {names[at]: tuple(round(float(w), 3) for w in learned[at]) for at in sorted(kept)}
