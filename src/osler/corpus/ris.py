"""RIS, as EndNote, Zotero, Mendeley and the publishers' sites export it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.corpus import fields, making
from osler.corpus.tagged import Record, records
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Document, Reject

_TAG = re.compile(r"^\ufeff?\s?([A-Z][A-Z0-9]|PMID) {1,2}-(?: (.*))?$")
_START = re.compile(r"^\ufeff?\s?TY {1,2}-( |\r?$)", re.MULTILINE)
# What databases write before the first record: who gave it, a number, a title.
_BEFORE = 4_000
# The names that PubMed gives to the types of RIS that hold papers.
TYPES = {
    "JOUR": "Journal Article",
    "JFULL": "Journal Article",
    "EJOUR": "Journal Article",
    "MGZN": "Journal Article",
    "CONF": "Conference Paper",
    "CPAPER": "Conference Paper",
    "CHAP": "Book Chapter",
    "BOOK": "Book",
    "THES": "Thesis",
    "RPRT": "Technical Report",
    "PREP": "Preprint",
    "UNPB": "Preprint",
}


@readers.register("ris")
class Ris(Reader):
    """The id is the PMID where the record tells it, else its own (ID, AN), PMCID or DOI."""

    name = "ris"
    help = "RIS, as reference managers export it"
    own_ids = False

    @classmethod
    def recognises(cls, head: Head) -> bool:
        match = _START.search(head.text[:_BEFORE])
        if match is None:
            return False
        before = head.text[: match.start()]
        # Another format may quote a RIS record; no line before it may be a tag, or XML or JSON.
        return before.lstrip()[:1] not in {"<", "{", "[", "@", "%"} and not any(
            _TAG.match(line.rstrip("\r")) for line in before.split("\n")
        )

    def read(self, source: Source) -> Iterator[Item]:
        last: Record | None = None
        for record in records(source, _TAG, opens="TY", closes="ER"):
            if last is not None:
                yield _item(last, source.name)
            last = record
        if last is None:
            raise FormatError(f"{source.name} is empty: it has no record (TY)")
        if not last.ended and not last.bad:
            raise FormatError(f"{source.name} is cut short: its last record has no end (ER)")
        yield _item(last, source.name)


def _item(record: Record, file: str) -> Document | Reject:
    place = f"line {record.line}"
    if record.bad:
        return Reject(file, place, record.bad)
    if not record.ended:
        return Reject(file, place, "has no end (ER)")
    title = fields.flat(record.first("TI", "T1", "CT"))
    published = fields.loose_date(record.first("DA", "PY", "Y1").replace("/", "-").strip("-"))
    year = fields.loose_date(record.first("PY", "Y1"))
    ids = making.identifiers(pmid=_pmid(record), doi=record.first("DO", "M3"), pmcid=_pmcid(record))
    given = fields.flat(record.first("ID", "AN"))
    id = making.identity(ids, given=given, title=title, year=year[:4])
    if not id or len(id) > 500:
        return Reject(file, place, "no id, DOI or title")
    pages = "-".join(p for p in (record.first("SP"), record.first("EP")) if p)
    metadata = {
        "volume": record.first("VL"),
        "issue": record.first("IS"),
        "pages": pages,
        "issn": record.first("SN"),
        "url": record.first("UR"),
        "database": record.first("DB"),
        "accession": record.first("AN"),
    }
    kind = record.first("TY").upper()
    document = Document(
        id=id,
        title=title,
        sections=making.sections(record.first("AB", "N2")),
        keywords=tuple(word for value in record.all("KW") for word in making.listed(value)),
        language=fields.language(record.first("LA")),
        published=published or year,
        journal=fields.flat(record.first("JF", "T2", "JO", "JA", "J2")),
        authors=making.authors(record.all("AU", "A1")),
        ids=ids,
        types=(TYPES[kind],) if kind in TYPES else (),
        metadata={key: fields.flat(value) for key, value in metadata.items() if value},
    )
    return fields.size_reject(file, place, id) if fields.too_large(document) else document


def _pmcid(record: Record) -> str:
    """``C2`` is a custom field: only what is written as a PMCID is one."""
    return next((v for v in record.all("C2") if v.upper().startswith(("PMC", "PMCID"))), "")


def _pmid(record: Record) -> str:
    if fields.pmid(record.first("PMID")):
        return record.first("PMID")
    if "scopus" in record.first("DB", "DP").lower() and fields.pmid(record.first("C2")):
        return record.first("C2")
    database = record.first("DB", "DP").lower()
    accession = record.first("AN")
    if any(name in database for name in ("pubmed", "medline", "nlm")) and fields.pmid(accession):
        return accession
    for value in record.all("AN", "C1", "M2", "N1", "U1"):
        match = re.match(r"(?i)pmid:?\s*(\d{1,9})\b", value)
        if match:
            return match[1]
    for value in record.all("UR", "L2"):
        match = re.search(r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|/pubmed/)(\d{1,9})\b", value)
        if match:
            return match[1]
    return ""
