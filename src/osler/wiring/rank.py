"""What `rank` takes out of a library: papers with their vectors, and an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from osler.errors import NeedsError

if TYPE_CHECKING:
    from osler.library import Library
    from osler.rank.pool import Pool

Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]


def pool_of(library: Library, ids: Sequence[str] | None = None, *, concepts: bool = False) -> Pool:
    """The library's papers with the vectors that it has, and their concepts if asked for."""
    from osler.rank.pool import Pool

    documents = list(library.documents(ids))
    if ids is not None:
        # In the order asked for, each as often as asked for.
        held = {document.id: document for document in documents}
        documents = [held[id] for id in ids if id in held]
    vectors = None
    try:
        kept, matrix = library.vectors([document.id for document in documents])
    except NeedsError:
        kept = []
    if kept:
        places = {id: row for row, id in enumerate(kept)}
        vectors = np.zeros((len(documents), matrix.shape[1]), dtype=np.float32)
        for row, document in enumerate(documents):
            if document.id in places:
                vectors[row] = matrix[places[document.id]]
    named = library.concepts([document.id for document in documents]) if concepts else None
    return Pool(documents, vectors=vectors, concepts=named)


def encode_of(library: Library) -> Encode | None:
    """The library's encoder as a function, or None where it is not fetched."""
    try:
        encoder = library.encoder
    except NeedsError:
        return None
    return lambda texts: encoder.encode(list(texts))
