"""A pool: papers as rankers see them, with what was computed once kept at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.kinds import Document
from osler.text.tokens import terms

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Pool:
    """Documents in an order, each with an optional vector and the concepts that it names.

    ``vectors`` has a row a document; a row of zeros says that the document has none.
    ``concepts`` gives entity ids by document id.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        *,
        vectors: npt.NDArray[Any] | None = None,
        concepts: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        if vectors is not None and len(vectors) != len(documents):
            raise ValueError("a pool has one vector a document")
        self.documents = list(documents)
        self.vectors = vectors
        self.concepts = concepts

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def ids(self) -> list[str]:
        return [document.id for document in self.documents]

    @cached_property
    def title_terms(self) -> list[list[str]]:
        return [terms(document.title) for document in self.documents]

    @cached_property
    def body_terms(self) -> list[list[str]]:
        return [terms(document.abstract) for document in self.documents]

    @cached_property
    def texts(self) -> list[str]:
        return [document.text for document in self.documents]

    def take(self, rows: Sequence[int] | Ints) -> Pool:
        """Some of the documents, in the order of ``rows``; what was computed comes along."""
        picked = [int(row) for row in rows]
        part = Pool(
            [self.documents[row] for row in picked],
            vectors=None if self.vectors is None else self.vectors[picked],
            concepts=self.concepts,
        )
        for name in ("title_terms", "body_terms", "texts"):
            if name in self.__dict__:
                whole = self.__dict__[name]
                part.__dict__[name] = [whole[row] for row in picked]
        return part

    def warm(self) -> Pool:
        """Compute the terms now, so that pools taken from this one share them."""
        _ = self.title_terms, self.body_terms, self.texts
        return self


def joined(first: Pool, second: Pool) -> Pool:
    """Two pools as one, the first's documents first."""
    vectors = None
    if first.vectors is not None and second.vectors is not None:
        vectors = np.concatenate([first.vectors, second.vectors])
    concepts = {**(second.concepts or {}), **(first.concepts or {})} or None
    both = Pool([*first.documents, *second.documents], vectors=vectors, concepts=concepts)
    for name in ("title_terms", "body_terms", "texts"):
        both.__dict__[name] = [*getattr(first, name), *getattr(second, name)]
    return both
