"""Reasons out of numbers: entity pairs, paths and mentions with names that people read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from osler.kinds import EntityPair, Mentions, Path, PathReason, Reason, Step
from osler.match.known import Known

Pair = tuple[int, int]
Walk = tuple[tuple[int, ...], tuple[int, ...]]
"""A path as numbers: its entities, and the labels of the edges between them."""


def pair_reasons(known: Known, pairs: Iterable[tuple[Pair, float]]) -> tuple[Reason, ...]:
    """Entity pairs with their weights, the heaviest first, ties by id."""
    reasons = []
    for (asked, answered), weight in pairs:
        ids = known.graph.id(asked), known.graph.id(answered)
        names = [known.graph.name(id) for id in ids]
        reasons.append(EntityPair(ids[0], ids[1], names[0], names[1], weight))
    reasons.sort(key=lambda pair: (-pair.weight, pair.question, pair.answer))
    return tuple(reasons)


def path_reasons(known: Known, walks: Sequence[tuple[Walk, float]]) -> tuple[Reason, ...]:
    """Paths with their weights, the heaviest first."""
    reasons = []
    for (entities, labels), weight in walks:
        ids = [known.graph.id(number) for number in entities]
        steps = tuple(
            Step(known.graph.relations[label >> 1], id, bool(label & 1))
            for label, id in zip(labels, ids[1:], strict=True)
        )
        names = {id: known.graph.name(id) for id in ids}
        reasons.append(PathReason(Path(ids[0], steps), weight, names))
    reasons.sort(key=lambda reason: (-reason.weight, reason.path.entities))
    return tuple(reasons)


def mention_reason(known: Known | None, text: str, where: str) -> Mentions:
    """Where a text names entities of the graph."""
    if known is None:
        return Mentions(where, ())
    spans = []
    for start, end, number in known.link(text).spans:
        id = known.graph.id(number)
        spans.append((start, end, id, known.graph.type(id)))
    return Mentions(where, tuple(spans))
