"""A trained ranker used for one of its topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from osler.errors import ChoiceError
from osler.kinds import Reason
from osler.rank.pool import Floats, Ints, Pool
from osler.rank.ranker import Progress, TopicRanker
from osler.rank.topic import Topic


class Trained(TopicRanker):
    """Wraps a ranker of many topics: ``fit`` learns nothing, it picks the topic asked for."""

    name = "trained"
    help = "a trained model, for one of its topics"
    learns = False

    def __init__(self, inner: TopicRanker) -> None:
        self.inner = inner
        self.number = 0

    def fit(
        self,
        pool: Pool,
        targets: Ints,
        topics: Sequence[Topic],
        *,
        progress: Progress | None = None,
    ) -> Self:
        wanted = topics[0].words.casefold()
        names = [topic.words.casefold() for topic in self.inner.topics]
        if wanted not in names:
            raise ChoiceError(
                "topic of the model", topics[0].words, [t.id for t in self.inner.topics]
            )
        self.number = names.index(wanted)
        self.topics = [self.inner.topics[self.number]]
        return self

    def scores(self, pool: Pool) -> Floats:
        return self.inner.scores(pool)[:, self.number : self.number + 1]

    def reasons(self, pool: Pool, topic: int) -> list[tuple[Reason, ...]]:
        return self.inner.reasons(pool, self.number)

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.inner.state()

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        raise NotImplementedError("the inner ranker is what is kept")
