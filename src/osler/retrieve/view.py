"""What a ranker sees of a library: its engine, its encoder, its knowledge, its decisions.

Everything heavy is fetched when it is first asked for: a search by words loads no encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from osler.errors import NeedsError
from osler.kinds import Document
from osler.kinds.query import Exact, Filter, Node, Or
from osler.retrieve.channel import Background, Candidates, Fused, Rows, each_once
from osler.retrieve.kept_vectors import kept_vectors
from osler.retrieve.parse import plain
from osler.store.decisions import Decisions
from osler.store.derived import Scored, ScoredRows
from osler.store.documents import Documents
from osler.store.engine import Engine
from osler.store.vector_cache import text_key
from osler.text.encoding import vectors_of_questions

if TYPE_CHECKING:
    from osler.retrieve.concepts import Knowledge
    from osler.retrieve.known import KnownItems
    from osler.text.encoder import Encoder

T = TypeVar("T")

Best = tuple[int, str, float, int]
"""Row, id, score of a paper, and its place among the candidates."""


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
    # How many papers any encoder of the library has read.
    count_read: Callable[[], int] = field(default=lambda: 0)
    # Who answers a question, where a library has several encoders.
    choose_encoder: Callable[[str, int], Encoder] | None = None
    # Who has read papers that the encoder of a question (by its fingerprint) has not.
    choose_quick: Callable[[str, str], Encoder | None] | None = None
    speak: Callable[[Document], str] | None = None
    """The text that a document's vector stands for."""
    keep: Keep = field(default=lambda name, stamp, make: make())
    """Where a ranker keeps what is dear to make: on the library, under a stamp."""
    _read: dict[int, tuple[int, npt.NDArray[np.float32]]] = field(
        default_factory=dict, init=False, repr=False
    )
    _encoded: tuple[tuple[str, str], npt.NDArray[np.float32]] | None = field(
        default=None, init=False, repr=False
    )
    _papers: dict[int, Document] = field(default_factory=dict, init=False, repr=False)
    _nearest: tuple[tuple[object, ...], Candidates] | None = field(
        default=None, init=False, repr=False
    )
    _one_question: bool = field(default=False, init=False, repr=False)

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
        view._one_question = True
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

    def reads(self, text: str, *, otherwise: str) -> bool:
        """Whether the encoder knows a text's language; a note says what is done ``otherwise``. A
        text without letters (an identifier) is of no language, and nobody need be told."""
        if self.encoder.reads(text):
            return True
        if any(character.isalpha() for character in text):
            self.note(f"the encoder does not read this language: {otherwise}")
        return False

    @cached_property
    def total(self) -> int:
        """How many documents there are."""
        return self.documents.count()

    def papers(self, rows: Sequence[int]) -> dict[int, Document]:
        """Documents that are there, by row. Of one question each is read once: feedback, hits and
        verdict look at the same ones, and at one state of the truth."""
        if not self._one_question:
            return self.documents.by_rows(rows)
        missing = [row for row in rows if row not in self._papers]
        if missing:
            self._papers |= self.documents.by_rows(missing)
        return {row: self._papers[row] for row in rows if row in self._papers}

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
        hits = self.engine.search_words(node, k, filter, weights=weights)
        passages = self.engine.search_passages(node, k)
        if not passages:
            return _candidates(hits).among(self.total)
        scores = {scored.row: (scored.seq, scored.score) for scored in hits}
        for scored in passages:
            seq, score = scores.get(scored.row, (scored.seq, 0.0))
            if filter and not score:
                continue  # a filter speaks of documents: a passage alone cannot pass it
            scores[scored.row] = (seq, score + FULL_TEXT_WEIGHT * scored.score)
        return Candidates.of((row, seq, score) for row, (seq, score) in scores.items()).among(
            self.total
        )

    def best(self, fused: Fused, k: int) -> list[Best]:
        """The best k that the truth holds, ties by id."""
        order = fused.order()
        if len(order) > k:
            # All that tie with the k-th, and some to make up for what has been deleted since.
            least = fused.scores[order[k - 1]]
            cut = int(np.searchsorted(-fused.scores[order], -least, side="right"))
            order = order[: max(cut, k + 20)]
        rows = fused.rows[order].tolist()
        held = self.documents.current(rows)
        best = []
        for place, row, seq, score in zip(
            order.tolist(),
            rows,
            fused.seqs[order].tolist(),
            fused.scores[order].tolist(),
            strict=True,
        ):
            entry = held.get(row)
            # Deleted since, or indexed from a change newer than this snapshot.
            if entry is None or entry[1] < seq:
                continue
            best.append((row, entry[0], score, place))
        best.sort(key=lambda item: (-item[2], item[1]))
        return best[:k]

    def best_by_words(self, text: str, k: int) -> list[str]:
        """Ids of the best papers that hold any of a text's words: what jobs draw from."""
        matching = self.words(plain(text), k)
        scores = np.round(matching.scores, 6)
        fused = Fused(matching.rows, matching.seqs, scores, {}, {})
        return [id for _, id, _, _ in self.best(fused, k)]

    def reaching(self, node: Node, depth: int) -> Node:
        """A query that finds what ``words`` finds: papers whose full text alone matches are named
        by their ids, the best ``depth`` of them. Counts, facets and orders other than by relevance
        are made of the fields of papers, which hold no full text."""
        passages = self.engine.search_passages(node, depth)
        if not passages:
            return node
        held = self.documents.current([scored.row for scored in passages])
        return Or((node, Exact("id", tuple(sorted(id for id, _ in held.values())))))

    def encode(self, text: str) -> npt.NDArray[np.float32]:
        # The ranker asks, and who judges its list asks again.
        key = (self.encoder.fingerprint, text)
        if self._encoded is None or self._encoded[0] != key:
            self._encoded = (key, vectors_of_questions(self.encoder, [text])[0])
        return self._encoded[1]

    def vectors(
        self, vector: npt.NDArray[np.float32], k: int, filter: Filter | None = None
    ) -> Candidates:
        """The nearest documents by cosine."""
        # Who judges a list asks again for what its ranker began with.
        key = (self.encoder.fingerprint, vector.tobytes(), k, filter, len(self._read))
        if not self._one_question:
            return self._vectors(vector, k, filter)
        if self._nearest is None:
            self._nearest = (key, self._vectors(vector, k, filter))
        held, nearest = self._nearest
        return nearest if held == key else self._vectors(vector, k, filter)

    def _vectors(
        self, vector: npt.NDArray[np.float32], k: int, filter: Filter | None
    ) -> Candidates:
        nearest = self.engine.search_vectors(self.encoder.fingerprint, vector, k, filter)
        background = Background(nearest.mean, nearest.spread) if len(nearest.rows) else None
        scores = nearest.scores.astype(np.float64)
        near = Candidates(nearest.rows, scores, nearest.seqs, background)
        return self._with_read(near, vector, k, filter) if self._read else near

    def _with_read(
        self, near: Candidates, vector: npt.NDArray[np.float32], k: int, filter: Filter | None
    ) -> Candidates:
        """The nearest documents, with those that were read while the question waited."""
        rows = passing(list(self._read), filter, self) if filter else self._read
        new = [row for row in rows if row not in set(near.rows.tolist())]
        if not new:
            return near
        seqs, vectors = zip(*(self._read[row] for row in new), strict=True)
        scores = np.concatenate([near.scores, (np.stack(vectors) @ vector).astype(np.float64)])
        order = np.argsort(-scores, kind="stable")[:k]
        return Candidates(
            np.concatenate([near.rows, np.array(new, np.int64)])[order],
            scores[order],
            np.concatenate([near.seqs, np.array(seqs, np.int64)])[order],
            near.background,
        )

    def vectors_of(self, rows: Sequence[int]) -> tuple[list[int], npt.NDArray[np.float32]]:
        """Those of some rows that have a vector, in their order, and the vectors."""
        held, vectors = self.engine.vectors_of(self.encoder.fingerprint, list(rows))
        if not self._read:
            return held, vectors
        known = dict(zip(held, vectors, strict=True))
        known |= {row: vector for row, (_, vector) in self._read.items()}
        kept = [row for row in rows if row in known]
        return kept, np.array([known[row] for row in kept], np.float32).reshape(
            -1, self.encoder.dimension
        )

    def quickly(self, text: str, k: int, filter: Filter | None = None) -> Candidates:
        """The nearest documents by the table that has read what the encoder has not."""
        choose = self.choose_quick
        encoder = choose(text, self.encoder.fingerprint) if choose is not None else None
        if encoder is None:
            return Candidates.none()
        vector = vectors_of_questions(encoder, [text])[0]
        found = self.engine.search_vectors(encoder.fingerprint, vector, k, filter)
        background = Background(found.mean, found.spread) if len(found.rows) else None
        return Candidates(found.rows, found.scores.astype(np.float64), found.seqs, background)

    def read(self, rows: Sequence[int]) -> None:
        """Give some documents their vectors now; the library keeps them for ``embed``."""
        if self.speak is None or not len(rows):
            return
        wanted = [change for change in self.documents.at_rows(list(rows)) if change.document]
        texts = {change.row: self.speak(change.document) for change in wanted}  # type: ignore[arg-type]
        texts = {row: text for row, text in texts.items() if text and self.encoder.reads(text)}
        keys = {row: text_key(text) for row, text in texts.items()}
        known = kept_vectors(
            self.engine,
            self.encoder.fingerprint,
            {keys[row]: text for row, text in texts.items()},
            self.encoder.encode,
        )
        for change in wanted:
            if change.row in keys:
                self._read[change.row] = (change.seq, known[keys[change.row]])

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
        if self.count_read() > 0:
            self.note(
                f"no paper was read by {encoder.name}, which reads this question: words alone are "
                "compared (osler embed makes vectors of papers in its language)"
            )
        else:
            self.note("the documents have no vectors yet: osler embed makes them")
        return False

    def without_vector(self, rows: Rows, seen: Rows) -> npt.NDArray[np.bool_]:
        """Which rows, each given once, have no vector yet; ``seen`` are known to have one. Nothing
        is looked up where every document has one."""
        missing = np.zeros(len(rows), np.bool_)
        if self.engine.vector_count(self.encoder.fingerprint) >= self.total:
            return missing
        missing[:] = ~np.isin(rows, each_once(seen), assume_unique=True)
        held, _ = self.vectors_of(rows[missing].tolist())
        missing &= ~np.isin(rows, each_once(np.asarray(held, np.int64)), assume_unique=True)
        return missing


def _candidates(hits: Sequence[Scored]) -> Candidates:
    if not isinstance(hits, ScoredRows):
        return Candidates.of(hits)
    rows, seqs = np.array(hits.rows, np.int64), np.array(hits.seqs, np.int64)
    return Candidates(rows, np.array(hits.scores, np.float64), seqs)


def passing(rows: Sequence[int], filter: Filter, view: View) -> list[int]:
    """Which of some rows a filter lets through."""
    if not rows:
        return []
    ids = tuple(id for id, _ in view.documents.current(list(rows)).values())
    return [each.row for each in view.engine.search_words(Exact("id", ids), len(rows), filter)]
