"""The judged questions of a library, made ready to vote once and kept until they change."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from osler.errors import NeedsError
from osler.retrieve.judgements import Judged
from osler.retrieve.kept_vectors import kept_vectors
from osler.retrieve.view import View
from osler.store.vector_cache import text_key
from osler.text.encoding import vectors_of_questions


def judged(view: View) -> Judged | None:
    """The library's judged questions; None where it has none."""
    last = view.decisions.last_seq()
    if not last:
        return None
    try:
        encoder = view.encoder.fingerprint
        vectors = view.engine.vector_count(encoder)
    except NeedsError:
        encoder, vectors = "", 0
    stamp = (last, vectors, encoder)
    return view.keep("judged", stamp, lambda: _make(view, vectors > 0))


def _make(view: View, with_vectors: bool) -> Judged:
    texts = view.decisions.queries()
    judgements = view.decisions.judgements()
    ids = [id for id in sorted(texts) if any(g > 0 for g in judgements.get(id, {}).values())]
    rows, seqs = rows_of(view, sorted({document for id in ids for document in judgements[id]}))
    grades = [
        {rows[document]: float(g) for document, g in judgements[id].items() if document in rows}
        for id in ids
    ]
    size = view.encoder.dimension if with_vectors else 0
    vectors = np.zeros((len(ids), size), np.float32)
    centres = np.zeros((len(ids), size), np.float32)
    if with_vectors and ids:
        readable = [at for at, id in enumerate(ids) if view.encoder.reads(texts[id])]
        if readable:
            vectors[readable] = _encoded(view, [texts[ids[at]] for at in readable])
        centres = _centres(view, grades)
    middle = view.middle() if with_vectors else None
    return Judged(ids, [texts[id] for id in ids], vectors, grades, centres, seqs, middle)


def _encoded(view: View, texts: list[str]) -> npt.NDArray[np.float32]:
    """Vectors of questions, out of the library's cache as far as it has them."""
    # A question's vector is not that of a document with the same words, where a model has
    # another prefix for each.
    keys = [text_key(getattr(view.encoder, "query_prefix", "") + text) for text in texts]
    known = kept_vectors(
        view.engine,
        view.encoder.fingerprint,
        dict(zip(keys, texts, strict=True)),
        lambda missing: vectors_of_questions(view.encoder, missing),
    )
    return np.stack([known[key] for key in keys])


def rows_of(view: View, ids: list[str]) -> tuple[dict[str, int], dict[int, int]]:
    """Rows by id, and the last change of each row."""
    known = view.documents.numbered(ids)
    return {id: row for id, (row, _) in known.items()}, dict(known.values())


def _centres(view: View, grades: list[dict[int, float]]) -> npt.NDArray[np.float32]:
    """The middle of each question's relevant documents, of unit length."""
    wanted = sorted({row for judged in grades for row in judged})
    held, matrix = view.engine.vectors_of(view.encoder.fingerprint, wanted)
    place = {row: at for at, row in enumerate(held)}
    centres = np.zeros((len(grades), view.encoder.dimension), np.float32)
    for at, judged in enumerate(grades):
        kept = [(place[row], grade) for row, grade in judged.items() if row in place]
        if kept:
            chosen, weights = zip(*kept, strict=True)
            centres[at] = np.asarray(weights, np.float32) @ matrix[list(chosen)]
    sizes = np.linalg.norm(centres, axis=1, keepdims=True)
    np.divide(centres, sizes, out=centres, where=sizes > 0)
    return centres
