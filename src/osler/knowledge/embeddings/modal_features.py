"""Features of entities as one matrix: names through word vectors or an encoder, pictures as given.

Each modality is brought to the embedding's dimension by its principal components (the paper sets
150 dimensions for words, images and entities alike, and leaves open how 2048 become 150), and to a
mean length of one, so that neither drowns the other. An entity without a feature has zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError
from osler.text.tokens import terms
from osler.text.word_vectors import WordVectors

Floats = NDArray[np.float32]
ENCODED = 256
"""Names that are encoded at once."""


def name_features(
    names: Mapping[str, str],
    vectors: WordVectors | Any,
    *,
    cut: Callable[[str], Sequence[str]] = terms,
) -> dict[str, Floats]:
    """Linguistic features by entity id, out of each entity's name.

    ``vectors`` are word vectors (the mean of the words of a name; an entity none of whose words is
    known gets no feature), or an encoder of ``osler.text``. ``cut`` makes words of a name.
    """
    if isinstance(vectors, WordVectors):
        features = {}
        for id, name in names.items():
            mean = vectors.mean([*cut(name), name])
            if mean.any():
                features[id] = mean
        return features
    ids = [id for id, name in names.items() if name.strip()]
    by_name: dict[str, Floats] = {}
    for start in range(0, len(ids), ENCODED):
        part = ids[start : start + ENCODED]
        rows = np.asarray(vectors.encode([names[id] for id in part]), np.float32)
        by_name.update(zip(part, rows, strict=True))
    return by_name


def joined_features(
    entity_ids: Sequence[str], modalities: Iterable[Any], *, width: int
) -> NDArray[np.float32] | None:
    """The features of each entity beside each other, linguistic first (section 3.3.2); None where
    no modality is given."""
    blocks = []
    for given in modalities:
        if given is None:
            continue
        matrix, known = _matrix(entity_ids, given)
        if known.any():
            blocks.append(_reduced(matrix, known, width))
    return np.concatenate(blocks, 1) if blocks else None


def _matrix(entity_ids: Sequence[str], given: Any) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    if isinstance(given, Mapping):
        sizes = {int(np.asarray(vector).size) for vector in given.values()}
        if len(sizes) > 1:
            raise InputError("the features of all entities have one length")
        matrix = np.zeros((len(entity_ids), sizes.pop() if sizes else 1), np.float32)
        known = np.zeros(len(entity_ids), bool)
        for row, id in enumerate(entity_ids):
            if id in given:
                matrix[row] = np.asarray(given[id], np.float32).ravel()
                known[row] = True
    else:
        matrix = np.asarray(given, np.float32)
        if matrix.ndim != 2 or len(matrix) != len(entity_ids):
            raise InputError("a matrix of features has one row an entity")
        known = np.asarray(matrix.any(axis=1), bool)
    if not np.isfinite(matrix).all():
        raise InputError("features are finite numbers")
    return matrix, known


def _reduced(
    matrix: NDArray[np.float32], known: NDArray[np.bool_], width: int
) -> NDArray[np.float32]:
    """Centred principal components of the known rows, at a mean length of one."""
    rows = matrix[known].astype(np.float64)
    rows -= rows.mean(0)
    if rows.shape[1] > width:
        # Eigenvectors of the smaller of the two products: few pictures with many numbers each, or
        # many names with few.
        if len(rows) < rows.shape[1]:
            values, vectors = np.linalg.eigh(rows @ rows.T)
            top = np.argsort(-values)[:width]
            rows = vectors[:, top] * np.sqrt(np.maximum(values[top], 0))
        else:
            values, vectors = np.linalg.eigh(rows.T @ rows)
            rows = rows @ vectors[:, np.argsort(-values)[:width]]
    length = float(np.linalg.norm(rows, axis=1).mean())
    reduced = np.zeros((len(matrix), rows.shape[1]), np.float32)
    reduced[known] = (rows / length if length > 0 else rows).astype(np.float32)
    return reduced
