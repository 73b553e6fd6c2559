"""What the jobs see of a store: apply changes, search words, search vectors, fetch.

An engine is derived from the truth. It says how far it has got (``applied``), and is caught up
from there. Candidates are rows of the truth with the change that they were indexed at: the caller
holds them against a snapshot of the truth before anybody sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from osler.kinds import Document
from osler.kinds.query import Filter, Node
from osler.store.derived import Scored
from osler.store.documents import Change
from osler.store.passages import ScoredPassage
from osler.store.vectors import Nearest

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


class Purged(NamedTuple):
    """What an engine wrote again, so that nothing of deleted documents is left in it."""

    parts: int
    vectors: int
    notes: tuple[str, ...] = ()


class Engine(Protocol):
    """The small protocol that every engine keeps."""

    name: str
    mark_of: Callable[[int], str | None]
    """The truth's mark at a change (see ``marks``); whoever has the truth sets it."""

    mends: bool
    """Whether what is astray is put right without being asked."""

    def astray(self) -> dict[str, int]:
        """What was derived from another state of the truth than the one there is, each with the
        last change that it knows."""

    def put_right(self, astray: Iterable[str]) -> None:
        """Drop what ``astray`` named, or begin it anew; the next commit ends that."""

    def begin_anew(self) -> None:
        """From here on words and passages are made anew, beside the old ones, which answer until
        the next commit; ``abandon`` drops the new ones."""

    def begin_vectors(self, encoder: str, dimension: int) -> None:
        """From here on an encoder's vectors are made anew, beside the old ones."""

    def end_vectors(self, encoder: str) -> bool:
        """Put the new vectors in the old ones' place, if they go as far; whether they do."""

    def applied(self) -> int:
        """The last change of documents that words and passages hold."""

    def settled(self) -> bool:
        """Whether the last commit came to its end; if not, one more finishes it."""

    def apply(self, changes: Iterable[Change]) -> None:
        """Take changes in, in their order."""

    def commit(self, applied: int) -> None:
        """Make what was applied durable and searchable."""

    def abandon(self) -> None:
        """Forget what was applied since the last commit."""

    def reload(self) -> None:
        """See what a writer has committed."""

    def search_words(
        self,
        node: Node,
        k: int,
        filter: Filter | None = None,
        *,
        weights: dict[str, float] | None = None,
    ) -> Sequence[Scored]:
        """The best k documents by BM25, ties with the last included."""

    def search_passages(self, node: Node, k: int) -> list[ScoredPassage]:
        """The best passages of full texts, one a document."""

    def count(self, node: Node, filter: Filter | None = None) -> int:
        """How many documents match."""

    def facets(
        self, node: Node, fields: Sequence[str], most: int, filter: Filter | None = None
    ) -> dict[str, list[tuple[str, int]]]:
        """The values that all matching documents have most often in exact fields and ``year``,
        each with how many documents have it."""

    def ordered(self, node: Node, by: str, k: int, filter: Filter | None = None) -> list[Scored]:
        """At least the first k of all matching documents by ``date``, ``journal`` or
        ``citations``; scores fall from zero, equal ones are equal."""

    def document_frequency(self, term: str, field: str | None = None) -> int:
        """In how many documents a term stands, in one field or in title and abstract."""

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """The same for many terms at once, over title and abstract."""

    def terms(self, beginning: str, most: int, lengths: range | None = None) -> list[str]:
        """Index terms of titles and abstracts that begin so, ``most`` at most; of these, the ones
        of some ``lengths``. None where an engine keeps no dictionary."""
        ...

    def average_length(self, field: str) -> float:
        """How many terms a field has on average."""

    def vectors_applied(self, encoder: str, dimension: int) -> int:
        """The last change whose document has been embedded."""

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
        """Append vectors of documents. A negative seq says that the row has none any more.
        ``documents`` are for engines that keep what filters ask for beside the vectors."""

    def search_vectors(
        self, encoder: str, vector: Floats, k: int, filter: Filter | None = None
    ) -> Nearest:
        """The best k by cosine."""

    def vectors_of(self, encoder: str, rows: Sequence[int]) -> tuple[list[int], Floats]:
        """Vectors by row, for those that have one."""

    def purge(self, rows: Sequence[int], fetch: Callable[[list[int]], Iterable[Change]]) -> Purged:
        """Leave no word and no vector behind of what was deleted or replaced, nor a vector of
        ``rows``. ``fetch`` gives documents by row."""

    def vector_count(self, encoder: str) -> int:
        """How many documents have a vector."""

    def check(self) -> Iterator[str]:
        """What is damaged, one line each."""

    def erase(self) -> None:
        """Drop everything derived; it is made again from the truth."""

    def close(self) -> None: ...
