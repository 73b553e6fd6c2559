"""How far a reviewer has come: what the marks, in the order of reading, say of the rest."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from osler.rank.desk.recall import FoundSoFar, RecallModel, found_so_far
from osler.rank.desk.stopping import stop_allowed
from osler.rank.examples import same_topic
from osler.rank.labels import Label
from osler.rank.screening import stopping_p
from osler.rank.topic import Topic


class Reading(msgspec.Struct, frozen=True):
    """``p`` is the chance of what was read lately, were recall still below the target; ``stop``
    says that it is below the risk and that enough was found for a rule to be trusted."""

    so_far: FoundSoFar
    p: float
    stop: bool


def reading(
    labels: Sequence[Label],
    topic: Topic,
    total: int,
    *,
    known: Collection[str] | None = None,
    target: float = 0.95,
    confidence: float = 0.95,
    model: RecallModel | None = None,
) -> Reading | None:
    """Where a reviewer of ``total`` papers stands; None before papers are marked both ways.

    ``labels`` are in the order of reading; those of papers that are not ``known`` do not count.
    """
    marks: dict[str, bool] = {}
    for label in labels:
        if (known is None or label.document in known) and same_topic(label, topic):
            marks.setdefault(label.document, label.relevant)
    order = list(marks.values())
    if not any(order) or all(order):
        return None
    p = stopping_p(order, total, target=target)
    so_far = found_so_far(order, total, model=model)
    unread = total - len(order)
    return Reading(so_far, p, stop_allowed(so_far.found, p, unread=unread, risk=1 - confidence))
