"""The embedded engine: tantivy for words and passages, a memory-mapped matrix for vectors."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from osler.errors import DamageError
from osler.kinds import Document
from osler.kinds.query import Filter, Node
from osler.store.compile import plain_text_only
from osler.store.derived import Manifest, Scored
from osler.store.documents import Change
from osler.store.engine import Floats, Purged, Rows
from osler.store.layout import Layout
from osler.store.passages import PassageIndex, ScoredPassage
from osler.store.vectors import STATE, Nearest, State, VectorIndex
from osler.store.words import WordIndex

VECTORS = "the vectors of "
"""How vectors are named; the encoder follows."""


class EmbeddedEngine:
    """One folder, no server."""

    name = "embedded"

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.mark_of: Callable[[int], str | None] = lambda seq: ""
        self._anew = False
        self._open()

    def _open(self) -> None:
        self.words = WordIndex(self.layout.words)
        self.passages = PassageIndex(self.layout.passages)
        self._vectors: dict[str, VectorIndex] = {}
        self._newer: dict[str, VectorIndex] = {}
        self._allowed: tuple[object, Rows] | None = None

    # -- the truth that this follows -------------------------------------------------------------

    mends = True

    def astray(self) -> dict[str, int]:
        """What was derived from another state of the truth than the one there is, each with the
        last change that it knows."""
        noted = {index.what: index.noted() for index in (self.words, self.passages)}
        for encoder in self._encoders():
            # Damage is told where it is met: here it is only asked what follows which truth.
            with contextlib.suppress(DamageError):
                index = self._index(encoder)
                if index is not None:
                    noted[f"{VECTORS}{encoder}"] = [(index.applied, index.state.mark)]
        return {
            what: max(applied for applied, _ in accounts)
            for what, accounts in noted.items()
            if any(self._unknown(applied, mark) for applied, mark in accounts)
        }

    def _unknown(self, applied: int, mark: str | None) -> bool:
        if not applied:
            return False
        held = self.mark_of(applied)
        return held is None or (mark is not None and mark != held)

    def _encoders(self) -> list[str]:
        """The encoders that there are vectors of."""
        if not self.layout.vectors.exists():
            return []
        return sorted(
            folder.name for folder in self.layout.vectors.iterdir() if (folder / STATE).exists()
        )

    # -- words and passages --------------------------------------------------------------------

    def applied(self) -> int:
        return 0 if self._anew else min(self.words.applied(), self.passages.applied())

    def settled(self) -> bool:
        return not self._anew and self.words.settled and self.passages.settled

    def apply(self, changes: Iterable[Change]) -> None:
        changes = list(changes)
        self.words.apply(changes)
        whole = [
            change
            for change in changes
            if not change.fresh or (change.document is not None and change.document.full_text)
        ]
        if whole:
            self.passages.apply(whole)

    def commit(self, applied: int) -> None:
        mark = self.mark_of(applied) or ""
        self.words.commit(applied, mark)
        self.passages.commit(applied, mark)
        self._allowed, self._anew = None, False

    def begin_anew(self) -> None:
        """From here on words and passages are made anew; the old ones answer until the next
        commit. Vectors follow with ``begin_vectors``."""
        for index in (self.words, self.passages):
            index.begin_anew()
        self._anew = True
        for encoder in self._encoders():
            # What is damaged is no old state worth seeing.
            try:
                held = self._index(encoder)
                damaged = held is not None and any(held.check())
            except DamageError:
                damaged = True
            if damaged:
                self.drop_vectors(encoder)

    def abandon(self) -> None:
        self._anew = False
        self._newer.clear()
        self.words.abandon()
        self.passages.abandon()

    def reload(self) -> None:
        self.words.reload()
        self.passages.reload()
        self._allowed = None
        for index in self._vectors.values():
            index.reload()

    def search_words(
        self,
        node: Node,
        k: int,
        filter: Filter | None = None,
        *,
        weights: dict[str, float] | None = None,
    ) -> Sequence[Scored]:
        return self.words.search(node, k, filter, weights=weights)

    def search_passages(self, node: Node, k: int) -> list[ScoredPassage]:
        if self.passages.size == 0 or not plain_text_only(node):
            return []
        return self.passages.search(node, k)

    def count(self, node: Node, filter: Filter | None = None) -> int:
        return self.words.count(node, filter)

    def facets(
        self, node: Node, fields: Sequence[str], most: int, filter: Filter | None = None
    ) -> dict[str, list[tuple[str, int]]]:
        return self.words.facets(node, fields, most, filter)

    def ordered(self, node: Node, by: str, k: int, filter: Filter | None = None) -> list[Scored]:
        return self.words.ordered(node, by, k, filter)

    def document_frequency(self, term: str, field: str | None = None) -> int:
        return self.words.document_frequency(term, (field,) if field else ("title", "abstract"))

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        return {term: self.document_frequency(term) for term in terms}

    def terms(self, beginning: str, most: int, lengths: range | None = None) -> list[str]:
        return self.words.terms(beginning, most, lengths)

    def average_length(self, field: str) -> float:
        return self.words.average_length(field)

    # -- vectors -------------------------------------------------------------------------------

    def _folder(self, encoder: str) -> Path:
        return self.layout.vectors / encoder

    def _index(self, encoder: str, dimension: int | None = None) -> VectorIndex | None:
        index = self._vectors.get(encoder)
        if index is None:
            if dimension is None:
                state = self._folder(encoder) / "state.json"
                if not state.exists():
                    return None
                dimension = _dimension(state)
            index = self._vectors[encoder] = VectorIndex(self._folder(encoder), dimension=dimension)
        return index

    def begin_vectors(self, encoder: str, dimension: int) -> None:
        """From here on vectors are made anew; the old ones answer until ``end_vectors``."""
        index = self._index(encoder, dimension)
        assert index is not None
        self._newer[encoder] = index.anew()

    def end_vectors(self, encoder: str) -> bool:
        """Put the new vectors in the old ones' place, if they go as far; whether they do."""
        newer, index = self._newer.pop(encoder), self._vectors[encoder]
        if newer.applied < max(1, index.applied):
            newer.drop()
            return not index.applied
        index.take_over(newer)
        return True

    def put_right(self, astray: Iterable[str]) -> None:
        """Drop what ``astray`` named, or begin it anew; the next commit ends that."""
        for what in astray:
            if what.startswith(VECTORS):
                self.drop_vectors(what.removeprefix(VECTORS))
        if {WordIndex.what, PassageIndex.what} & set(astray):
            self.begin_anew()

    def drop_vectors(self, encoder: str) -> None:
        """Forget the vectors of an encoder; the cache gives them back."""
        self._vectors.pop(encoder, None)
        VectorIndex.erase(self._folder(encoder))

    def vectors_applied(self, encoder: str, dimension: int) -> int:
        if encoder in self._newer:
            return self._newer[encoder].applied
        index = self._index(encoder, dimension)
        return index.applied if index is not None else 0

    def add_vectors(
        self,
        encoder: str,
        rows: Sequence[int],
        seqs: Sequence[int],
        vectors: Floats,
        *,
        applied: int,
        documents: Sequence[Document | None] | None = None,
    ) -> None:
        index = self._newer.get(encoder) or self._index(encoder, vectors.shape[1])
        if index is not None:
            mark = self.mark_of(applied) or ""
            index.append(rows, seqs, vectors, applied=applied, mark=mark)

    def search_vectors(
        self, encoder: str, vector: Floats, k: int, filter: Filter | None = None
    ) -> Nearest:
        index = self._index(encoder)
        if index is None:
            empty = np.zeros(0, np.int64)
            return Nearest(empty, empty, np.zeros(0, np.float32), 0.0, 0.0)
        return index.search(vector, k, self._rows_allowed(filter) if filter else None)

    def _rows_allowed(self, filter: Filter) -> Rows:
        # Paging through results asks the same filter again and again.
        if self._allowed is None or self._allowed[0] != filter:
            self._allowed = (filter, np.asarray(self.words.matching(filter), np.int64))
        return self._allowed[1]

    def vectors_of(self, encoder: str, rows: Sequence[int]) -> tuple[list[int], Floats]:
        index = self._index(encoder)
        if index is None:
            return [], np.zeros((0, 0), np.float32)
        return index.vectors_of(rows)

    def vector_count(self, encoder: str) -> int:
        index = self._index(encoder)
        if index is None:
            return 0
        index.reload()
        return index.size

    def purge(self, rows: Sequence[int], fetch: Callable[[list[int]], Iterable[Change]]) -> Purged:
        """Leave no word and no vector behind of what was deleted or replaced, nor a vector of
        ``rows``. ``fetch`` gives documents by row."""
        parts = self.words.purge(fetch) + self.passages.purge(fetch)
        vectors = 0
        for encoder in self._encoders():
            index = self._index(encoder)
            if index is not None:
                vectors += index.compact(without=rows)
        self._allowed = None
        return Purged(parts, vectors)

    # -- care ----------------------------------------------------------------------------------

    @staticmethod
    def check_files(layout: Layout) -> Iterator[str]:
        """What is damaged of indexes that do not open."""
        yield from Manifest(layout.words).check(WordIndex.what)
        yield from Manifest(layout.passages).check(PassageIndex.what)

    def check(self) -> Iterator[str]:
        yield from self.words.check()
        yield from self.passages.check()
        for encoder in self._encoders():
            index = self._index(encoder)
            if index is not None:
                yield from index.check()

    def erase(self) -> None:
        self.abandon()
        WordIndex.erase(self.layout.words)
        PassageIndex.erase(self.layout.passages)
        VectorIndex.erase(self.layout.vectors)
        self._open()

    def close(self) -> None:
        self.abandon()
        self._vectors.clear()


def _dimension(state: Path) -> int:
    try:
        return msgspec.json.decode(state.read_bytes(), type=State).dimension
    except (OSError, ValueError):
        raise DamageError("the vector index is damaged", cure="osler rebuild") from None
