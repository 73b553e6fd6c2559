"""What a matcher is, what it works with, and how matchers are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from osler.errors import MissingModel
from osler.kinds import Pair, Reason
from osler.match.texts import Texts
from osler.registry import Registry

if TYPE_CHECKING:
    from osler.match.known import Known
    from osler.text.encoder import Encoder
    from osler.text.word_vectors import WordVectors

Floats = NDArray[np.float64]
Progress = Callable[[str], None]
State = tuple[dict[str, Any], dict[str, Any]]
"""Arrays and plain data: what a trained matcher is saved as."""


class Candidate(msgspec.Struct, frozen=True):
    """An answer that may be the one: its id, its text, and, where it is one of a collection's
    pairs, the question that it was given to."""

    id: str
    text: str
    question: str = ""


@dataclass
class Sources:
    """What matchers draw on beside the texts: how texts are cut, the graph, an encoder, vectors.

    ``load_encoder`` is asked when an encoder is first needed; it may have none to give. ``beside``
    gives those that read what the first does not, such as Chinese.
    ``vectors`` are word vectors that trainings begin with; without them each makes its own.
    ``images`` are visual features of entities by id. ``features`` and ``warm`` keep what one
    training of graph embeddings made for the next.
    """

    texts: Texts = field(default_factory=Texts)
    known: Known | None = None
    load_encoder: Callable[[], Encoder | None] | None = None
    beside: Callable[[], Sequence[Encoder]] | None = None
    vectors: WordVectors | None = None
    images: dict[str, Any] = field(default_factory=dict)
    features: Any = None
    warm: dict[tuple[str, int, int], Any] = field(default_factory=dict)

    def encoders(self) -> Iterator[Encoder]:
        """The encoder, then those beside it; none is loaded before it is come to."""
        first = self.load_encoder() if self.load_encoder is not None else None
        if first is not None:
            yield first
        if self.beside is not None:
            yield from self.beside()


class Matcher(ABC):
    """Scores candidate answers to a question; higher is better.

    One that ``learns`` must be fitted (or restored) before it scores. Others can be fitted too,
    which gives them statistics of a collection instead of those of the candidates alone.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    learns: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset()
    """What it takes of ``Sources`` beside texts and graph: ``vectors`` (of words, made for it where
    there are none), ``images``."""
    trial: ClassVar[Mapping[str, Any]] = {}
    """Options with which it learns in a moment: what contract tests make it with."""

    def __init__(self, sources: Sources | None = None, *, seed: int = 0) -> None:
        self.sources = sources or Sources()
        self.seed = seed
        self.measures: dict[str, float] = {}
        """What the training measured, for the model's card."""

    @abstractmethod
    def scores(self, question: str, candidates: Sequence[Candidate]) -> Floats:
        """A score a candidate, in their order."""

    def explain(self, question: str, candidate: Candidate) -> tuple[Reason, ...]:
        """What carried the candidate's score; nothing where a method cannot say."""
        return ()

    def fit(self, pairs: Sequence[Pair], *, progress: Progress | None = None) -> Self:
        """Learn from questions with their answers; returns itself."""
        return self

    def state(self) -> State:
        """Arrays and settings that :meth:`restore` makes the fitted matcher from."""
        return {}, {}

    def restore(self, tensors: Mapping[str, Any], config: Mapping[str, Any]) -> Self:
        """Take up what :meth:`state` gave."""
        return self


def untrained(name: str) -> MissingModel:
    return MissingModel(
        f"the matcher {name!r} is not trained",
        cure=f"osler train match LIB --pairs FILE --method {name}",
    )


matchers: Registry[Matcher] = Registry(
    "matcher",
    group="osler.matchers",
    papers=True,
    builtin=(
        "osler.match.default",
        "osler.match.mkhan",
        "osler.match.bm25",
        "osler.match.bm25_bigrams",
    ),
)
