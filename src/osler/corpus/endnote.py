"""EndNote's XML, as EndNote, Bookends and Zotero write it: ``xml/records/record``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.corpus.reference import reference
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.files.xml import batches, root_name, text_of
from osler.kinds import Document, Reject


@readers.register("endnote")
class EndNote(Reader):
    """Styles inside of fields are dropped. The id is the PMID, else the DOI, else a digest of title
    and year: EndNote's own number is a library's, not a paper's."""

    name = "endnote"
    help = "EndNote XML: xml, records, record"
    own_ids = False

    @classmethod
    def recognises(cls, head: Head) -> bool:
        root = root_name(head.start)
        return root in {"xml", "records"} and b"<record>" in head.start

    def read(self, source: Source) -> Iterator[Item]:
        root = root_name(source.head().start)
        for batch in batches(source, ("record",), root=root if root == "records" else "xml"):
            for place, element in enumerate(batch.elements):
                where = f"record {batch.first + place}"
                if element is None:
                    yield Reject(source.name, where, batch.reasons[place])
                else:
                    yield _item(element, source.name, where)


def _text(element: Any) -> str:
    return " ".join(str(text_of()(element)).split())


def _item(record: Any, file: str, place: str) -> Document | Reject:
    def all_of(path: str) -> list[str]:
        return [text for element in record.iterfind(path) if (text := _text(element))]

    def first(*paths: str) -> str:
        return next((text for path in paths for text in all_of(path)), "")

    kind = record.find("ref-type")
    accession = first("accession-num")
    database = (first("remote-database-name") + first("remote-database-provider")).lower()
    of_pubmed = any(word in database for word in ("pubmed", "medline", "nlm"))
    return reference(
        file,
        place,
        kind=kind.get("name", "") if kind is not None else "",
        given=accession if accession and not of_pubmed and not first("electronic-resource-num")
        else "",
        title=first("titles/title", "titles/secondary-title"),
        abstract=first("abstract"),
        authors=all_of("contributors/authors/author") or all_of(".//secondary-authors/author"),
        year=first("dates/year"),
        date=first("dates/pub-dates/date"),
        journal=first(
            "periodical/full-title", "titles/secondary-title", "alt-periodical/full-title"
        ),
        keywords=all_of("keywords/keyword"),
        language=first("language"),
        doi=first("electronic-resource-num"),
        pmid=accession if of_pubmed else "",
        pmcid=first("custom2") if first("custom2").upper().startswith("PMC") else "",
        url=first("urls/related-urls/url", "urls/web-urls/url"),
        metadata={
            "volume": first("volume"),
            "issue": first("number"),
            "pages": first("pages"),
            "issn": first("isbn"),
            "accession": accession,
            "label": first("label"),
        },
    )  # fmt: skip
