"""The encoding of a text file that does not declare one."""

from __future__ import annotations

import codecs
import io
from typing import Any

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SCANNED = 8 << 20
"""Bytes that are looked at: an export of some ten thousand references."""
SAMPLE = 65_536
FEWEST = 3
"""Lines that must be strange before a file is taken for one in another encoding: one or two are
damage."""


def encoding_of(stream: io.BufferedReader) -> str:
    """UTF-8, unless the file says otherwise: by its mark, or by letters of which none is UTF-8.

    A file in which some lines are sound UTF-8 and others are not is a damaged UTF-8 file: its bad
    lines are rejects. Where no line beyond ASCII is sound, and there are several, the lines are in
    another encoding, and charset-normalizer says in which. The byte 255 is no text in any of them.
    """
    first = stream.read(2)
    if first in UTF16:
        return "utf-16"
    sample = b""
    strange = 0
    rest = first
    seen = 0
    while seen < SCANNED and (line := rest + stream.readline(SAMPLE)):
        rest = b""
        seen += len(line)
        if line.isascii():
            continue
        try:
            line.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        except UnicodeDecodeError as error:
            # A long line may be cut inside of a letter.
            if error.reason == "unexpected end of data" and len(line) >= SAMPLE:
                return "utf-8"
            if line.startswith(codecs.BOM_UTF8) and seen == len(line):
                return "utf-8"
            if b"\xff" not in line:
                strange += 1
                sample += line if len(sample) < SAMPLE else b""
            continue
        return "utf-8"
    return _guessed(sample) if strange >= FEWEST else "utf-8"


def _guessed(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    matches = from_bytes(sample)
    best = matches.best()
    name = best.encoding if best is not None else ""
    for match in matches:
        # Where Western Europe fits about as well as another, it is that: most exports are.
        western = {"cp1252", "latin_1"} & {match.encoding, *match.could_be_from_charset}
        if best is not None and western and match.chaos <= best.chaos + 0.1:
            name = "cp1252"
    try:
        sample.decode(name or "cp1252")
        codecs.lookup(name or "cp1252")
    except (LookupError, UnicodeDecodeError):
        # Every byte is a letter of Latin-1.
        return "latin-1"
    return name or "cp1252"


def utf8_lines(stream: io.BufferedReader) -> io.BufferedReader:
    """The bytes of a UTF-16 text as UTF-8, a piece at a time."""
    return io.BufferedReader(_AsUtf8(stream), 1 << 16)


class _AsUtf8(io.RawIOBase):
    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._stream.read(1 << 16)
            self._ready = self._decoder.decode(data, final=not data).encode("utf-8")
            if not data:
                break
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
