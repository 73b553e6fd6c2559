"""What a ranker of sentences is, and how such rankers are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from osler.errors import InputError
from osler.kinds import Document
from osler.rank.pool import Floats
from osler.rank.topic import Topic
from osler.registry import Registry
from osler.text.sentences import sentences
from osler.text.tokens import terms

Progress = Callable[[str], None]
Split = Callable[[str], list[tuple[int, int]]]


class Abstract:
    """A paper as its title and its sentences, for one topic.

    ``spans`` are places in ``Document.text``; ``relevant`` marks the sentences that a person chose,
    empty where nobody did. ``vectors`` has a row a sentence, then one for the title, one for the
    whole paper and one for the topic; None where there is no encoder. ``split`` cuts the abstract:
    a data set may have been cut by other rules than ours.
    """

    def __init__(
        self,
        document: Document,
        topic: Topic,
        *,
        relevant: Iterable[str] = (),
        vectors: npt.NDArray[Any] | None = None,
        split: Split = sentences,
    ) -> None:
        self.document = document
        self.topic = topic
        self.vectors = vectors
        offset = len(document.title) + 1
        self.spans = [(s + offset, e + offset) for s, e in split(document.abstract)]
        self.sentences = [document.text[start:end] for start, end in self.spans]
        self.chosen = tuple(text.strip() for text in relevant)

    def __len__(self) -> int:
        return len(self.sentences)

    @cached_property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """Which sentences were chosen. A choice that was cut otherwise than ours (after "e.g.")
        marks the sentence that holds it, or that it holds."""
        marks = [
            any(sentence == gold or _within(sentence, gold) for gold in self.chosen)
            for sentence in self.sentences
        ]
        return np.array(marks, dtype=bool)

    @cached_property
    def terms(self) -> list[list[str]]:
        return [terms(sentence) for sentence in self.sentences]

    @cached_property
    def title_terms(self) -> list[str]:
        return terms(self.document.title)

    def texts(self) -> list[str]:
        """The texts whose vectors ``vectors`` holds, in its order."""
        return [*self.sentences, self.document.title, self.document.text, self.topic.text]


def _within(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return len(short) > 20 and short in long


class SentenceRanker(ABC):
    """Scores the sentences of one paper for a topic; higher is more relevant."""

    name: ClassVar[str]
    help: ClassVar[str]
    learns: ClassVar[bool] = True
    trial: ClassVar[Mapping[str, Any]] = {}
    """Options with which it learns in a moment: what contract tests make it with."""
    uses_vectors: ClassVar[bool] = False

    @abstractmethod
    def fit(self, abstracts: Sequence[Abstract], *, progress: Progress | None = None) -> Self:
        """Learn from papers with chosen sentences; without labels, take statistics alone."""

    @abstractmethod
    def scores(self, abstract: Abstract) -> Floats:
        """One number a sentence."""

    def probabilities(self, abstract: Abstract) -> Floats | None:
        """How probably each sentence is relevant; None where the method cannot say."""
        return None

    def best(self, abstract: Abstract) -> int | None:
        """The number of the most relevant sentence, the first of equals; None without sentences."""
        if not len(abstract):
            return None
        return int(np.argmax(self.scores(abstract)))

    @abstractmethod
    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Tensors and plain settings that :meth:`restore` makes the trained ranker from."""

    @classmethod
    @abstractmethod
    def restore(cls, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        """The trained ranker again."""


sentence_rankers: Registry[SentenceRanker] = Registry(
    "sentence ranker",
    group="osler.sentence_rankers",
    builtin=(
        "osler.rank.sentences.hybrid",
        "osler.rank.sentences.bm25_extra",
        "osler.rank.sentences.unsupervised",
        "osler.rank.sentences.supervised",
        "osler.rank.sentences.siamese",
        "osler.rank.sentences.votes",
    ),
)


def check_fit(abstracts: Sequence[Abstract]) -> list[Abstract]:
    """The papers that have a chosen sentence; an error where there is none."""
    usable = [abstract for abstract in abstracts if len(abstract) and abstract.relevant.any()]
    if not usable:
        raise InputError(
            "no labelled paper names a relevant sentence that stands in its abstract",
            cure="add a column 'sentence' to the labels, or take --sentences bm25-extra",
        )
    return usable
