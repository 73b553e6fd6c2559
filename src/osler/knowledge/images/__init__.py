"""Pictures of entities: read safely, told apart from noise, turned into features.

``Images`` is a table of entities and files; ``load_image_encoder`` gives an encoder by name or
folder; ``image_features`` are the vectors that the multi-modal embeddings take. Pillow and torch
enter when a picture is opened or encoded.
"""

from osler.knowledge.images.encoder import ImageEncoder, image_encoders, load_image_encoder
from osler.knowledge.images.noise import Noise, aggregate, noise_scores
from osler.knowledge.images.picture_features import EntityImages, image_features, weigh_images
from osler.knowledge.images.table import Images

__all__ = [
    "EntityImages",
    "ImageEncoder",
    "Images",
    "Noise",
    "aggregate",
    "image_encoders",
    "image_features",
    "load_image_encoder",
    "noise_scores",
    "weigh_images",
]
