"""Triple classification: is a triple true? By a threshold on its energy, one a relation.

Socher et al. 2013, and Table 5 of seed 001: half of the test triples are real, half are fake (a
head or tail replaced). Each relation's threshold is the one that is right most often on validation
triples and their fakes; the accuracies of the relations are then averaged, with their deviation and
the best of them.

Fakes replace an end by an entity that stands on the same side of the same relation elsewhere
(``typed``), so that a disease is never mistaken for a department: the harder test. Fakes are never
true triples.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError
from osler.knowledge.embeddings.embeddings import Embeddings
from osler.knowledge.embeddings.negatives import Corruptor, Known
from osler.knowledge.embeddings.triples import Ints

LEAST = 5
"""Test triples that a relation needs to be counted."""


class Classification(msgspec.Struct, frozen=True, kw_only=True):
    """Accuracy over relations (mean, deviation, best), over all triples, and of each relation."""

    mean: float
    deviation: float
    best: float
    overall: float
    relations: dict[str, float]
    counts: dict[str, int]


def classify_triples(
    embeddings: Embeddings,
    valid: Ints,
    test: Ints,
    *,
    known: Sequence[Ints] = (),
    typed: bool = True,
    least: int = LEAST,
    seed: int = 0,
) -> Classification:
    """Learn thresholds on ``valid``, measure on ``test``; ``known`` are all other true triples."""
    fakes_valid, fakes_test = make_fakes(
        embeddings, valid, test, known=known, typed=typed, seed=seed
    )
    limits = thresholds(
        len(embeddings.relation_names),
        valid[:, 1],
        _energies(embeddings, valid),
        fakes_valid[:, 1],
        _energies(embeddings, fakes_valid),
    )
    right = np.concatenate(
        [
            _energies(embeddings, test) <= limits[test[:, 1]],
            _energies(embeddings, fakes_test) > limits[fakes_test[:, 1]],
        ]
    )
    kinds = np.concatenate([test[:, 1], fakes_test[:, 1]])
    reals = np.bincount(test[:, 1], minlength=len(embeddings.relation_names))
    accuracies = {
        name: float(right[kinds == number].mean())
        for number, name in enumerate(embeddings.relation_names)
        if reals[number] >= least
    }
    if not accuracies:
        raise InputError(
            f"no relation has {least} test triples", cure="hold out more, or lower the least"
        )
    values = np.array(list(accuracies.values()))
    return Classification(
        mean=float(values.mean()),
        deviation=float(values.std()),
        best=float(values.max()),
        overall=float(right.mean()),
        relations=accuracies,
        counts={name: int(reals[embeddings.relation(name)]) for name in accuracies},
    )


def make_fakes(
    embeddings: Embeddings,
    valid: Ints,
    test: Ints,
    *,
    known: Sequence[Ints],
    typed: bool,
    seed: int,
) -> tuple[Ints, Ints]:
    """One fake a triple; heads and tails are replaced in turn. The same seed gives every method
    the same fakes."""
    if not len(valid) or not len(test):
        raise InputError(
            "there are no validation or no test triples: thresholds need both",
            cure="hold out more triples",
        )
    parts = [*known, valid, test]
    entities, relations = len(embeddings.entity_ids), len(embeddings.relation_names)
    corruptor = Corruptor(
        np.concatenate(parts),
        entities,
        relations,
        known=Known(parts, entities, relations),
        typed=typed,
    )
    rng = np.random.default_rng(seed)
    return _fake(corruptor, valid, rng), _fake(corruptor, test, rng)


def _fake(corruptor: Corruptor, rows: Ints, rng: np.random.Generator) -> Ints:
    corrupted = rows.copy()
    other = corruptor.corrupt(rows, 1, rng, tails=True)[:, 0]
    first = corruptor.corrupt(rows, 1, rng, tails=False)[:, 0]
    tails = rng.permutation(len(rows)) % 2 == 0
    # Where one side has no other entity to offer (a relation with one tail), the other side has.
    known = corruptor.known
    assert known is not None
    bad_tail = known.holds(rows[:, 0], rows[:, 1], other)
    bad_head = known.holds(first, rows[:, 1], rows[:, 2])
    tails = np.where(bad_tail & ~bad_head, False, np.where(bad_head & ~bad_tail, True, tails))
    corrupted[tails, 2] = other[tails]
    corrupted[~tails, 0] = first[~tails]
    return corrupted[~np.where(tails, bad_tail, bad_head)]


def thresholds(
    relations: int,
    real_kinds: Ints,
    real: NDArray[np.float32],
    fake_kinds: Ints,
    fake: NDArray[np.float32],
) -> NDArray[np.float64]:
    """For each relation the energy that tells its real triples best from its fakes; for a relation
    without validation triples, that of all together."""
    by_relation = np.full(relations, _best(real, fake))
    for kind in range(relations):
        own = real[real_kinds == kind]
        if len(own):
            by_relation[kind] = _best(own, fake[fake_kinds == kind])
    return by_relation


def _best(real: NDArray[np.float32], fake: NDArray[np.float32]) -> float:
    energies = np.concatenate([real, fake]).astype(np.float64)
    labels = np.concatenate([np.ones(len(real)), -np.ones(len(fake))])
    order = np.argsort(energies, kind="stable")
    sorted_energies = energies[order]
    # Right when all up to a place are called real: real ones so far, and fakes still to come.
    gains = np.concatenate([[0], np.cumsum(labels[order])])
    between = np.concatenate(
        [
            [sorted_energies[0] - 1e-6],
            (sorted_energies[1:] + sorted_energies[:-1]) / 2,
            [sorted_energies[-1] + 1e-6],
        ]
    )
    # A place inside a run of equal energies is none.
    inside = np.concatenate([[False], sorted_energies[1:] == sorted_energies[:-1], [False]])
    gains = np.where(inside, -np.inf, gains)
    best = np.flatnonzero(gains == gains.max())
    return float(between[best[len(best) // 2]])


def _energies(embeddings: Embeddings, rows: Ints) -> NDArray[np.float32]:
    return embeddings.energy(rows[:, 0], rows[:, 1], rows[:, 2])
