"""From the pictures of entities to one vector an entity, noise filtered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from osler.knowledge.images.encoder import BATCH, ImageEncoder, load_image_encoder
from osler.knowledge.images.noise import RELATIVE, Noise, aggregate, judge
from osler.knowledge.images.table import Images

Progress = Callable[[str], None]


class EntityImages(msgspec.Struct, frozen=True):
    """An entity's pictures with the verdict on each, and the vector that they make (eq. 1)."""

    id: str
    files: tuple[Path, ...]
    noise: Noise
    vector: NDArray[np.float32]


def weigh_images(
    images: Images,
    encoder: str | Path | ImageEncoder = "efficientnet-lite0",
    *,
    threshold: float | None = None,
    relative: float = RELATIVE,
    scaled: bool = True,
    progress: Progress | None = None,
) -> list[EntityImages]:
    """Encode every picture once, then score, filter and sum those of each entity, by id."""
    chosen = load_image_encoder(encoder)
    paths = sorted({path for id in images for path in images.of(id)})
    vectors: dict[Path, NDArray[np.float32]] = {}
    for start in range(0, len(paths), BATCH):
        part = paths[start : start + BATCH]
        vectors.update(zip(part, chosen.encode_files(part), strict=True))
        if progress is not None:
            progress(f"encoded {min(start + BATCH, len(paths)):,} of {len(paths):,} pictures")
    weighed = []
    for id in images:
        rows = np.stack([vectors[path] for path in images.of(id)])
        noise = judge(rows, threshold=threshold, relative=relative, scaled=scaled)
        weighed.append(EntityImages(id, images.of(id), noise, aggregate(rows, noise)))
    return weighed


def image_features(
    images: Images,
    encoder: str | Path | ImageEncoder = "efficientnet-lite0",
    *,
    threshold: float | None = None,
    relative: float = RELATIVE,
    scaled: bool = True,
    progress: Progress | None = None,
) -> dict[str, NDArray[np.float32]]:
    """Visual features by entity id: what ``train_embeddings(images=...)`` takes."""
    weighed = weigh_images(
        images,
        encoder,
        threshold=threshold,
        relative=relative,
        scaled=scaled,
        progress=progress,
    )
    return {one.id: one.vector for one in weighed}
