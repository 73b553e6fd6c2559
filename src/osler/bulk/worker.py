"""What workers do. Each function takes plain values and gives plain values: done twice, it gives
the same, so a worker that dies costs time and nothing else."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xxhash

from osler.bulk.packing import Failure, PackedFile, pack, unpack_changes
from osler.errors import OslerError
from osler.files.reader import recognise
from osler.files.source import Source
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.retrieve.mentions import Headings, Mentions, entries_of

Floats = npt.NDArray[np.float32]
MISSING = "missing"
"""What a worker says of a file that it does not see, or sees another one in its place."""


def read_file(
    path: str, name: str, fingerprint: str, format: str | None, options: Mapping[str, Any]
) -> PackedFile | str:
    """The items of one file, packed."""
    try:
        source = Source(path, name=name)
        if source.fingerprint() != fingerprint:
            return MISSING
        reader = recognise(source, format=format, **options)
        return PackedFile(*pack(reader.read(source)))
    except OslerError as error:
        # The writer reads what this one cannot, and tells what is wrong with it.
        return PackedFile([], Failure.of(error)) if Path(path).exists() else MISSING


def mark(folder: Path) -> str:
    """A folder's graph and linker, told by their manifests."""
    digest = xxhash.xxh3_128()
    for part in ("graph", "linker"):
        for path in sorted((folder / part).rglob("manifest.json")):
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def sees(folder: str, expected: str) -> bool:
    return Path(folder).is_dir() and mark(Path(folder)) == expected


@functools.lru_cache(2)
def _knowledge(folder: str, expected: str) -> tuple[Graph, Linker, Headings]:
    place = Path(folder)
    graph = Graph.load(place / "graph", check=False)
    return graph, Linker.load(place / "linker"), Headings(graph)


@functools.cache
def _unpacked(expected: str) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="osler-worker-")


def link_page(
    folder: str, expected: str, files: Mapping[str, bytes] | None, page: bytes
) -> Mentions | Failure:
    """The mentions of some documents. ``files`` holds the graph where workers share no disk."""
    try:
        if files is not None:
            place = Path(_unpacked(expected).name)
            if not (place / "done").exists():
                for name, data in files.items():
                    target = place / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
                (place / "done").touch()
            folder = str(place)
        graph, linker, headings = _knowledge(folder, expected)
        return Mentions.of(
            (row, seq, entries_of(document, graph, linker, headings))
            for row, seq, document in unpack_changes(page)
        )
    except OslerError as error:
        return Failure.of(error)


@functools.lru_cache(2)
def _encoder(name: str) -> Any:
    from distributed import get_worker

    from osler.text.encoder import load_encoder

    # As many threads as Dask counts on, unless somebody has decided otherwise.
    os.environ.setdefault("OSLER_THREADS", str(get_worker().state.nthreads))
    return load_encoder(name)


def encode_texts(encoder: Any, fingerprint: str, texts: Sequence[str]) -> Floats | Failure:
    """Vectors of texts. An encoder is its name, or an object that somebody made."""
    try:
        if isinstance(encoder, str):
            encoder = _encoder(encoder)
        if encoder.fingerprint != fingerprint:
            return Failure("E402", "a worker has another model under the encoder's name")
        vectors: Floats = np.asarray(encoder.encode(list(texts)), np.float32)
        return vectors
    except OslerError as error:
        return Failure.of(error)
