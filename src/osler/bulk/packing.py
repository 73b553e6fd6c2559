"""What travels between the writer and the workers: our own kinds as msgpack, never pickled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from osler.errors import (
    DamageError,
    FieldError,
    FormatError,
    InputError,
    LimitError,
    MissingModel,
    OslerError,
    RefusedError,
    StorageError,
)
from osler.files.reader import Item
from osler.kinds import Deletion, Document, Entity, Fact, Note, Pair, Reject, Triple
from osler.store.documents import Change

KINDS: tuple[type[Item], ...] = (Document, Deletion, Entity, Triple, Pair, Reject, Note, Fact)
_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
_encode = msgspec.msgpack.Encoder().encode
_decoders = [msgspec.msgpack.Decoder(kind) for kind in KINDS]
_listed = msgspec.msgpack.Decoder(list[tuple[int, msgspec.Raw]])
_changes = msgspec.msgpack.Decoder(list[tuple[int, int, Document]])
TOGETHER = 2_000
"""Items that are packed together: what is unpacked at once."""
ERRORS: dict[str, type[OslerError]] = {
    kind.code: kind
    for kind in (
        InputError,
        FormatError,
        FieldError,
        LimitError,
        DamageError,
        StorageError,
        MissingModel,
        RefusedError,
    )
}


class Failure(msgspec.Struct, frozen=True):
    """An error of ours on its way to the writer."""

    code: str
    message: str
    cure: str = ""

    @classmethod
    def of(cls, error: OslerError) -> Failure:
        return cls(error.code, error.message, error.cure)

    def error(self) -> OslerError:
        error = ERRORS.get(self.code, OslerError)(self.message, cure=self.cure)
        error.code = self.code
        return error


class PackedFile(msgspec.Struct, frozen=True):
    """What a worker read of one file: packed items, and what broke it off, if anything did."""

    items: list[bytes]
    failure: Failure | None = None


def pack(items: Iterable[Item]) -> tuple[list[bytes], Failure | None]:
    """Items in packs; an error in the middle ends them and is told."""
    packs: list[bytes] = []
    batch: list[tuple[int, Item]] = []
    failure = None
    try:
        for item in items:
            batch.append((_NUMBERS[type(item)], item))
            if len(batch) == TOGETHER:
                packs.append(_encode(batch))
                batch = []
    except OslerError as error:
        failure = Failure.of(error)
    if batch:
        packs.append(_encode(batch))
    return packs, failure


def unpack(packs: Iterable[bytes]) -> Iterator[Item]:
    for data in packs:
        for number, raw in _listed.decode(data):
            yield _decoders[number].decode(raw)


def pack_changes(changes: Sequence[Change]) -> bytes:
    """Changed documents with their row and number; deletions have nothing to link."""
    return _encode([(c.row, c.seq, c.document) for c in changes if c.document is not None])


def unpack_changes(data: bytes) -> list[tuple[int, int, Document]]:
    return _changes.decode(data)
