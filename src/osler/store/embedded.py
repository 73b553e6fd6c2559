"""The embedded engine: tantivy for words and passages, a memory-mapped matrix for vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from osler.kinds import Document
from osler.kinds.query import Filter, Node
from osler.store.compile import plain_text_only
from osler.store.derived import Scored
from osler.store.documents import Change
from osler.store.engine import Floats, Rows
from osler.store.layout import Layout
from osler.store.manifest import Manifest
from osler.store.passages import PassageIndex, ScoredPassage
from osler.store.vectors import Nearest, State, VectorIndex
from osler.store.words import WordIndex


class EmbeddedEngine:
    """One folder, no server."""

    name = "embedded"

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._open()

    def _open(self) -> None:
        self.words = WordIndex(self.layout.words)
        self.passages = PassageIndex(self.layout.passages)
        self._vectors: dict[str, VectorIndex] = {}
        self._allowed: tuple[object, Rows] | None = None

    # -- words and passages --------------------------------------------------------------------

    def applied(self) -> int:
        return min(self.words.applied(), self.passages.applied())

    def settled(self) -> bool:
        return self.words.settled and self.passages.settled

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
        self.words.commit(applied)
        self.passages.commit(applied)
        self._allowed = None

    def abandon(self) -> None:
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
    ) -> list[Scored]:
        return self.words.search(node, k, filter, weights=weights)

    def search_passages(self, node: Node, k: int) -> list[ScoredPassage]:
        if self.passages.size == 0 or not plain_text_only(node):
            return []
        return self.passages.search(node, k)

    def count(self, node: Node, filter: Filter | None = None) -> int:
        return self.words.count(node, filter)

    def document_frequency(self, term: str, field: str | None = None) -> int:
        return self.words.document_frequency(term, (field,) if field else ("title", "abstract"))

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        return {term: self.document_frequency(term) for term in terms}

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

    def vectors_applied(self, encoder: str, dimension: int) -> int:
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
        index = self._index(encoder, vectors.shape[1])
        if index is not None:
            index.append(rows, seqs, vectors, applied=applied)

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

    # -- care ----------------------------------------------------------------------------------

    @staticmethod
    def check_files(layout: Layout) -> Iterator[str]:
        """What is damaged of indexes that do not open."""
        yield from Manifest(layout.words).check(WordIndex.what)
        yield from Manifest(layout.passages).check(PassageIndex.what)

    def check(self) -> Iterator[str]:
        yield from self.words.check()
        yield from self.passages.check()
        if self.layout.vectors.exists():
            for folder in sorted(self.layout.vectors.iterdir()):
                index = self._index(folder.name)
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
    from osler.errors import DamageError

    try:
        return msgspec.json.decode(state.read_bytes(), type=State).dimension
    except (OSError, ValueError):
        raise DamageError("the vector index is damaged", cure="osler rebuild") from None
