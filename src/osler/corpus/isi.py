"""Web of Science's tagged export (ISI): two letters and a blank, indented lines go on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.corpus import fields
from osler.corpus.reference import reference
from osler.corpus.tagged import Record, records
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Document, Reject

_TAG = re.compile(r"^\ufeff?([A-Z][A-Z0-9])(?: (.*))?$")
_HEAD = re.compile(r"\s*FN [^\n]*(?:ISI|Web of Science|Clarivate|Thomson)", re.IGNORECASE)
_FRAME = frozenset({"FN", "VR", "EF"})


@readers.register("isi")
class Isi(Reader):
    """The id is the PMID, else the accession number (UT), else the DOI."""

    name = "isi"
    help = "Web of Science's tagged text (ISI export format)"
    own_ids = False

    @classmethod
    def recognises(cls, head: Head) -> bool:
        text = head.text
        return bool(_HEAD.match(text)) or bool(
            re.match(r"\s*PT [JBSPCK]\r?\n(?:AU|TI|A[FN]) ", text)
        )

    def read(self, source: Source) -> Iterator[Item]:
        last: Record | None = None
        for record in records(source, _TAG, opens="PT", closes="ER", outside=_FRAME):
            if last is not None:
                yield _item(last, source.name)
            last = record
        if last is None:
            raise FormatError(f"{source.name} is empty: it has no record (PT)")
        if not last.ended and not last.bad:
            raise FormatError(f"{source.name} is cut short: its last record has no end (ER)")
        yield _item(last, source.name)


def _item(record: Record, file: str) -> Document | Reject:
    place = f"line {record.line}"
    if record.bad:
        return Reject(file, place, record.bad)
    if not record.ended:
        return Reject(file, place, "has no end (ER)")
    pages = "-".join(p for p in (record.first("BP", "BR"), record.first("EP")) if p)
    doi = record.first("DI")
    return reference(
        file,
        place,
        given=record.first("UT", "AN"),
        kind=record.first("DT") if fields.flat(record.first("DT")) not in {"", "-"} else "article",
        title=record.first("TI"),
        abstract=record.first("AB"),
        authors=record.lines("AF") or record.lines("AU"),
        year=record.first("PY"),
        date=f"{record.first('PY')} {record.first('PD')}",
        journal=record.first("SO"),
        keywords=[*record.all("DE"), *record.all("ID")],
        language=record.first("LA"),
        doi=doi,
        pmid=record.first("PM"),
        metadata={
            "volume": record.first("VL"),
            "issue": record.first("IS"),
            "pages": pages or record.first("AR", "PS"),
            "issn": record.first("SN"),
            "publisher": record.first("PU"),
            "accession": record.first("UT", "AN"),
            "citations": record.first("TC", "Z9"),
        },
    )
