"""How much of a question a terminology knows: the share of its words' weight that concepts cover.

A question that is a concept ("bladder disease") is well served by the papers that hold it. Of a
question whose point no terminology has ("unusual manifestations of CF other than lung disease"),
the concepts that are linked are what it happens to mention, and papers that hold them are not what
it asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from osler.retrieve.expansion import index_terms
from osler.text.bm25 import idf

STEEPNESS = 2.0
"""Concepts count by the covered share to this power: two thirds count for less than half."""


def coverage(
    text: str,
    named: Iterable[str],
    frequencies: Callable[[list[str]], Mapping[str, int]],
    total: int,
) -> float:
    """The share of a question that lies in the parts of it that name concepts, 0 to 1. Words weigh
    by their idf; stop words do not count."""
    words = index_terms(text)
    known = {term for part in named for term in index_terms(part)}
    frequent = frequencies(list(words))
    weights = {term: float(idf(frequent[term], total)) for term in words}
    whole = sum(weights.values())
    return sum(weights[term] for term in words if term in known) / whole if whole > 0 else 0.0


def trust(share: float) -> float:
    """What concepts count for, beside their full weight, where so much of a question is covered."""
    return float(share**STEEPNESS)
