"""Gzip, unpacked as a bounded stream.

The standard library's reader takes 8 kB of packed bytes at a time; taking 256 kB halves the time
for a PubMed file and lets a thread that unpacks ahead work without fighting for the interpreter.
"""

from __future__ import annotations

import io
import zlib
from typing import IO, Any

from osler.errors import FormatError, LimitError
from osler.settings import MAX_RATIO, MAX_UNPACKED

MAGIC = b"\x1f\x8b"
# Small files compress well for honest reasons (a table of repeated ids): the ratio counts from here
RATIO_FROM = 64_000_000

_PACKED_CHUNK = 1 << 18
_GZIP = 16 + zlib.MAX_WBITS


class Unpacked(io.RawIOBase):
    """The bytes of a gzip file, members joined, up to a size and a ratio to the packed file."""

    def __init__(self, packed: IO[bytes], name: str, size: int) -> None:
        self._packed = packed
        self._name = name
        self._limit = min(MAX_UNPACKED.get(), max(RATIO_FROM, size * MAX_RATIO.get()))
        self._seen = 0
        self._member = zlib.decompressobj(_GZIP)
        self._waiting = b""
        self._started = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._some(len(buffer))
        self._seen += len(data)
        if self._seen > self._limit:
            raise LimitError(
                f"{self._name} unpacks to more than a file of its size may",
                cure="raise OSLER_MAX_UNPACKED or OSLER_MAX_RATIO if the file is honest",
            )
        buffer[: len(data)] = data
        return len(data)

    def _some(self, most: int) -> bytes:
        while True:
            if self._member.eof:
                # Tape blocks are padded with zeros; anything else that follows is another member.
                rest = (self._member.unused_data or self._waiting).lstrip(b"\0")
                while not rest:
                    more = self._packed.read(_PACKED_CHUNK)
                    if not more:
                        return b""
                    rest = more.lstrip(b"\0")
                self._member = zlib.decompressobj(_GZIP)
                self._waiting = rest
                self._started = False
            packed = self._waiting or self._packed.read(_PACKED_CHUNK)
            self._waiting = b""
            if packed:
                self._started = True
            try:
                data = self._member.decompress(packed, most)
            except zlib.error:
                raise FormatError(
                    f"{self._name} is damaged: its gzip stream cannot be unpacked"
                ) from None
            self._waiting = self._member.unconsumed_tail
            if data:
                return data
            if not packed and not self._member.eof:
                raise FormatError(f"{self._name} is cut short: its gzip stream has no end")

    def close(self) -> None:
        self._packed.close()
        super().close()
