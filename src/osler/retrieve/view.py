"""What a ranker sees of a library: its engine, its encoder, its knowledge, its decisions.

Everything heavy is fetched when it is first asked for: a search by words loads no encoder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from osler.errors import NeedsError
from osler.kinds.query import Filter, Node
from osler.retrieve.channel import Background, Candidates, Rows
from osler.store.decisions import Decisions
from osler.store.documents import Documents
from osler.store.engine import Engine

if TYPE_CHECKING:
    from osler.retrieve.concepts import Knowledge
    from osler.retrieve.known import KnownItems
    from osler.text.encoder import Encoder

T = TypeVar("T")


class Keep(Protocol):
    """``Library.keep`` as rankers see it: made once for each stamp."""

    def __call__(self, name: str, stamp: object, make: Callable[[], T]) -> T: ...


MIDDLE_PAGES, MIDDLE_PAGE, MIDDLE_DOUBT = 8, 250, 50
"""Documents that tell where a collection lies: so many runs of so many, evenly spread. The mean of
few says little: it is taken as if so many more had lain at zero."""

FULL_TEXT_WEIGHT = 0.5
"""What the best passage of a full text adds to a document's words score."""


@dataclass(frozen=True)
class Request:
    """One question as rankers get it. ``structured`` says that the query language was used: then
    the words decide what may be found at all, and other channels only order it."""

    text: str
    node: Node
    k: int
    depth: int
    filter: Filter | None = None
    structured: bool = False
    sort: str = ""
    """An order other than by relevance: ``date``, ``journal``, ``citations``."""
    known: KnownItems | None = None
    """Papers that the text names, which come first."""
    unknown: str = ""
    """An identifier that the text is, of a paper that is not here."""


@dataclass
class View:
    """A library as rankers see it."""

    engine: Engine
    documents: Documents
    decisions: Decisions
    load_encoder: Callable[[], Encoder]
    load_knowledge: Callable[[], Knowledge | None]
    notes: list[str] = field(default_factory=list)
    # Who answers a question, where a library has several encoders.
    choose_encoder: Callable[[str, int], Encoder] | None = None
    keep: Keep = field(default=lambda name, stamp, make: make())
    """Where a ranker keeps what is dear to make: on the library, under a stamp."""
    _encoded: tuple[tuple[str, str], npt.NDArray[np.float32]] | None = field(
        default=None, init=False, repr=False
    )

    def for_question(self, text: str) -> View:
        """The same library, with the encoder that answers this question: the one of its language,
        or what stands in for it until the documents have been read."""
        choose = self.choose_encoder
        if choose is None:
            return self
        total = self.total
        view = replace(self, load_encoder=lambda: choose(text, total), choose_encoder=None)
        for name in ("knowledge", "total"):
            if name in self.__dict__:
                view.__dict__[name] = self.__dict__[name]
        return view

    @cached_property
    def encoder(self) -> Encoder:
        return self.load_encoder()

    @cached_property
    def knowledge(self) -> Knowledge | None:
        """Graph, linker and concept postings; None in a library without a terminology."""
        return self.load_knowledge()

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    @cached_property
    def total(self) -> int:
        """How many documents there are."""
        return self.documents.count()

    def branch(self, heading: str) -> tuple[str, ...]:
        """Names and ids of a heading and all below it; empty where no terminology knows it."""
        return self.knowledge.branch(heading) if self.knowledge is not None else ()

    # -- the two channels that every ranker starts from -----------------------------------------

    def words(
        self,
        node: Node,
        k: int,
        filter: Filter | None = None,
        *,
        weights: dict[str, float] | None = None,
    ) -> Candidates:
        """BM25 over the fields, and over passages where documents have full text."""
        found = self.engine.search_words(node, k, filter, weights=weights)
        passages = self.engine.search_passages(node, k)
        if not passages:
            return Candidates.of((s.row, s.seq, s.score) for s in found).among(self.total)
        scores = {scored.row: (scored.seq, scored.score) for scored in found}
        for scored in passages:
            seq, score = scores.get(scored.row, (scored.seq, 0.0))
            if filter and not score:
                continue  # a filter speaks of documents: a passage alone cannot pass it
            scores[scored.row] = (seq, score + FULL_TEXT_WEIGHT * scored.score)
        return Candidates.of((row, seq, score) for row, (seq, score) in scores.items()).among(
            self.total
        )

    def encode(self, text: str) -> npt.NDArray[np.float32]:
        from osler.text.encoding import vectors_of_questions

        # The ranker asks, and who judges its list asks again.
        key = (self.encoder.fingerprint, text)
        if self._encoded is None or self._encoded[0] != key:
            self._encoded = (key, vectors_of_questions(self.encoder, [text])[0])
        return self._encoded[1]

    def vectors(
        self, vector: npt.NDArray[np.float32], k: int, filter: Filter | None = None
    ) -> Candidates:
        """The nearest documents by cosine."""
        found = self.engine.search_vectors(self.encoder.fingerprint, vector, k, filter)
        background = Background(found.mean, found.spread) if len(found.rows) else None
        return Candidates(found.rows, found.scores.astype(np.float64), found.seqs, background)

    def middle(self) -> npt.NDArray[np.float32]:
        """Where the documents' vectors lie on the whole. Many encoders give any two texts a high
        cosine; seen from here, texts that have nothing in common are at right angles."""
        encoder = self.encoder
        stamp = (encoder.fingerprint, self.engine.vector_count(encoder.fingerprint))
        return self.keep("middle", stamp, self._middle)

    def _middle(self) -> npt.NDArray[np.float32]:
        step = max(MIDDLE_PAGE, self.total // MIDDLE_PAGES)
        ids = [
            id
            for offset in range(0, self.total, step)
            for id in self.documents.page(offset=offset, limit=MIDDLE_PAGE)
        ]
        rows = sorted(self.documents.rows_of(ids).values())
        held, vectors = self.engine.vectors_of(self.encoder.fingerprint, rows)
        if not held:
            return np.zeros(self.encoder.dimension, np.float32)
        return np.asarray(vectors.sum(axis=0) / (len(held) + MIDDLE_DOUBT), np.float32)

    def has_vectors(self) -> bool:
        """Whether there are vectors to search by; where the encoder is missing there are none, and
        a note says so."""
        try:
            encoder = self.encoder
        except NeedsError as error:
            self.note(f"searched without vectors: {error.message}; {error.cure}")
            return False
        if self.engine.vector_count(encoder.fingerprint) > 0:
            return True
        self.note("the documents have no vectors yet: osler embed makes them")
        return False

    def without_vector(self, rows: Rows, found: Rows) -> npt.NDArray[np.bool_]:
        """Which rows have no vector yet; ``found`` are known to have one. Nothing is looked up
        where every document has one."""
        missing = np.zeros(len(rows), np.bool_)
        if self.engine.vector_count(self.encoder.fingerprint) >= self.total:
            return missing
        missing[:] = ~np.isin(rows, found)
        held, _ = self.engine.vectors_of(self.encoder.fingerprint, rows[missing].tolist())
        missing &= ~np.isin(rows, np.asarray(held, np.int64))
        return missing
