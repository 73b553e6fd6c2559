"""Giving documents their vectors: behind everything else, resumable, out of the cache if it can."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from osler.kinds import Document
from osler.store.documents import Change, Documents
from osler.store.engine import Engine
from osler.store.layout import Layout
from osler.store.vector_cache import VectorCache, text_key

if TYPE_CHECKING:
    from osler.text.encoder import Encoder

Floats = npt.NDArray[np.float32]
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

    def joined(self, other: Coverage) -> Coverage:
        """Of two encoders that read other languages: each looks at what waits, so the longer
        queue counts."""
        done = self.done + other.done
        return Coverage(done, done + max(self.waiting, other.waiting))

    @property
    def share(self) -> float:
        return self.done / self.readable if self.readable else 1.0


def embedded_text(document: Document) -> str:
    """What of a document its vector stands for: title and abstract, or the beginning of the full
    text of one that has no abstract."""
    body = document.abstract or (document.full_text[0].text[:4_000] if document.full_text else "")
    return ". ".join(part for part in (document.title, body) if part)


@dataclass(frozen=True)
class _Chunk:
    """Changes whose vectors are made together: keys of texts by row, vectors that are known, texts
    that are not."""

    changes: list[Change]
    gone: list[Change]
    keys: dict[int, bytes]
    known: dict[bytes, Floats]
    missing: dict[bytes, str]


Encode = Callable[[Iterable[tuple[_Chunk, list[str]]]], Iterator[tuple[_Chunk, Floats]]]


def _nothing(chunks: Iterable[tuple[_Chunk, list[str]]]) -> Iterator[tuple[_Chunk, Floats]]:
    """For chunks that lack nothing."""
    for chunk, _ in chunks:
        yield chunk, np.zeros((0, 0), np.float32)


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
        reads: Callable[[str], bool] | None = None,
    ) -> None:
        """``reads`` says which texts are this encoder's, where others read the rest."""
        self.text_of = text_of
        self.reads = reads or encoder.reads
        self.layout = layout
        self.documents = documents
        self.engine = engine
        self.encoder = encoder

    def run(
        self,
        *,
        limit: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        encode: Encode | None = None,
    ) -> int:
        """Until nothing is left, or ``limit`` documents have a vector. ``encode`` gives vectors to
        chunks of texts in their order: somewhere else, perhaps several at a time."""
        return self._follow(limit=limit, progress=progress, encode=encode or self._here)

    def _here(self, chunks: Iterable[tuple[_Chunk, list[str]]]) -> Iterator[tuple[_Chunk, Floats]]:
        for chunk, texts in chunks:
            yield chunk, self.encoder.encode(texts)

    def from_cache(self) -> int:
        """As far as the cache reaches, without encoding."""
        return self._follow(limit=None, progress=None, encode=None)

    def again(self, changes: list[Change]) -> None:
        """Give documents that have been read before their vectors again: what stands for them is
        another text now. What was never read waits for its turn."""
        name = self.encoder.fingerprint
        applied = self.engine.vectors_applied(name, self.encoder.dimension)
        read = [change for change in changes if change.seq <= applied]
        if not read:
            return
        cache = VectorCache(self.layout.vector_cache)
        try:
            chunk = self._look(read, cache, name)
            made = self.encoder.encode(list(chunk.missing.values()))
            self._keep(chunk, made, cache, name, applied=applied)
        finally:
            cache.close()

    def _follow(
        self,
        *,
        limit: int | None,
        progress: Callable[[int, int], None] | None,
        encode: Encode | None,
    ) -> int:
        name = self.encoder.fingerprint
        cache = VectorCache(self.layout.vector_cache)
        done = 0
        try:
            after = self.engine.vectors_applied(name, self.encoder.dimension)
            waiting = self.documents.waiting(after)
            chunks = self._chunks(after, cache, name, limit, stop=encode is None)
            for chunk, vectors in (encode or _nothing)(
                (chunk, list(chunk.missing.values())) for chunk in chunks
            ):
                self._keep(chunk, vectors, cache, name)
                done += sum(change.document is not None for change in chunk.changes)
                if progress:
                    progress(done, waiting)
        finally:
            cache.close()
        return done

    def _chunks(
        self, after: int, cache: VectorCache, name: str, limit: int | None, *, stop: bool
    ) -> Iterator[_Chunk]:
        """Changes with what is known of their vectors, until ``limit`` documents have one; ``stop``
        says to end where something is not known."""
        left = CHUNK if limit is None else limit
        while left and (changes := self.documents.changes(after, limit=min(CHUNK, left))):
            chunk = self._look(changes, cache, name)
            if chunk.missing and stop:
                return
            yield chunk
            after = changes[-1].seq
            if limit is not None:
                left -= len(chunk.keys)

    def _look(self, changes: list[Change], cache: VectorCache, name: str) -> _Chunk:
        texts: dict[int, str] = {}
        gone: list[Change] = []
        for change in changes:
            text = self.text_of(change.document) if change.document is not None else ""
            if text.strip() and self.reads(text):
                texts[change.row] = text
            elif not change.fresh:
                gone.append(change)
        keys = {row: text_key(text) for row, text in texts.items()}
        known = cache.get(name, list(dict.fromkeys(keys.values())))
        missing = {key: texts[row] for row, key in keys.items() if key not in known}
        return _Chunk(changes, gone, keys, known, missing)

    def _keep(
        self, chunk: _Chunk, fresh: Floats, cache: VectorCache, name: str, *, applied: int = 0
    ) -> None:
        known = chunk.known
        if chunk.missing:
            cache.put(name, list(chunk.missing), fresh)
            # What is searched is what the cache will give back after a rebuild.
            known.update(
                zip(chunk.missing, fresh.astype(np.float16).astype(np.float32), strict=True)
            )
        kept = [change for change in chunk.changes if change.row in chunk.keys]
        settled = (*kept, *chunk.gone)
        vectors = np.zeros((len(settled), self.encoder.dimension), np.float32)
        for place, change in enumerate(kept):
            vectors[place] = known[chunk.keys[change.row]]
        self.engine.add_vectors(
            name,
            [change.row for change in settled],
            [*(change.seq for change in kept), *(-change.seq for change in chunk.gone)],
            vectors,
            applied=applied or chunk.changes[-1].seq,
            documents=[change.document for change in settled],
        )

    def coverage(self) -> Coverage:
        """Cheap: what is waiting is counted as readable until it has been looked at. A vector of
        a text that has changed since, or of a document that is gone, is not counted."""
        # Counted first: to count is to look at what another program has made since.
        count = self.engine.vector_count(self.encoder.fingerprint)
        after = self.engine.vectors_applied(self.encoder.fingerprint, self.encoder.dimension)
        waiting = self.documents.waiting(after)
        current = count - self.documents.changed(after)
        done = max(0, min(current, self.documents.count() - waiting))
        return Coverage(done, done + waiting)
