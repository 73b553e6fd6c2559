"""A file that came as a field of a form or of JSON: text as it is, other bytes as a data URL."""

from __future__ import annotations

import base64
import binascii
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from osler.errors import FormatError

_MARK = ";base64,"
_LONGEST_HEAD = 200


@contextmanager
def sent_file(text: str) -> Iterator[Path]:
    """A file with what was sent, gone at the end."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sent"
        file.write_bytes(_bytes(text))
        yield file


def _bytes(text: str) -> bytes:
    head = text[:_LONGEST_HEAD]
    if not (head.startswith("data:") and _MARK in head):
        return text.encode("utf-8", "replace")
    try:
        return base64.b64decode(text.partition(_MARK)[2], validate=True)
    except (binascii.Error, ValueError):
        raise FormatError("the data URL that was sent is damaged") from None
