"""Measures of a classification: accuracy, precision, recall, F1, the confusion matrix.

A class that nothing was predicted as has precision 0; one that nothing belongs to has recall 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from osler.errors import ChoiceError, InputError

Average = Literal["macro", "micro", "weighted"]


class Scores(msgspec.Struct, frozen=True):
    """Precision, recall and F1; ``support`` counts the gold cases behind them."""

    precision: float
    recall: float
    f1: float
    support: int


class Confusion(msgspec.Struct, frozen=True):
    """``counts[i, j]``: cases of class ``labels[i]`` that were called ``labels[j]``."""

    labels: tuple[Any, ...]
    counts: NDArray[np.int64]


def accuracy(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """The share of cases called by their class."""
    _check(gold, predicted)
    return sum(a == b for a, b in zip(gold, predicted, strict=True)) / len(gold)


def confusion(
    gold: Sequence[Hashable],
    predicted: Sequence[Hashable],
    *,
    labels: Sequence[Hashable] | None = None,
) -> Confusion:
    """The confusion matrix over ``labels``, or over all classes that occur, sorted."""
    _check(gold, predicted)
    listed = _labels(gold, predicted, labels)
    place = {label: i for i, label in enumerate(listed)}
    counts = np.zeros((len(listed), len(listed)), dtype=np.int64)
    for a, b in zip(gold, predicted, strict=True):
        try:
            counts[place[a], place[b]] += 1
        except KeyError as error:
            raise InputError(f"the class {error.args[0]!r} is none of the labels") from None
    return Confusion(listed, counts)


def per_class(
    gold: Sequence[Hashable],
    predicted: Sequence[Hashable],
    *,
    labels: Sequence[Hashable] | None = None,
) -> dict[Any, Scores]:
    """Precision, recall and F1 of each class against the rest."""
    matrix = confusion(gold, predicted, labels=labels)
    hits = np.diag(matrix.counts)
    called = matrix.counts.sum(axis=0)
    true = matrix.counts.sum(axis=1)
    return {
        label: _scores(int(hits[i]), int(called[i]), int(true[i]))
        for i, label in enumerate(matrix.labels)
    }


def precision_recall_f1(
    gold: Sequence[Hashable],
    predicted: Sequence[Hashable],
    *,
    average: Average = "macro",
    labels: Sequence[Hashable] | None = None,
    positive: Hashable | None = None,
) -> Scores:
    """Averaged over classes, or of the one class ``positive``.

    ``macro``: the plain mean of the classes' values (F1 too: the mean of F1s, not the F1 of
    means). ``weighted``: by support. ``micro``: from pooled counts; with all classes in it, each
    of the three is the accuracy. Macro runs over the classes that occur, so give ``labels`` if a
    class of the task may be absent.
    """
    by_class = per_class(gold, predicted, labels=labels)
    if positive is not None:
        if positive not in by_class:
            # The class neither occurs nor was predicted: nothing to find, nothing found.
            return Scores(0.0, 0.0, 0.0, 0)
        return by_class[positive]
    support = sum(scores.support for scores in by_class.values())
    if average == "micro":
        matrix = confusion(gold, predicted, labels=labels)
        return _scores(int(np.trace(matrix.counts)), int(matrix.counts.sum()), support)
    if average == "macro":
        weights = np.full(len(by_class), 1 / len(by_class))
    elif average == "weighted":
        weights = np.array([scores.support for scores in by_class.values()]) / support
    else:
        raise ChoiceError("average", average, ("macro", "micro", "weighted"))
    table = np.array([(s.precision, s.recall, s.f1) for s in by_class.values()])
    precision, recall, f1 = (float(value) for value in weights @ table)
    return Scores(precision, recall, f1, support)


def _scores(hits: int, called: int, true: int) -> Scores:
    precision = hits / called if called else 0.0
    recall = hits / true if true else 0.0
    f1 = 2 * hits / (called + true) if called + true else 0.0
    return Scores(precision, recall, f1, true)


def _labels(
    gold: Sequence[Hashable], predicted: Sequence[Hashable], labels: Sequence[Hashable] | None
) -> tuple[Hashable, ...]:
    if labels is not None:
        listed = tuple(labels)
        if len(set(listed)) != len(listed):
            raise InputError("a label is given twice")
        return listed
    present = {*gold, *predicted}
    try:
        return tuple(sorted(present))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(present, key=lambda label: (type(label).__name__, str(label))))


def _check(gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> None:
    if len(gold) != len(predicted):
        raise InputError(f"there are {len(gold)} gold classes and {len(predicted)} predicted ones")
    if not len(gold):
        raise InputError("there is no case to measure")
