"""Arrays and strings in a folder: no pickle, checksummed, written beside and renamed into place.

Each array is an ``.npy`` file that can be memory-mapped; a list of strings is one array of UTF-8
bytes and one of offsets. ``manifest.json`` holds the format's version, the caller's notes, and
for each file its size and XXH3 sum, so damage is named instead of answered from.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from mmap import ACCESS_READ
from mmap import mmap as file_map
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from osler.errors import DamageError, StorageError, VersionError
from osler.files.removal import remove_folder

FORMAT = 1
_TRIES, _PAUSE = 50, 0.02


class Part(msgspec.Struct, frozen=True):
    size: int
    xxh3: str


class Manifest(msgspec.Struct, frozen=True):
    kind: str
    format: int
    notes: dict[str, Any]
    files: dict[str, Part]


class Strings(Sequence[str]):
    """A list of strings as bytes and offsets: memory-mapped, decoded one by one."""

    def __init__(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        self.data = data
        self.offsets = offsets
        self._view: memoryview = np.ascontiguousarray(data).data

    @classmethod
    def of(cls, strings: Sequence[str]) -> Strings:
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        if encoded:
            np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        place = int(at)
        count = len(self.offsets) - 1
        if place < 0:
            place += count
        if not 0 <= place < count:
            raise IndexError(at)
        start, end = self.offsets.item(place), self.offsets.item(place + 1)
        return str(self._view[start:end], "utf-8", "surrogatepass")

    def many(self, places: NDArray[Any]) -> list[str]:
        """The strings at many places at once."""
        starts, ends = self.offsets[places].tolist(), self.offsets[places + 1].tolist()
        view = self._view
        return [
            str(view[start:end], "utf-8", "surrogatepass")
            for start, end in zip(starts, ends, strict=True)
        ]

    def __iter__(self) -> Iterator[str]:
        # Decoded once, not string by string: offsets count bytes, and every character begins with
        # one that does not go on with another's.
        text = self.data.tobytes().decode("utf-8", "surrogatepass")
        ends = self.offsets
        if len(text) < len(self.data):
            begun = np.cumsum((self.data & 0xC0) != 0x80)
            ends = np.concatenate([[0], begun])[ends]
        return (text[start:end] for start, end in pairwise(ends.tolist()))


def save(
    folder: Path,
    kind: str,
    arrays: Mapping[str, NDArray[Any]],
    strings: Mapping[str, Sequence[str] | Strings],
    notes: Mapping[str, Any],
) -> None:
    """Write all, or nothing: a folder beside, then a rename."""
    beside = folder.with_name(f".{folder.name}.new-{os.getpid()}")
    old = folder.with_name(f".{folder.name}.old-{os.getpid()}")
    everything = dict(arrays)
    for name, listed in strings.items():
        kept = listed if isinstance(listed, Strings) else Strings.of(listed)
        everything[f"{name}.text"] = kept.data
        everything[f"{name}.offsets"] = kept.offsets
    try:
        remove_folder(beside)
        beside.mkdir(parents=True)
        files = {name: _write(beside / f"{name}.npy", array) for name, array in everything.items()}
        manifest = Manifest(kind=kind, format=FORMAT, notes=dict(notes), files=files)
        _put(beside / "manifest.json", msgspec.json.encode(manifest))
        _sync(beside)
        if folder.exists():
            remove_folder(old)
            folder.rename(old)
        beside.rename(folder)
        _sync(folder.parent)
        # What killed processes left beside it goes, too.
        for left in (*folder.parent.glob(f".{folder.name}.old-*"), *_unfinished(folder)):
            remove_folder(left)
    except OSError as error:
        remove_folder(beside)
        if old.exists() and not folder.exists():
            # Where even this is refused, readers go on with the old one (see _standing).
            with contextlib.suppress(OSError):
                old.rename(folder)
        raise StorageError(
            f"{folder.name} cannot be written: {error.strerror}", cure="free space or permissions"
        ) from None


def load(folder: Path, kind: str, *, mmap: bool = True, check: bool = True) -> Loaded:
    """Read it back. ``check`` sums every file; without it only sizes are compared.

    A writer may put a newer folder in its place meanwhile: then it is read again from the start,
    so that no array of the old one ever meets one of the new.
    """
    for _ in range(_TRIES):
        place = _standing(folder)
        before = _manifest(place)
        try:
            loaded = _load(place, folder.name, before, kind, mmap=mmap, check=check)
        except DamageError:
            if place == _standing(folder) and before == _manifest(place):
                raise
        else:
            if before == _manifest(place):
                return loaded
        time.sleep(_PAUSE)
    raise DamageError(f"{folder.name} changes faster than it can be read", cure="try again")


def _standing(folder: Path) -> Path:
    """The folder; or the old one, where a writer is, or was killed, between its two renames."""
    if folder.exists():
        return folder
    return next(iter(sorted(folder.parent.glob(f".{folder.name}.old-*"))), folder)


def _unfinished(folder: Path) -> Iterator[Path]:
    return folder.parent.glob(f".{folder.name}.new-*")


def _manifest(folder: Path) -> bytes | None:
    try:
        return (folder / "manifest.json").read_bytes()
    except OSError:
        return None


def _load(
    folder: Path, name: str, described: bytes | None, kind: str, *, mmap: bool, check: bool
) -> Loaded:
    try:
        manifest = msgspec.json.decode(described or b"", type=Manifest)
    except (ValueError, RecursionError):
        raise DamageError(f"{name} has no readable manifest", cure="rebuild it") from None
    if manifest.kind != kind:
        raise DamageError(f"{name} holds a {manifest.kind}, not a {kind}")
    if manifest.format != FORMAT:
        raise VersionError(f"{name} is of format {manifest.format}", cure="rebuild it")
    if {path.stem for path in folder.glob("*.npy")}.difference(manifest.files):
        raise DamageError(f"{name} holds files that its manifest does not list", cure="rebuild it")
    arrays: dict[str, NDArray[Any]] = {}
    for file, part in manifest.files.items():
        arrays[file] = _read(folder / f"{file}.npy", part, mmap=mmap, check=check)
    strings = {
        file.removesuffix(".text"): Strings(array, arrays[f"{file.removesuffix('.text')}.offsets"])
        for file, array in arrays.items()
        if file.endswith(".text")
    }
    plain = {file: array for file, array in arrays.items() if "." not in file}
    return Loaded(plain, strings, manifest.notes)


_HEAD = 128
"""Bytes before the numbers in a file of NumPy's, where the array has few dimensions."""
_DESCRIBED = re.compile(
    rb"\x93NUMPY\x01\x00v\x00\{'descr': '([<|][a-z]\d)', 'fortran_order': False, "
    rb"'shape': \((\d+(?:, \d+)*),?\), \} *\n"
)


