"""Measures of sets against sets: linked concepts of a paper, answers of a question.

``gold`` and ``predicted`` map a case's id to a set. A case that ``predicted`` lacks has predicted
nothing; a case that ``gold`` lacks has nothing to find, so all that was predicted for it is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping

from osler.errors import InputError
from osler.measures.classification import Scores

Sets = Mapping[str, Collection[Hashable]]


def micro(gold: Sets, predicted: Sets) -> Scores:
    """Precision, recall and F1 over the pooled pairs (case, member)."""
    hits = called = true = 0
    for case in _cases(gold, predicted):
        wanted, got = set(gold.get(case, ())), set(predicted.get(case, ()))
        hits += len(wanted & got)
        called += len(got)
        true += len(wanted)
    precision = hits / called if called else 0.0
    recall = hits / true if true else 0.0
    return Scores(precision, recall, 2 * hits / (called + true) if called + true else 0.0, true)


def macro_f1(gold: Sets, predicted: Sets) -> float:
    """The mean of the cases' own F1 (seed 004's "Macro-F1"); nothing wanted, nothing given is 1."""
    values = per_case_f1(gold, predicted)
    return sum(values.values()) / len(values)


def per_case_f1(gold: Sets, predicted: Sets) -> dict[str, float]:
    """Each case's F1, sorted by id."""
    values = {}
    for case in _cases(gold, predicted):
        wanted, got = set(gold.get(case, ())), set(predicted.get(case, ()))
        size = len(wanted) + len(got)
        values[case] = 2 * len(wanted & got) / size if size else 1.0
    return values


def exact_match(gold: Sets, predicted: Sets) -> float:
    """The share of cases whose predicted set equals the gold set (seed 004's "accuracy")."""
    cases = _cases(gold, predicted)
    equal = sum(set(gold.get(case, ())) == set(predicted.get(case, ())) for case in cases)
    return equal / len(cases)


def _cases(gold: Sets, predicted: Sets) -> list[str]:
    cases = sorted({*gold, *predicted})
    if not cases:
        raise InputError("there is no case to measure")
    return cases
