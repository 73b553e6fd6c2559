"""Graph embeddings: each entity and relation as a vector, learned from a graph's triples.

``models`` are the methods by name, one a file; ``train_embeddings`` learns; ``Embeddings`` are what
was learned, saved and loaded; ``Trainer`` is for those who take single steps. Torch enters when a
training starts or an energy is asked for.
"""

from osler.knowledge.embeddings.embeddings import Embeddings
from osler.knowledge.embeddings.method import Method, models
from osler.knowledge.embeddings.named import named_vectors
from osler.knowledge.embeddings.trainer import Trainer
from osler.knowledge.embeddings.training import train_embeddings
from osler.knowledge.embeddings.triples import NumberedTriples

__all__ = [
    "Embeddings",
    "Method",
    "NumberedTriples",
    "Trainer",
    "models",
    "named_vectors",
    "train_embeddings",
]
