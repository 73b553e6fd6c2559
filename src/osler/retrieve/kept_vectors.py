"""Vectors of texts out of a library's cache, made and kept where it has none."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.errors import DamageError, StorageError
from osler.store.engine import Engine
from osler.store.vector_cache import VectorCache

Floats = npt.NDArray[np.float32]


def kept_vectors(
    engine: Engine, encoder: str, texts: Mapping[bytes, str], make: Callable[[list[str]], Any]
) -> dict[bytes, Floats]:
    """A vector a text, by the key that it is kept under; ``make`` gives those that are missing."""
    layout = getattr(engine, "layout", None)
    try:
        cache = VectorCache(layout.vector_cache) if layout is not None else None
    except (StorageError, DamageError):
        # A damaged cache is told by ``verify``; a question is answered without it.
        cache = None
    if cache is None:
        return dict(zip(texts, make(list(texts.values())), strict=True)) if texts else {}
    try:
        known = cache.get(encoder, list(texts))
        missing = {key: text for key, text in texts.items() if key not in known}
        if missing:
            made = make(list(missing.values()))
            # What is searched is what the cache will give back.
            known.update(zip(missing, made.astype(np.float16).astype(np.float32), strict=True))
            # A library on a medium that cannot be written still answers, a little later.
            with contextlib.suppress(StorageError):
                cache.put(encoder, list(missing), made)
    finally:
        cache.close()
    return known