class Loaded:
    def __init__(
        self, arrays: dict[str, NDArray[Any]], strings: dict[str, Strings], notes: dict[str, Any]
    ) -> None:
        self.arrays = arrays
        self.strings = strings
        self.notes = notes


def _write(path: Path, array: NDArray[Any]) -> Part:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
    data = buffer.getbuffer()
    _put(path, data)
    return Part(size=len(data), xxh3=xxhash.xxh3_64_hexdigest(data))


def _put(path: Path, data: bytes | memoryview) -> None:
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(folder: Path) -> None:
    """Names of files reach the disk with their folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read(path: Path, part: Part, *, mmap: bool, check: bool) -> NDArray[Any]:
    try:
        if path.stat().st_size != part.size:
            raise DamageError(f"{path.name} has changed its size", cure="rebuild it")
        if check:
            _check(path, part)
        # An empty array cannot be mapped.
        array = _mapped(path) if mmap and part.size > _HEAD else None
        if array is None:
            array = np.asarray(np.load(path, allow_pickle=False))
    except (OSError, ValueError, TypeError):
        raise DamageError(f"{path.name} cannot be read", cure="rebuild it") from None
    return array


def _mapped(path: Path) -> NDArray[Any] | None:
    """An array of numbers over its file, which is not read before it is looked at; None where
    ``_write`` has written no such file. NumPy reads its own header as a piece of Python, which for
    the many arrays of a graph takes as long as a question does."""
    with path.open("rb") as stream:
        head = _DESCRIBED.match(stream.read(_HEAD))
        if head is None:
            return None
        kind, shape = np.dtype(head[1].decode()), tuple(map(int, head[2].split(b",")))
        data = np.frombuffer(
            file_map(stream.fileno(), 0, access=ACCESS_READ), kind, prod(shape), offset=_HEAD
        )
        return data.reshape(shape)


def _check(path: Path, part: Part) -> None:
    digest = xxhash.xxh3_64()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 22):
            digest.update(chunk)
    if digest.hexdigest() != part.xxh3:
        raise DamageError(f"{path.name} does not match its checksum", cure="rebuild it")
