"""NBIB (MEDLINE display), as PubMed's page and reference managers export it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.corpus import fields, making
from osler.corpus.tagged import Record, records
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Author, Document, Heading, Reject

_TAG = re.compile(r"^\ufeff?([A-Z]{2,4}) {0,2}- ?(.*)$")
_AID = re.compile(r"^(\S.*?)\s*\[(doi|pii)\]$")
_START = re.compile(r"^PMID ?- *\d")


@readers.register("nbib")
class Nbib(Reader):
    """The id is the PMID. A retraction (RIN, or the publication type) marks the document."""

    name = "nbib"
    help = "NBIB, PubMed's tagged export"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return bool(_START.match(head.text.lstrip().split("\n", 1)[0]))

    def read(self, source: Source) -> Iterator[Item]:
        any_record = False
        for record in records(source, _TAG, opens="PMID"):
            any_record = True
            yield _item(record, source.name)
        if not any_record:
            raise FormatError(f"{source.name} is empty: it has no record (PMID)")


def _item(record: Record, file: str) -> Document | Reject:
    place = f"line {record.line}"
    if record.bad:
        return Reject(file, place, record.bad)
    id = fields.pmid(record.first("PMID"))
    if not id:
        return Reject(file, place, "no PMID")
    ids = {"pmid": id}
    for value in record.all("LID", "AID"):
        if named := _AID.match(value):
            known = fields.doi(named[1]) if named[2] == "doi" else named[1]
            if known:
                ids.setdefault(named[2], known)
    if pmcid := fields.pmcid(record.first("PMC")):
        ids["pmcid"] = pmcid
    types = tuple(record.all("PT"))
    languages = record.all("LA")
    metadata = {
        "status": record.first("STAT"),
        "completed": _day(record.first("DCOM")),
        "medline_ta": record.first("TA"),
        "nlm_unique_id": record.first("JID"),
        "country": record.first("PL"),
        "volume": record.first("VI"),
        "issue": record.first("IP"),
        "pages": record.first("PG"),
        "vernacular_title": fields.flat(record.first("TT")),
        "languages": languages,
        "grants": record.all("GR"),
    }
    document = Document(
        id=id,
        title=fields.flat(record.first("TI", "BTI")),
        sections=making.sections(record.first("AB")),
        keywords=tuple(fields.flat(word).lstrip("*") for word in record.all("OT")),
        headings=tuple(heading for value in record.all("MH") if (heading := _heading(value))),
        language=fields.language(languages[0]) if languages else "",
        published=fields.loose_date(record.first("DP")),
        revised=_day(record.first("LR")),
        journal=fields.flat(record.first("JT", "TA")),
        authors=_authors(record),
        ids=ids,
        types=types,
        retracted="Retracted Publication" in types or bool(record.all("RIN")),
        metadata={key: value for key, value in metadata.items() if value},
    )
    return fields.size_reject(file, place, id) if fields.too_large(document) else document


def _day(text: str) -> str:
    return fields.date(text[:4], text[4:6], text[6:8])


def _authors(record: Record) -> tuple[Author, ...]:
    """Full names (FAU) with the initials of AU beside them; groups (CN) after them."""
    full, short = record.all("FAU"), record.all("AU")
    names = list(making.authors(full or short))
    if full and len(full) == len(short):
        names = [
            Author(author.family, author.given, brief.rpartition(" ")[2], author.affiliation)
            for author, brief in zip(names, short, strict=False)
        ]
    elif not full:
        # ``Author AB``: the last word holds the initials.
        names = [Author(*_brief(value)) for value in short]
    return (*names, *(Author(fields.flat(group)) for group in record.all("CN")))


def _brief(value: str) -> tuple[str, str, str]:
    family, _, initials = fields.flat(value).rpartition(" ")
    return (family, "", initials) if family else (initials, "", "")


def _heading(text: str) -> Heading | None:
    """``*Heart/pathology`` and ``Heart/*pathology``: a star marks a main topic."""
    name, *qualifiers = fields.flat(text).split("/")
    if not name.strip("*"):
        return None
    return Heading(
        name.lstrip("*"),
        major="*" in text,
        qualifiers=tuple(q.lstrip("*") for q in qualifiers if q.strip("*")),
    )
