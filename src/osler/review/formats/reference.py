"""The bibliographic part of a record, as every format needs it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from osler.corpus.fields import flat
from osler.kinds import Document


def author_names(document: Document) -> list[str]:
    """``Family, Given`` of each author."""
    return [
        f"{one.family}, {one.given or one.initials}" if one.given or one.initials else one.family
        for one in document.authors
    ]


def month_of(document: Document) -> str:
    return document.published[5:7].lstrip("0")


def detail(document: Document, name: str) -> str:
    """Volume, issue, pages: what readers keep in the metadata."""
    return str(document.metadata.get(name) or "")


def inert(cell: object) -> object:
    """A cell on one line that no spreadsheet takes for a formula."""
    if not isinstance(cell, str):
        return cell
    text = flat(cell)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([inert(cell) for cell in row])
    return out.getvalue()


def ris_record(document: Document, notes: Iterable[str]) -> str:
    """One record in RIS with notes."""
    year, _, rest = document.published.partition("-")
    first, _, last = detail(document, "pages").partition("-")
    lines = [("TY", "JOUR"), ("ID", document.id), ("TI", document.title)]
    lines += [("AU", name) for name in author_names(document)]
    lines += [("T2", document.journal), ("PY", year)]
    lines += [("DA", f"{year}/{rest.replace('-', '/')}" if rest else year)]
    lines += [("VL", detail(document, "volume")), ("IS", detail(document, "issue"))]
    lines += [("SP", first), ("EP", last), ("AB", document.abstract)]
    lines += [("DO", document.ids.get("doi", "")), ("LA", document.language)]
    if pmid := document.ids.get("pmid"):
        lines += [("DB", "PubMed"), ("AN", pmid)]
    lines += [("C2", document.ids.get("pmcid", ""))]
    lines += [("KW", word) for word in document.keywords]
    lines += [("N1", note) for note in notes]
    told = [f"{tag}  - {flat(value)}" for tag, value in lines if flat(value)]
    return "\r\n".join([*told, "ER  - ", "", ""])
