"""From labels to what rankers learn from: rows of a pool, each with its target."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from osler.errors import InputError
from osler.rank.labels import Label, check
from osler.rank.pool import Ints, Pool
from osler.rank.topic import Topic

# Papers drawn as not relevant where a person marked few such.
DRAWN = 300


class Examples(msgspec.Struct, kw_only=True):
    """``rows`` of the pool with their ``targets``; ``labelled`` counts those a person marked."""

    rows: Ints
    targets: Ints
    topics: list[Topic]
    labelled: int
    drawn: int = 0
    unknown: list[str] = []
    notes: list[str] = []


def same_topic(label: Label, topic: Topic) -> bool:
    """Whether a label speaks of the topic; one without a topic speaks of any."""
    given = label.topic.replace("_", " ").casefold()
    return not given or given in {topic.id.replace("_", " ").casefold(), topic.words.casefold()}


def gather(
    pool: Pool,
    labels: Sequence[Label],
    topics: Sequence[Topic],
    *,
    draw: int = DRAWN,
    seed: int = 0,
) -> Examples:
    """The labelled papers of a pool, and some drawn as a background where few are marked 0.

    With one topic, papers that are relevant to another one count as not relevant. Labels of papers
    that the pool does not hold are left out and named; it is an error if none is left.
    """
    check(labels)
    places = {id: row for row, id in enumerate(pool.ids)}
    none = len(topics)
    unknown = sorted({label.document for label in labels if label.document not in places})
    chosen: dict[tuple[int, int], None] = {}
    relevant: set[int] = set()
    rejected: dict[int, None] = {}
    for label in labels:
        row = places.get(label.document)
        if row is None:
            continue
        own = [number for number, topic in enumerate(topics) if same_topic(label, topic)]
        if label.relevant and own:
            chosen.update({(row, number): None for number in own})
            relevant.add(row)
        else:
            rejected[row] = None
    if labels and not chosen and not rejected:
        raise InputError(
            f"none of the {len(unknown)} labelled papers is in the library",
            cure="check that the ids are the library's: osler show LIB ID",
        )
    rows = [row for row, _ in chosen]
    targets = [number for _, number in chosen]
    negative = [row for row in rejected if row not in relevant]
    rows += negative
    targets += [none] * len(negative)
    labelled = len(rows)
    notes = []
    if unknown:
        shown = ", ".join(unknown[:5]) + (", ..." if len(unknown) > 5 else "")
        notes.append(f"{len(unknown)} labelled papers are not in the library: {shown}")
    background: list[int] = []
    if none == 1 and draw and len(negative) < max(20, len(chosen)):
        free = np.array([row for row in range(len(pool)) if row not in set(rows)], dtype=np.int64)
        rng = np.random.default_rng(seed)
        background = sorted(int(row) for row in rng.permutation(free)[:draw])
        if background:
            notes.append(
                f"{len(background)} unlabelled papers were drawn as not relevant: "
                "read the probabilities as an order, not as rates"
            )
    return Examples(
        rows=np.array(rows + background, dtype=np.int64),
        targets=np.array(targets + [none] * len(background), dtype=np.int64),
        topics=list(topics),
        labelled=labelled,
        drawn=len(background),
        unknown=unknown,
        notes=notes,
    )


def topics_of(labels: Sequence[Label]) -> list[Topic]:
    """The topics that labels name, in the order of the alphabet."""
    return [Topic(name) for name in sorted({label.topic for label in labels if label.topic})]
