"""A document's row in the truth: what is in it, and how it is checked when it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from osler.errors import DamageError
from osler.kinds import Document
from osler.store.truth import checksum

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Document).decode


class Change(NamedTuple):
    """One document's change, as derived indexes take it. ``document`` is None for a deletion."""

    row: int
    id: str
    seq: int
    born: int
    document: Document | None

    @property
    def fresh(self) -> bool:
        """The row's first change: no index that lacks it can hold anything of the row."""
        return self.born == self.seq


def load(row: Sequence[Any]) -> Document:
    """A document out of the columns of ``FULL_ROW``, checked against both its checksums."""
    id, content, body, expected = row[0], *row[5:8]
    if checksum(body) != content or expected != checksum(*row[:6]):
        raise DamageError(f"document {id} is damaged: its checksum does not hold")
    try:
        return _decode(body)
    except msgspec.DecodeError:
        raise DamageError(f"document {id} is damaged: its body cannot be read") from None


class _Titled(msgspec.Struct):
    """As much of a document as its title."""

    title: str = ""


_decode_title = msgspec.json.Decoder(_Titled).decode


def title_of(body: bytes) -> str:
    """A document's title out of its body; empty where the body cannot be read."""
    try:
        return _decode_title(body).title
    except msgspec.DecodeError:
        return ""


FULL_ROW = "id, seq, born, deleted, revised, content, body, checksum"
