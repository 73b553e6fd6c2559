"""Graph embeddings by name: what a model takes that knows facts by the names in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from osler.knowledge.embeddings.training import train_embeddings


def named_vectors(
    triples: Sequence[tuple[str, str, str]], *, method: str, dimension: int = 64, **options: Any
) -> dict[str, Any]:
    """Graph embeddings of names, trained on triples of names; a relation's stands under
    ``relation NAME``."""
    learned = train_embeddings(list(triples), method=method, dimension=dimension, **options)
    vectors = {id: learned.vector(id) for id in learned.entity_ids}
    for name, row in zip(learned.relation_names, learned.relations, strict=True):
        # Rotations are angles, half as many as an entity has numbers.
        padded = np.zeros(learned.dimension, dtype=np.float32)
        padded[: min(len(row), len(padded))] = row[: len(padded)]
        vectors[f"relation {name}"] = padded
    return vectors
