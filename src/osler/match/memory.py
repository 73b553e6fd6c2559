"""Vectors of a collection's own texts, read once: they are kept in the library's cache.

Only what the library holds is kept there. The vector of a question that somebody asks, or of
answers that somebody brings, is not.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from osler.errors import DamageError, StorageError
from osler.store.vector_cache import VectorCache, text_key
from osler.text.encoder import Encoder


class VectorMemory:
    """``path`` is the cache's file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def encode(self, encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float32]:
        """A vector a text; those that the cache lacks are made and put there."""
        try:
            cache = VectorCache(self.path)
        except (StorageError, DamageError):
            return np.asarray(encoder.encode(texts), np.float32)
        with contextlib.closing(cache):
            keys = [text_key(text) for text in texts]
            known = cache.get(encoder.fingerprint, keys)
            missing = {k: text for k, text in zip(keys, texts, strict=True) if k not in known}
            if missing:
                # As the cache will give them back, so that a second asking is answered alike.
                half = np.asarray(encoder.encode(list(missing.values()))).astype(np.float16)
                made = half.astype(np.float32)
                known.update(zip(missing, made, strict=True))
                # A library on a medium that cannot be written still answers.
                with contextlib.suppress(StorageError):
                    cache.put(encoder.fingerprint, list(missing), made)
        return np.stack([known[k] for k in keys])
