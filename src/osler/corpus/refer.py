"""refer, the format of EndNote's ``.enw`` files: a sign and a letter open each field."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.corpus import fields
from osler.corpus.reference import reference
from osler.corpus.tagged import Record, blocks
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Document, Reject

_TAG = re.compile(r"^\ufeff?%(\S)(?:\s+(.*))?$")


@readers.register("refer")
class Refer(Reader):
    """Records are parted by blank lines, or by ``%0`` where there are none."""

    name = "refer"
    help = "refer and EndNote's .enw: %0, %A, %T"
    own_ids = False

    @classmethod
    def recognises(cls, head: Head) -> bool:
        tags = [f[1] for line in head.text.lstrip().split("\n") if (f := _TAG.match(line.rstrip()))]
        starts = bool(_TAG.match(head.text.lstrip().split("\n", 1)[0].rstrip()))
        return starts and "T" in tags and not {"0", "A", "D"}.isdisjoint(tags)

    def read(self, source: Source) -> Iterator[Item]:
        empty = True
        for record in blocks(source, _TAG, opens="0"):
            empty = False
            yield _item(record, source.name)
        if empty:
            raise FormatError(f"{source.name} is empty: it has no record (%)")


def _item(record: Record, file: str) -> Document | Reject:
    place = f"line {record.line}"
    if record.bad:
        return Reject(file, place, record.bad)
    doi = next((v for v in record.all("R", "U") if fields.doi(v)), "")
    return reference(
        file,
        place,
        kind=record.first("0"),
        title=record.first("T", "B"),
        given=record.first("M") if not doi else "",
        abstract=record.first("X"),
        authors=record.all("A", "E"),
        year=record.first("D"),
        date=record.first("8"),
        journal=record.first("J", "B", "S"),
        keywords=record.all("K"),
        language=record.first("G"),
        doi=doi,
        url=record.first("U"),
        metadata={
            "volume": record.first("V"),
            "issue": record.first("N"),
            "pages": record.first("P"),
            "issn": record.first("@"),
            "publisher": record.first("I"),
        },
    )
