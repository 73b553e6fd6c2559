"""What a ranker of papers is, and how rankers are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from osler.errors import InputError
from osler.kinds import Reason
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.topic import Topic
from osler.registry import Registry

Progress = Callable[[str], None]
State = tuple[dict[str, Any], dict[str, Any]]


class TopicRanker(ABC):
    """Learns topics from labelled papers and scores other papers for each of them.

    ``targets`` holds, for each paper of the pool, the number of the topic that it is relevant to,
    or ``len(topics)`` for a paper that is relevant to none. A ranker with ``learns`` False needs
    no labels: it takes statistics of the pool alone.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    learns: ClassVar[bool] = True
    draws: ClassVar[bool] = True
    """Whether papers that nobody marked are drawn as a background to learn from."""
    ordinal: ClassVar[bool] = False
    """Whether scores are an order and no probabilities."""
    trial: ClassVar[Mapping[str, Any]] = {}
    """Options with which it learns in a moment: what contract tests make it with."""

    topics: list[Topic]

    def read(self, pool: Pool) -> Self:
        """See all papers that are to be ranked, before it learns; most need not."""
        return self

    @abstractmethod
    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        """Learn from the pool; returns itself."""

    @abstractmethod
    def scores(self, pool: Pool) -> Floats:
        """A row a paper, a column a topic; higher is more relevant.

        Rankers that learn give probabilities: of each topic against all others and against none.
        """

    def reasons(self, pool: Pool, topic: int) -> list[tuple[Reason, ...]]:
        """For each paper of the pool, what carried its score; nothing where a method cannot say."""
        return [() for _ in range(len(pool))]

    @abstractmethod
    def state(self) -> State:
        """Tensors and plain settings that :meth:`restore` makes the trained ranker from."""

    @classmethod
    @abstractmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        """The trained ranker again."""


rankers: Registry[TopicRanker] = Registry(
    "ranker",
    group="osler.topic_rankers",
    papers=True,
    builtin=(
        "osler.rank.papers.elas",
        "osler.rank.papers.hybrid",
        "osler.rank.papers.about",
        "osler.rank.papers.docnade",
        "osler.rank.papers.sup_docnade",
        "osler.rank.papers.a_sup_docnade",
        "osler.rank.papers.bm25_extra",
        "osler.rank.papers.qar",
        "osler.rank.papers.bm25_extra_qar",
        "osler.rank.papers.two_step",
    ),
)


def check_fit(pool: Pool, targets: Ints, topics: Sequence[Topic], *, learns: bool = True) -> None:
    """Raise where a ranker cannot learn: no topics, a topic without a positive, nothing to tell
    the positives from."""
    if not topics:
        raise InputError("there is no topic to rank for")
    if len(targets) != len(pool):
        raise ValueError("there is one target a paper")
    if not learns:
        return
    counts = np.bincount(targets, minlength=len(topics) + 1)
    for topic, count in zip(topics, counts, strict=False):
        if count == 0:
            raise InputError(
                f"the topic {topic.id!r} has no relevant paper among the labels",
                cure="mark one, or rank by the topic's words alone: --method bm25-extra",
            )
    if np.count_nonzero(counts) < 2:
        raise InputError(
            "all labelled papers are relevant to the one topic: there is nothing to tell them from",
            cure="mark papers that are not relevant, or let Osler draw some from the library",
        )


def topics_to_data(topics: Sequence[Topic]) -> list[list[str]]:
    return [[topic.id, topic.name, topic.description] for topic in topics]


def topics_from_data(rows: Sequence[Sequence[str]]) -> list[Topic]:
    return [Topic(*row) for row in rows]
