"""The documents of a replica: out of Milvus, which stores what a hit needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from osler.errors import UnknownId
from osler.kinds import Document
from osler.store.documents import Change, Documents
from osler.store.milvus.engine import MilvusEngine
from osler.store.truth import Truth


class MilvusDocuments(Documents):
    """Reads like a library's documents; there is nothing to write."""

    def __init__(self, engine: MilvusEngine, truth: Truth) -> None:
        super().__init__(truth)
        self.engine = engine

    def get(self, id: str) -> Document:
        stored = self.engine.find(id)
        if stored is None:
            raise UnknownId(f"the library holds no document {id}")
        return stored

    def by_rows(self, rows: Sequence[int]) -> dict[int, Document]:
        return {row: document for row, (_, document) in self.engine.fetch(rows).items()}

    def current(self, rows: Sequence[int]) -> dict[int, tuple[str, int]]:
        return self.engine.current(rows)

    def rows_of(self, ids: Sequence[str]) -> dict[str, int]:
        return self.engine.rows_of(ids)

    def all(self, ids: Iterable[str] | None = None) -> Iterator[Document]:
        """Those named in the order given, or every one in the order in which they came in."""
        if ids is None:
            yield from self.engine.pages()
        else:
            for id in ids:
                yield self.get(id)

    def changes(self, after: int, *, limit: int) -> list[Change]:
        return []

    def last_seq(self) -> int:
        return self.engine.applied()

    def waiting(self, after: int) -> int:
        return self.engine.changed_since(after)

    def count(self) -> int:
        return self.engine.size()
