"""Giving documents their vectors: behind everything else, resumable, out of the cache if it can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from osler.kinds import Document
from osler.store.documents import Change, Documents
from osler.store.engine import Engine
from osler.store.layout import Layout
from osler.store.vectors import VectorCache, text_key

if TYPE_CHECKING:
    from osler.text.encoder import Encoder

CHUNK = 512
"""Documents that are encoded between two notes of how far the work has got."""


@dataclass(frozen=True)
class Coverage:
    """Documents with a vector, and those that could have one (the encoder reads their language)."""

    done: int
    readable: int

    @property
    def waiting(self) -> int:
        return max(0, self.readable - self.done)

    @property
    def share(self) -> float:
        return self.done / self.readable if self.readable else 1.0


def embedded_text(document: Document) -> str:
    """What of a document its vector stands for: title and abstract, or the beginning of the full
    text of one that has no abstract."""
    body = document.abstract or (document.full_text[0].text[:4_000] if document.full_text else "")
    return ". ".join(part for part in (document.title, body) if part)


class Embedding:
    """Follows the changes of documents under one encoder."""

    def __init__(
        self,
        layout: Layout,
        documents: Documents,
        engine: Engine,
        encoder: Encoder,
        *,
        text_of: Callable[[Document], str] = embedded_text,
    ) -> None:
        self.text_of = text_of
        self.layout = layout
        self.documents = documents
        self.engine = engine
        self.encoder = encoder

    def run(
        self, *, limit: int | None = None, progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Until nothing is left, or ``limit`` documents are done."""
        return self._follow(limit=limit, progress=progress, encode=True)

    def from_cache(self) -> int:
        """As far as the cache reaches, without encoding."""
        return self._follow(limit=None, progress=None, encode=False)

    def _follow(
        self, *, limit: int | None, progress: Callable[[int, int], None] | None, encode: bool
    ) -> int:
        name = self.encoder.fingerprint
        cache = VectorCache(self.layout.vector_cache)
        done = 0
        try:
            after = self.engine.vectors_applied(name, self.encoder.dimension)
            waiting = self.documents.waiting(after)
            while changes := self.documents.changes(after, limit=CHUNK):
                if not self._chunk(changes, cache, name, encode):
                    break
                after = changes[-1].seq
                done += len(changes)
                if progress:
                    progress(done, waiting)
                if limit is not None and done >= limit:
                    break
        finally:
            cache.close()
        return done

    def _chunk(self, changes: list[Change], cache: VectorCache, name: str, encode: bool) -> bool:
        texts: dict[int, str] = {}
        gone: list[Change] = []
        for change in changes:
            text = self.text_of(change.document) if change.document is not None else ""
            if text.strip() and self.encoder.reads(text):
                texts[change.row] = text
            elif not change.fresh:
                gone.append(change)
        keys = {row: text_key(text) for row, text in texts.items()}
        known = cache.get(name, list(dict.fromkeys(keys.values())))
        missing = {key: texts[row] for row, key in keys.items() if key not in known}
        if missing:
            if not encode:
                return False
            made = self.encoder.encode(list(missing.values()))
            cache.put(name, list(missing), made)
            # What is searched is what the cache will give back after a rebuild.
            known.update(zip(missing, made.astype(np.float16).astype(np.float32), strict=True))
        kept = [change for change in changes if change.row in texts]
        vectors = np.zeros((len(kept) + len(gone), self.encoder.dimension), np.float32)
        for place, change in enumerate(kept):
            vectors[place] = known[keys[change.row]]
        self.engine.add_vectors(
            name,
            [change.row for change in (*kept, *gone)],
            [*(change.seq for change in kept), *(-change.seq for change in gone)],
            vectors,
            applied=changes[-1].seq,
        )
        return True

    def coverage(self) -> Coverage:
        """Cheap: what is waiting is counted as readable until it has been looked at."""
        after = self.engine.vectors_applied(self.encoder.fingerprint, self.encoder.dimension)
        done = self.engine.vector_count(self.encoder.fingerprint)
        return Coverage(done, done + self.documents.waiting(after))
