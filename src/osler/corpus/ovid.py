"""Ovid's text export: ``<1>`` opens a record, a name stands alone on its line, its value below."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.corpus.reference import reference
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import BAD_LINE, LINE_FIELDS, Head, Source
from osler.kinds import Document, Reject
from osler.settings import MAX_FIELD

_OPENS = re.compile(r"^\s*<(\d{1,9})>\s*$")
_NAME = re.compile(r"^[A-Z][A-Za-z/ -]{1,60}$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PERSON = re.compile(r"(?:\s+\d+)+$|\s*\[Ed\]\s*$|\.$")
Values = dict[str, str]


@readers.register("ovid")
class Ovid(Reader):
    """The id is the PMID where Ovid names it, else the accession number, the DOI, the title."""

    name = "ovid"
    help = "Ovid's text export: <1>, Title, Source"
    own_ids = False

    @classmethod
    def recognises(cls, head: Head) -> bool:
        lines = [line.rstrip() for line in head.text.lstrip().split("\n")[:400]]
        return bool(lines and _OPENS.match(lines[0])) and not {
            "Title", "Source", "Author", "Authors", "Accession Number", "Unique Identifier",
        }.isdisjoint(lines)  # fmt: skip

    def read(self, source: Source) -> Iterator[Item]:
        most = MAX_FIELD.get() * LINE_FIELDS
        start, size, reason, name = 0, 0, "", ""
        values: Values = {}
        for number, line in source.lines():
            if line is not None and _OPENS.match(line):
                if start:
                    yield _item(values, reason, source.name, f"line {start}")
                start, size, reason, name, values = number, 0, "", "", {}
            elif start and line is None:
                reason = BAD_LINE
            elif start and line is not None and line.strip():
                size += len(line)
                if size > most:
                    reason, values = "larger than a record may be", {}
                elif line[:1].isspace():
                    values[name] = f"{values.get(name, '')} {line.strip()}".strip()
                elif _NAME.match(line.rstrip()):
                    name = line.strip().casefold()
                    values.setdefault(name, "")
                else:
                    values[name] = f"{values.get(name, '')} {line.strip()}".strip()
            elif not start and line is None:
                yield Reject(source.name, f"line {number}", BAD_LINE)
        if not start:
            raise FormatError(f"{source.name} is empty: it has no record (<1>)")
        yield _item(values, reason, source.name, f"line {start}")


def _item(values: Values, reason: str, file: str, place: str) -> Document | Reject:
    if reason:
        return Reject(file, place, reason)

    def value(*names: str) -> str:
        return next((values[n] for n in names if values.get(n, "").strip(" -")), "")

    source = value("source")
    year = value("year of publication", "year", "publication date") or source + value("status")
    match = _YEAR.search(year)
    # Books have no title of their own here: it stands in the chapter's or the source's line.
    title = value("title", "chapter title", "book title") or source
    people = value("author", "authors").split(";")
    identifier = value("unique identifier", "pmid")
    return reference(
        file,
        place,
        given=value("accession number", "unique identifier").rstrip("."),
        kind=value("publication type", "document type").partition(":")[0],
        title=re.sub(r"\s*\[[A-Z][A-Za-z, ]+\]\.?$", "", title),
        abstract=value("abstract"),
        authors=[_PERSON.sub("", person.strip()) for person in people],
        year=match[0] if match else "",
        journal=source.partition(". ")[0].rstrip(". ") if value("title") else "",
        keywords=value("author keywords", "keywords", "key phrase identifiers")
        .rstrip(".")
        .split(";"),
        language=value("language"),
        doi=value("doi number", "doi", "digital object identifier").replace(
            "http://dx.doi.org/", ""
        ),
        pmid=identifier,
        metadata={"source": source, "issn": value("issn"), "database": value("database")},
    )
