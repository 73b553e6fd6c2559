"""How far a reviewer has come: marks in the order of reading, a ranker that has seen them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from osler.rank.examples import gather, same_topic
from osler.rank.labels import Label
from osler.rank.pool import Pool
from osler.rank.ranker import TopicRanker, rankers
from osler.rank.screening import Recall, may_stop, recall_so_far
from osler.rank.topic import Topic

# The share of the marks, the latest ones, on which expectations are checked.
CHECKED = 0.5


class Reading(msgspec.Struct, frozen=True):
    """``stop`` says that recall is at the target with the confidence asked for."""

    read: int
    total: int
    recall: Recall
    stop: bool


def reading(
    pool: Pool,
    topic: Topic,
    labels: Sequence[Label],
    *,
    method: str | TopicRanker = "hybrid",
    target: float = 0.95,
    confidence: float = 0.95,
) -> Reading | None:
    """Where a reviewer stands, or None with too few marks of either kind to say.

    ``labels`` are in the order of reading. A ranker that saw the earlier half of them says how many
    relevant papers it expected among the later half; one that saw all says how many are left.
    """
    held = set(pool.ids)
    marks: dict[str, bool] = {}
    for label in labels:
        if label.document in held and same_topic(label, topic):
            marks.setdefault(label.document, label.relevant)
    order = list(marks)
    found = sum(marks.values())
    if found < 4 or len(marks) - found < 4:
        return None
    places = {id: row for row, id in enumerate(pool.ids)}
    half = int(len(order) * CHECKED)
    observed, expected = None, None
    earlier = [Label(id, marks[id]) for id in order[:half]]
    relevant = sum(label.relevant for label in earlier)
    if 2 <= relevant <= len(earlier) - 2:
        later = [places[id] for id in order[half:]]
        expected = float(_probabilities(pool, topic, earlier, later, method).sum())
        observed = sum(marks[id] for id in order[half:])
    unread = [row for row, id in enumerate(pool.ids) if id not in marks]
    every = [Label(id, marks[id]) for id in order]
    rest = _probabilities(pool, topic, every, unread, method)
    recall = recall_so_far(found, rest, observed=observed, expected=expected)
    stop = may_stop([marks[id] for id in order], len(pool), target=target, confidence=confidence)
    return Reading(len(order), len(pool), recall, stop)


def _probabilities(
    pool: Pool,
    topic: Topic,
    labels: Sequence[Label],
    rows: Sequence[int],
    method: str | TopicRanker,
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    # Marks alone: papers drawn as a background would shift the probabilities.
    examples = gather(pool, labels, [topic], draw=0)
    ranker = rankers.resolve(method).fit(pool.take(examples.rows), examples.targets, [topic])
    return np.clip(ranker.scores(pool.take(rows))[:, 0], 0.0, 1.0)
