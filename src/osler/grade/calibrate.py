"""Probabilities that mean what they say: one temperature, learned on pairs held out in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from osler.grade.grader import Floats, Ints
from osler.grade.pair import Pair
from osler.learn.temperature import fit_temperature, softmax

LEAST_PROBABILITY = 1e-6


def sharpened(probabilities: Floats, temperature: float) -> Floats:
    """p^(1/T), normalised: T below 1 makes surer, above 1 less sure."""
    return softmax(_logits(probabilities) / temperature)


def best_temperature(probabilities: Floats, labels: Ints) -> float:
    """The temperature of least log loss."""
    return fit_temperature(_logits(probabilities), labels)


def _logits(probabilities: Floats) -> Floats:
    return np.log(np.clip(probabilities, LEAST_PROBABILITY, 1.0))


def held_out(
    pairs: Sequence[Pair],
    labels: Ints,
    columns: int,
    learn: Callable[[Ints], Callable[[Ints], Floats]],
    *,
    folds: int = 5,
    seed: int = 0,
) -> Floats:
    """Probabilities of each pair from a model that saw neither its fact nor its paper.

    ``learn(rows)`` trains on rows and gives a function from rows to probabilities.
    """
    probabilities = np.full((len(labels), columns), 1 / columns)
    for train, test in grouped_folds(pairs, folds=folds, seed=seed):
        if len(np.unique(labels[train])) > 1:
            probabilities[test] = learn(train)(test)
    return probabilities


def grouped_folds(
    pairs: Sequence[Pair], *, folds: int = 5, seed: int = 0
) -> Iterator[tuple[Ints, Ints]]:
    """(train, test) rows; pairs that share a fact or a paper, also by way of others, stay on one
    side."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    def keys(pair: Pair, row: int) -> tuple[str, str]:
        paper = pair.paper_id or pair.text
        return f"fact {pair.fact.text}", f"paper {paper}" if paper.strip() else f"row {row}"

    for row, pair in enumerate(pairs):
        fact, paper = keys(pair, row)
        parent[root(fact)] = root(paper)
    groups = [root(keys(pair, row)[0]) for row, pair in enumerate(pairs)]
    named = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(named))
    sizes = {name: groups.count(name) for name in named}
    # Large groups first, each to the fold that has least: folds of like size.
    fold_of: dict[str, int] = {}
    filled = [0] * folds
    for place in sorted(order.tolist(), key=lambda i: -sizes[named[i]]):
        fold = filled.index(min(filled))
        fold_of[named[place]] = fold
        filled[fold] += sizes[named[place]]
    folded = np.array([fold_of[group] for group in groups])
    for fold in range(folds):
        test = np.flatnonzero(folded == fold)
        if len(test) and len(test) < len(pairs):
            yield np.flatnonzero(folded != fold), test
