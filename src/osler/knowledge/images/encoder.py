"""What an image encoder is, and how one is found: by name, or a folder of weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from osler.errors import ChoiceError
from osler.knowledge.images.picture import open_picture
from osler.registry import Registry

Floats = NDArray[np.float32]
BATCH = 16


class ImageEncoder(ABC):
    """Turns pictures into vectors of ``dimension`` numbers."""

    name: ClassVar[str]
    help: ClassVar[str]
    dimension: int

    @abstractmethod
    def encode(self, pictures: Sequence[Any]) -> Floats:
        """A row a picture (Pillow images in RGB)."""

    def encode_files(self, paths: Sequence[Path]) -> Floats:
        """A row a file, opened safely and a few at a time."""
        parts = [
            self.encode([open_picture(path) for path in paths[start : start + BATCH]])
            for start in range(0, len(paths), BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)


image_encoders: Registry[ImageEncoder] = Registry(
    "image encoder",
    group="osler.image_encoders",
    builtin=(
        "osler.knowledge.images.encoders.plain",
        "osler.knowledge.images.encoders.efficientnet",
    ),
)


def load_image_encoder(choice: str | Path | ImageEncoder) -> ImageEncoder:
    """An encoder by name, from a folder (or a file of ResNet50's weights), or as it is.

    A folder holds a Hugging Face image model (``config.json``, ``model.safetensors``) or the
    weights of a ResNet50 under torchvision's names (``.safetensors``, ``.pth``, ``.pt``).
    """
    if isinstance(choice, ImageEncoder):
        return choice
    place = Path(choice)
    if str(choice) in image_encoders.names():
        return image_encoders.resolve(str(choice))
    if place.is_dir() and (place / "config.json").exists():
        from osler.knowledge.images.encoders.folder import FolderEncoder

        return FolderEncoder(place)
    if place.exists():
        from osler.knowledge.images.encoders.resnet import ResNet50

        return ResNet50(place)
    raise ChoiceError("image encoder", str(choice), [*image_encoders.names(), "a folder"])


def pixels(
    pictures: Sequence[Any], size: int, *, mean: Sequence[float], deviation: Sequence[float]
) -> Floats:
    """Pictures as one array (picture, channel, row, column), resized, scaled to mean and deviation.

    The whole picture is used, its sides brought to one size: an X-ray must not lose its margins.
    """
    rows = []
    for picture in pictures:
        small = picture.resize((size, size), resample=3)  # bicubic
        rows.append(np.asarray(small, np.float32) / 255.0)
    stacked = (np.stack(rows) - np.asarray(mean, np.float32)) / np.asarray(deviation, np.float32)
    return np.ascontiguousarray(stacked.transpose(0, 3, 1, 2), np.float32)
