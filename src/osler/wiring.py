"""What the jobs take out of a library: papers with their vectors, an encoder, the records.

Jobs never see the library itself; here it is turned into what they work on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from osler.errors import InputError, NeedsError

if TYPE_CHECKING:
    from osler.library import Library
    from osler.rank.pool import Pool
    from osler.records.kb import ClinicalKB

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


def records_of(library: Library) -> ClinicalKB:
    """The clinical knowledge base of the library's records, kept as arrays between two openings."""
    from osler.records.kb import ClinicalKB
    from osler.records.opening import holds_patients, opened

    kb = opened(
        library.layout.derived / "records",
        f"1:{library.truth.seq()}",
        lambda: library.entities(graph="records"),
        lambda: library.triples(graph="records"),
    )
    if len(kb.triples):
        return kb
    # Typed triples may have been added as knowledge: they serve where they speak of patients.
    kb = ClinicalKB.build(library.entities(), library.triples())
    if not holds_patients(kb):
        raise InputError(
            "the library holds no patient records", cure="add some: osler add LIB records.xml"
        )
    return kb
