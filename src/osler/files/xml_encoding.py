"""The encoding that an XML file declares: its bytes as UTF-8."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator

from osler.errors import FormatError

READ_BYTES = 1 << 20
_PROLOG = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


def _encoding(start: bytes) -> str:
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    match = _PROLOG.match(start.removeprefix(b"\xef\xbb\xbf"))
    return match[1].decode("ascii").lower() if match else "utf-8"


def as_utf8_head(start: bytes) -> bytes:
    encoding = _encoding(start)
    if encoding == "utf-16":
        return start[: len(start) & ~1].decode("utf-16", "replace").encode("utf-8", "replace")
    return start


def _decoder(encoding: str, name: str) -> codecs.IncrementalDecoder:
    try:
        info = codecs.lookup(encoding)
        if not info._is_text_encoding:
            raise LookupError
        return info.incrementaldecoder("strict")
    except (LookupError, TypeError):
        raise FormatError(f"{name} declares an encoding that is not known") from None


def utf8_pieces(stream: io.BufferedReader | io.BytesIO, name: str) -> Iterator[bytes]:
    """The bytes as UTF-8; those that are so already pass untouched and are judged by the parser."""
    data = stream.read1(READ_BYTES)
    encoding = _encoding(data)
    if encoding in {"utf-8", "utf8", "us-ascii", "ascii"}:
        while data:
            yield data
            data = stream.read1(READ_BYTES)
        return
    decoder = _decoder(encoding, name)
    try:
        while data:
            yield decoder.decode(data).encode("utf-8")
            data = stream.read1(READ_BYTES)
        yield decoder.decode(b"", True).encode("utf-8")
    except UnicodeError:
        raise FormatError(f"{name} is not in the encoding that it declares") from None


def to_utf8(data: bytes, name: str) -> bytes:
    return b"".join(utf8_pieces(io.BytesIO(data), name))
