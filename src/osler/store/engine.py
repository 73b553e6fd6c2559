"""What the jobs see of a store: apply changes, search words, search vectors, fetch.

An engine is derived from the truth. It says how far it has got (``applied``), and is caught up
from there. Candidates are rows of the truth with the change that they were indexed at: the caller
holds them against a snapshot of the truth before anybody sees them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

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


class Engine(Protocol):
    """The small protocol that every engine keeps."""

    name: str

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
    ) -> list[Scored]:
        """The best k documents by BM25, ties with the last included."""

    def search_passages(self, node: Node, k: int) -> list[ScoredPassage]:
        """The best passages of full texts, one a document."""

    def count(self, node: Node, filter: Filter | None = None) -> int:
        """How many documents match."""

    def document_frequency(self, term: str, field: str | None = None) -> int:
        """In how many documents a term stands, in one field or in title and abstract."""

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """The same for many terms at once, over title and abstract."""

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

    def vector_count(self, encoder: str) -> int:
        """How many documents have a vector."""

    def check(self) -> Iterator[str]:
        """What is damaged, one line each."""

    def erase(self) -> None:
        """Drop everything derived; it is made again from the truth."""

    def close(self) -> None: ...
