"""What the two tantivy indexes have in common: opening, applying changes, committing, checking.

An index records the last sequence number that it has applied. After a kill the number inside the
index itself decides, so a change is never applied twice and never missed.
"""

from __future__ import annotations

import contextlib
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import tantivy

from osler.errors import DamageError
from osler.settings import threads
from osler.store import analyser
from osler.store.documents import Change
from osler.store.manifest import Manifest
from osler.store.truth import storage_errors

_HEAP = 120_000_000


class Scored(NamedTuple):
    """A candidate: the document's row in the truth, the change it was indexed at, its score."""

    row: int
    seq: int
    score: float


@contextlib.contextmanager
def sound(what: str) -> Iterator[None]:
    """tantivy panics, or raises ValueError, on files that were tampered with: that is damage."""
    try:
        yield
    except ValueError as error:
        raise DamageError(f"{what} is damaged: {error}", cure="osler rebuild") from None
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise DamageError(f"{what} is damaged", cure="osler rebuild") from None
        raise


class TantivyIndex(ABC):
    """A derived index over documents, kept by tantivy in a folder."""

    what: ClassVar[str]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = Manifest(path)
        self._writer: Any = None
        with storage_errors(self.what):
            path.mkdir(parents=True, exist_ok=True)
        with sound(self.what):
            self._index = tantivy.Index(self.build_schema(), path=str(path))
            self._index.register_tokenizer(analyser.NAME, analyser.analyser())
            self._index.config_reader("manual")
            self._index.reload()
            self.schema = self._index.schema
            self._floor = self.applied()

    @staticmethod
    @abstractmethod
    def build_schema() -> Any:
        """Fields; ``row`` (indexed, fast) and ``seq`` (fast) among them."""

    @abstractmethod
    def entries(self, change: Change) -> Iterable[dict[str, Any]]:
        """What is indexed of a changed document, which is there."""

    def applied(self) -> int:
        """The last change that the index holds."""
        searcher = self._index.searcher()
        found = searcher.search(
            tantivy.Query.all_query(), limit=1, count=False, order_by_field="seq"
        )
        inside = int(found.hits[0][0]) if found.hits else 0
        return max(inside, int(self.manifest.state.get("applied", 0)))

    def apply(self, changes: Iterable[Change]) -> None:
        """Take changes in; they are searchable after ``commit``. Known ones are passed over: after
        a kill one index may have got further than another."""
        writer = self._open_writer()
        for change in changes:
            if change.seq <= self._floor:
                continue
            if not change.fresh:
                # By query: a deletion by term takes the number for a signed one and finds nothing.
                writer.delete_documents_by_query(
                    tantivy.Query.term_query(self.schema, "row", change.row)
                )
            if change.document is not None:
                for fields in self.entries(change):
                    writer.add_document(tantivy.Document.from_dict(fields, self.schema))

    def _open_writer(self) -> Any:
        if self._writer is None:
            with sound(self.what):
                self._writer = self._index.writer(_HEAP, num_threads=max(1, threads() - 1))
        return self._writer

    def commit(self, applied: int) -> None:
        """Make what was applied durable and searchable, and note how far it goes.

        The mark stands while files and manifest may differ: a kill in between is told from damage.
        """
        with storage_errors(self.what):
            self._mark.touch()
            if self._writer is not None:
                try:
                    self._writer.commit()
                    # Merges change files: the manifest is of the files as they are after them.
                    self._writer.wait_merging_threads()
                except ValueError as error:
                    raise OSError(28, f"{error}") from None
                finally:
                    self._writer = None
            self.manifest.write({"applied": applied})
            self._mark.unlink(missing_ok=True)
            self._index.reload()
            self._floor = max(self._floor, applied)

    @property
    def _mark(self) -> Path:
        return self.path / ".committing"

    @property
    def settled(self) -> bool:
        """Whether the last commit came to its end."""
        return self.manifest.path.exists() and not self._mark.exists()

    def abandon(self) -> None:
        """Drop what was applied and not committed."""
        if self._writer is not None:
            with contextlib.suppress(ValueError):
                self._writer.rollback()
            self._writer = None

    @staticmethod
    def erase(path: Path) -> None:
        shutil.rmtree(path, ignore_errors=True)

    def reload(self) -> None:
        self._index.reload()

    @property
    def size(self) -> int:
        return int(self._index.searcher().num_docs)

    def top(self, query: Any, k: int) -> tuple[Any, list[Any]]:
        """The searcher and the best k hits, with all that tie with the last of them."""
        with sound(self.what):
            searcher = self._index.searcher()
            limit = k + 8
            while True:
                hits = searcher.search(query, limit=limit, count=False).hits
                # A tie across the cut would be decided by the order of insertion: fetch it whole.
                if len(hits) < limit or hits[-1][0] < hits[k - 1][0]:
                    break
                limit *= 2
        if len(hits) > k:
            least = hits[k - 1][0]
            hits = [hit for hit in hits if hit[0] >= least]
        return searcher, hits

    def check(self) -> Iterator[str]:
        """What is damaged, one line each."""
        yield from self.manifest.check(self.what)
