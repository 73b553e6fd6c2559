"""The door to graphs: entities and relations, the linker, paths, pictures, embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from osler.lazy import lazy

if TYPE_CHECKING:
    from osler.knowledge.embeddings import (
        Embeddings,
        NumberedTriples,
        Trainer,
        models,
        train_embeddings,
    )
    from osler.knowledge.graph import Graph
    from osler.knowledge.images import Images, image_features
    from osler.knowledge.linker import Linker
    from osler.knowledge.paths import paths, paths_many

_HOMES = {
    "Embeddings": "osler.knowledge.embeddings",
    "Graph": "osler.knowledge.graph",
    "Images": "osler.knowledge.images",
    "Linker": "osler.knowledge.linker",
    "NumberedTriples": "osler.knowledge.embeddings",
    "Trainer": "osler.knowledge.embeddings",
    "image_features": "osler.knowledge.images",
    "models": "osler.knowledge.embeddings",
    "paths": "osler.knowledge.paths",
    "paths_many": "osler.knowledge.paths",
    "train_embeddings": "osler.knowledge.embeddings",
}
__all__ = [
    "Embeddings",
    "Graph",
    "Images",
    "Linker",
    "NumberedTriples",
    "Trainer",
    "image_features",
    "models",
    "paths",
    "paths_many",
    "train_embeddings",
]
__getattr__ = lazy(__name__, _HOMES)
