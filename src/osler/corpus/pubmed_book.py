"""PubMed's books and their chapters (``PubmedBookArticle``): GeneReviews, StatPearls, reports."""

from __future__ import annotations

from typing import Any

from osler.corpus import fields
from osler.files.xml import text_of
from osler.kinds import Author, Document, Section


def _text(element: Any) -> str:
    return " ".join(str(text_of()(element)).split()) if element is not None else ""


def book(record: Any) -> Document | str:
    """The document, or the reason why there is none. A chapter's journal is its book."""
    whole = record.find("BookDocument")
    if whole is None:
        return "a book without a BookDocument"
    id = fields.pmid(whole.findtext("PMID") or "")
    if not id:
        return "no PMID"
    ids = {"pmid": id}
    for element in whole.iterfind("ArticleIdList/ArticleId"):
        scheme, value = element.get("IdType"), (element.text or "").strip()
        if scheme == "doi" and fields.doi(value):
            ids["doi"] = fields.doi(value)
        elif scheme in {"pmc", "pmcid"} and fields.pmcid(value):
            ids["pmcid"] = fields.pmcid(value)
        elif scheme == "bookaccession" and value:
            ids["bookaccession"] = value
    called = _text(whole.find("Book/BookTitle"))
    title = _text(whole.find("ArticleTitle"))
    languages = [text for e in whole.iterfind("Language") if (text := (e.text or "").strip())]
    metadata: dict[str, Any] = {
        "publisher": _text(whole.find("Book/Publisher/PublisherName")),
        "isbn": _text(whole.find("Book/Isbn")),
        "languages": languages,
    }
    return Document(
        id=id,
        title=title or called,
        sections=tuple(
            Section(_text(part), part.get("Label", ""))
            for part in whole.iterfind("Abstract/AbstractText")
        ),
        keywords=tuple(word for e in whole.iterfind("KeywordList/Keyword") if (word := _text(e))),
        language=fields.language(languages[0]) if languages else "",
        published=_date(whole.find("Book/PubDate")) or _date(whole.find("ContributionDate")),
        revised=_date(whole.find("DateRevised")),
        journal=called if title else "",
        authors=_authors(whole),
        ids=ids,
        types=tuple(text for e in whole.iterfind("PublicationType") if (text := _text(e)))
        or ("Book Chapter" if title else "Book",),
        metadata={key: value for key, value in metadata.items() if value},
    )


def _date(element: Any) -> str:
    if element is None:
        return ""
    parts = (element.findtext(name) or "" for name in ("Year", "Month", "Day"))
    return fields.date(*parts) or fields.loose_date(element.findtext("MedlineDate") or "")


def _authors(whole: Any) -> tuple[Author, ...]:
    """A chapter's own authors; the book's where it names none."""
    people = whole.findall("AuthorList[@Type='authors']/Author") or whole.findall(
        "AuthorList/Author"
    )
    people = people or whole.findall("Book/AuthorList/Author")
    authors = []
    for person in people:
        family = fields.flat(person.findtext("LastName") or _text(person.find("CollectiveName")))
        if family:
            given = fields.flat(person.findtext("ForeName") or "")
            authors.append(Author(family, given, fields.flat(person.findtext("Initials") or "")))
    return tuple(authors)
