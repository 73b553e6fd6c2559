"""One reference of a bibliography, whatever the format: loose fields to a document or a reject."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from osler.corpus import fields, making
from osler.kinds import Document, Reject

# The names that PubMed gives to the kinds of references that hold papers.
TYPES = {
    "article": "Journal Article",
    "jour": "Journal Article",
    "j": "Journal Article",
    "journal": "Journal Article",
    "journal article": "Journal Article",
    "inproceedings": "Conference Paper",
    "conference": "Conference Paper",
    "conference paper": "Conference Paper",
    "conference proceedings": "Conference Paper",
    "proceedings paper": "Conference Paper",
    "incollection": "Book Chapter",
    "inbook": "Book Chapter",
    "book section": "Book Chapter",
    "book": "Book",
    "review": "Review",
    "phdthesis": "Thesis",
    "mastersthesis": "Thesis",
    "thesis": "Thesis",
    "techreport": "Technical Report",
    "report": "Technical Report",
    "unpublished": "Preprint",
}
_PUBMED = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|/pubmed/)(\d{1,9})\b")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")


def reference(
    file: str,
    place: str,
    *,
    title: str,
    given: str = "",
    kind: str = "",
    abstract: str = "",
    authors: Iterable[str] = (),
    year: str = "",
    date: str = "",
    journal: str = "",
    keywords: Iterable[str] = (),
    language: str = "",
    doi: str = "",
    pmid: str = "",
    pmcid: str = "",
    url: str = "",
    metadata: Mapping[str, str] | None = None,
) -> Document | Reject:
    """The id is the PMID, else the format's own (``given``), the PMCID, the DOI, and at the last a
    digest of title and year: see ``making.identity``."""
    title = fields.flat(title)
    if not doi and (match := _DOI.search(url)):
        doi = match[0]
    if not pmid and (match := _PUBMED.search(url)):
        pmid = match[1]
    ids = making.identifiers(pmid=pmid, doi=doi, pmcid=pmcid)
    year = fields.loose_date(year)
    id = making.identity(ids, given=fields.flat(given), title=title, year=year[:4])
    if not id or len(id) > 500:
        return Reject(file, place, "no id, DOI or title")
    if not title and not fields.flat(abstract) and not ids:
        return Reject(file, place, "no title, abstract or DOI", id)
    published = fields.loose_date(date)
    known = {"url": url, **(metadata or {})}
    type = TYPES.get(kind.strip().casefold(), "")
    document = Document(
        id=id,
        title=title,
        sections=making.sections(abstract),
        keywords=tuple(dict.fromkeys(word for value in keywords for word in making.listed(value))),
        language=fields.language(language.rstrip(".")),
        published=published if published.startswith(year[:4]) and published else year or published,
        journal=fields.flat(journal),
        authors=making.authors(authors),
        ids=ids,
        types=(type,) if type else (),
        metadata={key: fields.flat(value) for key, value in known.items() if fields.flat(value)},
    )
    return fields.size_reject(file, place, id) if fields.too_large(document) else document
