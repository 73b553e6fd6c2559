"""Training a grader with its card: cross-validated first, then learned from all pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from osler.errors import InputError
from osler.grade.calibrate import grouped_folds
from osler.grade.grader import Floats, Grader, Progress, Targets
from osler.grade.pair import Pair
from osler.learn.card import Card, Measured, data_hash, versions
from osler.measures.calibration import expected_calibration_error
from osler.measures.classification import accuracy, precision_recall_f1
from osler.measures.intervals import resampled_interval

FOLDS = 5
LEAST = 10
SAMPLES = 1_000


def cross_validated(
    make: Callable[[], Grader],
    pairs: Sequence[Pair],
    *,
    folds: int = FOLDS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Floats:
    """Probabilities of each pair from a grader that saw neither its fact nor its paper."""
    targets = Targets(pairs)
    probabilities = np.full((len(pairs), len(targets.scale.labels)), 1 / len(targets.scale.labels))
    for number, (train, test) in enumerate(grouped_folds(pairs, folds=folds, seed=seed), 1):
        grader = make().fit([pairs[row] for row in train], seed=seed)
        if grader.scale is not targets.scale:
            raise InputError(
                "a label is too rare: some folds have none of it", cure="label more pairs of it"
            )
        probabilities[test] = grader.probabilities([pairs[row] for row in test])
        if progress is not None:
            progress(f"fold {number} of {folds}")
    return probabilities


def measured(pairs: Sequence[Pair], probabilities: Floats, *, on: str) -> tuple[Measured, ...]:
    """Micro- and macro-F1 with intervals over resampled pairs, and the calibration error."""
    targets = Targets(pairs)
    gold = targets.labels
    called = probabilities.argmax(1)
    count = len(targets.scale.labels)
    micro = resampled_interval(
        len(gold), lambda i: accuracy(gold[i].tolist(), called[i].tolist()), samples=SAMPLES
    )
    macro = resampled_interval(
        len(gold),
        lambda i: (
            precision_recall_f1(gold[i].tolist(), called[i].tolist(), labels=list(range(count))).f1
        ),
        samples=SAMPLES,
    )
    error = expected_calibration_error(
        np.clip(probabilities.max(1), 0, 1), (called == gold).astype(np.int64)
    )
    return (
        Measured("micro-F1", micro.value, micro.low, micro.high, on),
        Measured("macro-F1", macro.value, macro.low, macro.high, on),
        Measured("calibration error", error, on=on),
    )


def train_grader(
    make: Callable[[], Grader],
    pairs: Sequence[Pair],
    *,
    data: str,
    seed: int = 0,
    validate: bool = True,
    progress: Progress | None = None,
) -> tuple[Grader, Card]:
    """The grader learned from all pairs, and its card."""
    targets = Targets(pairs)
    if len(pairs) < LEAST:
        raise InputError(
            f"{len(pairs)} labelled pairs are too few to learn from", cure=f"give {LEAST} or more"
        )
    measures: tuple[Measured, ...] = ()
    if validate:
        held = cross_validated(make, pairs, seed=seed, progress=progress)
        on = f"{len(pairs):,} pairs in {FOLDS} folds, no fact or paper in two"
        measures = measured(pairs, held, on=on)
    grader = make().fit(pairs, seed=seed, progress=progress)
    counts = np.bincount(targets.labels, minlength=len(targets.scale.labels))
    card = Card(
        name=f"grade: {grader.name}",
        what="Grades how relevant a paper is to a fact (head, relation, tail).",
        method=grader.help,
        data=data,
        data_hash=data_hash(f"{pair.label} {pair.fact.text} {pair.text}" for pair in pairs),
        seed=seed,
        measures=measures,
        settings={
            "scale": targets.scale.name,
            "pairs by label": dict(zip(targets.scale.labels, counts.tolist(), strict=True)),
        },
        versions=versions(),
        intended_use="Putting papers in order for a curator, who reads the sentence shown.",
        known_failures=(
            "It reads titles and abstracts only; a fact told in the full text is missed.",
            "A sentence that denies the fact is graded like one that states it.",
        ),
    )
    return grader, card
