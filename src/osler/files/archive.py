"""Members of a zip archive that a stranger made, read with bounds.

A name in an archive is only ever looked up, no path is made of it. The size that the directory
tells is not believed: what is read is counted.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from osler.errors import FormatError, LimitError
from osler.files.source import Source
from osler.files.unpack import RATIO_FROM
from osler.settings import MAX_RATIO, MAX_UNPACKED

MAGIC = b"PK\x03\x04"
MOST_MEMBERS = 10_000
_CHUNK = 1 << 20


class Archive:
    """The members of a zip file by name; all that is read counts against one bound."""

    def __init__(self, file: zipfile.ZipFile, source: Source) -> None:
        self._file = file
        self._name = source.name
        size = source.path.stat().st_size
        self._left = min(MAX_UNPACKED.get(), max(RATIO_FROM, size * MAX_RATIO.get()))
        self.names = [info.filename for info in file.infolist() if not info.is_dir()]
        if len(self.names) > MOST_MEMBERS:
            raise LimitError(f"{self._name} holds more than {MOST_MEMBERS} files")

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        parts = []
        try:
            with self._file.open(name) as member:
                while part := member.read(_CHUNK):
                    self._left -= len(part)
                    if self._left < 0:
                        raise LimitError(
                            f"{self._name} unpacks to more than a file of its size may",
                            cure="raise OSLER_MAX_UNPACKED or OSLER_MAX_RATIO if it is honest",
                        )
                    parts.append(part)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError):
            raise FormatError(f"{self._name} is damaged: {name[:60]!r} cannot be read") from None
        return b"".join(parts)


def is_archive(source: Source) -> bool:
    """Whether a file begins like a zip archive."""
    if source.is_folder:
        return False
    with source.open() as stream:
        return stream.read(len(MAGIC)) == MAGIC


@contextmanager
def opened(source: Source) -> Iterator[Archive]:
    """An archive, closed at the end."""
    try:
        file = zipfile.ZipFile(source.path)
    except (zipfile.BadZipFile, OSError, ValueError):
        raise FormatError(f"{source.name} is damaged: it is no whole archive") from None
    with file:
        yield Archive(file, source)
