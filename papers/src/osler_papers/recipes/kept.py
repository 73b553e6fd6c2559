"""What a long recipe has worked out, kept beside its tables, so that a run broken off goes on.

Each value stands under a key in a file of JSON lines whose first line is a stamp: the data, the
encoder and the code that made the values. Under another stamp everything is worked out anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


def stamp_of(files: Iterable[Path], *words: str) -> str:
    """A stamp over files, in the order of their names, and words."""
    digest = sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for word in words:
        digest.update(word.encode() + b"\0")
    return digest.hexdigest()


class Kept:
    """Values by key, on disk as soon as they are made."""

    def __init__(self, path: Path, stamp: str) -> None:
        self._path = path
        self._values: dict[str, bytes] = {}
        lines = path.read_bytes().split(b"\n") if path.exists() else []
        if lines[:1] == [stamp.encode()]:
            # A line without its end was cut short by a kill: what follows the last end is dropped.
            for line in lines[1:-1]:
                key, value = msgspec.json.decode(line, type=tuple[str, msgspec.Raw])
                self._values[key] = bytes(value)
        whole = [stamp.encode(), *(_line(key, value) for key, value in self._values.items()), b""]
        path.write_bytes(b"\n".join(whole))

    def get(self, key: str, kind: type[T], make: Callable[[], T]) -> T:
        """The value of a key, made where it is not kept. ``kind`` is what it is read as."""
        if key not in self._values:
            self._values[key] = msgspec.json.encode(make())
            with self._path.open("ab") as file:
                file.write(_line(key, self._values[key]) + b"\n")
        return msgspec.json.decode(self._values[key], type=kind)


def _line(key: str, value: bytes) -> bytes:
    return msgspec.json.encode((key, msgspec.Raw(value)))
