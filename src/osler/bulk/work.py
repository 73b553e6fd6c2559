"""The three kinds of bulk work, as the writer asks for them: read, link, encode.

Each has the shape of what the writer does by itself on one machine, so that what it writes, and
the order in which it does, are the same.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from osler.bulk.cluster import Cluster
from osler.bulk.packing import Failure, PackedFile, pack_changes, unpack
from osler.bulk.worker import MISSING, encode_texts, link_page, mark, read_file, sees
from osler.files.reader import Item, Reader
from osler.files.source import Source
from osler.retrieve.mentions import Mentions
from osler.store.documents import Change

log = logging.getLogger(__name__)

Floats = npt.NDArray[np.float32]
Context = TypeVar("Context")
LARGEST = 256_000_000
"""Bytes of a file that a worker reads whole; a larger one the writer itself reads, bit by bit."""
FILES = 2
"""Files that are read ahead for each worker."""


class ReadingAhead:
    """Reads files ahead of the writer, which asks for them in order."""

    def __init__(
        self,
        cluster: Cluster,
        sources: Sequence[Source],
        *,
        format: str | None,
        options: Mapping[str, Any],
        wanted: Callable[[str], bool],
    ) -> None:
        self.cluster = cluster
        self.format = format
        self.options = dict(options)
        self.wanted = wanted
        self._coming = deque(sources)
        self._futures: dict[Path, tuple[Any, tuple[Any, ...]]] = {}

    def _ahead(self) -> None:
        most = FILES * max(1, len(self.cluster.client.nthreads()))
        while self._coming and len(self._futures) < most:
            source = self._coming.popleft()
            if source.is_folder or source.path.stat().st_size > LARGEST:
                continue
            fingerprint = source.fingerprint()
            if self.wanted(fingerprint):
                path = str(source.path.resolve())
                given = (path, source.name, fingerprint, self.format, self.options)
                self._futures[source.path] = (self.cluster.submit(read_file, *given), given)

    def items(self, reader: Reader, source: Source) -> Iterator[Item]:
        """The items of a source, as its reader would give them."""
        self._ahead()
        future, given = self._futures.pop(source.path, (None, ()))
        items = self.cluster.result(future, read_file, given) if future is not None else MISSING
        self._ahead()
        if not isinstance(items, PackedFile):
            if future is not None:
                log.info("%s is not seen by the workers: the writer reads it", source.name)
            yield from reader.read(source)
            return
        del future
        yield from unpack(items.items)
        if items.failure is not None:
            raise items.failure.error()


class Linking:
    """Links pages of changed documents to the graph in a folder."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def __call__(
        self, folder: Path, pages: Iterable[list[Change]]
    ) -> Iterator[tuple[list[Change], Mentions]]:
        place, expected = str(folder.resolve()), mark(folder)
        files: Any = None
        if not all(self.cluster.client.run(sees, place, expected).values()):
            data = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for part in ("graph", "linker")
                for path in (folder / part).rglob("*")
                if path.is_file()
            }
            files = self.cluster.client.scatter(data, broadcast=True)
        work = ((page, (place, expected, files, pack_changes(page))) for page in pages)
        for page, mentions in self.cluster.map(link_page, work):
            yield page, _checked(mentions)


class Encoding:
    """Gives vectors to texts. ``encoder`` is a name that workers load by, or an object."""

    def __init__(self, cluster: Cluster, encoder: Any, fingerprint: str) -> None:
        self.cluster = cluster
        self.encoder = encoder
        self.fingerprint = fingerprint

    def __call__(
        self, chunks: Iterable[tuple[Context, list[str]]]
    ) -> Iterator[tuple[Context, Floats]]:
        work = ((context, (self.encoder, self.fingerprint, texts)) for context, texts in chunks)
        for context, vectors in self.cluster.map(encode_texts, work):
            yield context, _checked(vectors)


def _checked(result: Any) -> Any:
    if isinstance(result, Failure):
        raise result.error()
    return result
