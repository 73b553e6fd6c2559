"""Majority votes of several sentence rankers: the ensembles of Table 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from osler.rank.pool import Floats
from osler.rank.sentence_ranker import Abstract, Progress, SentenceRanker, sentence_rankers

PAPER = ("bm25-extra", "unsupervised-1", "supervised")


@sentence_rankers.register("votes")
class Votes(SentenceRanker):
    """Each member votes for its best sentence. Equal votes are decided by the members' mean score,
    each member's scaled to [0, 1] within the paper. ``members`` are names or rankers; the default
    is the paper's best, {#1, #2, #4}."""

    name = "votes"
    help = "majority vote of bm25-extra, unsupervised-1 and supervised (or of any members)"
    trial: ClassVar[Mapping[str, Any]] = {"members": ("bm25-extra", "unsupervised-1", "hybrid")}

    def __init__(self, *, members: Sequence[str | SentenceRanker] = PAPER) -> None:
        self.members = [sentence_rankers.resolve(member) for member in members]

    def fit(self, abstracts: Sequence[Abstract], *, progress: Progress | None = None) -> Self:
        for member in self.members:
            member.fit(abstracts, progress=progress)
        return self

    def scores(self, abstract: Abstract) -> Floats:
        if not len(abstract):
            return np.zeros(0)
        return tally([member.scores(abstract) for member in self.members])

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tensors: dict[str, Any] = {}
        configs = []
        for number, member in enumerate(self.members):
            kept, config = member.state()
            tensors.update({f"{number}.{name}": value for name, value in kept.items()})
            configs.append([member.name, config])
        return tensors, {"members": configs}

    @classmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        members: list[str | SentenceRanker] = []
        for number, (name, kept) in enumerate(config["members"]):
            own = {
                key.removeprefix(f"{number}."): value
                for key, value in tensors.items()
                if key.startswith(f"{number}.")
            }
            members.append(sentence_rankers.get(name).restore(own, kept))
        return cls(members=members)


def tally(scores: Sequence[Floats]) -> Floats:
    """Votes for each sentence, with the mean scaled score as a fraction of a vote."""
    votes = np.zeros(len(scores[0]))
    scaled = np.zeros(len(scores[0]))
    for one in scores:
        votes[int(np.argmax(one))] += 1
        low, high = float(one.min()), float(one.max())
        if high > low:
            scaled += (one - low) / (high - low)
    return votes + 0.5 * scaled / len(scores)
