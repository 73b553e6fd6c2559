"""PubMed's citations: baseline and update files, and what E-utilities and the web page export.

The elements are those of NLM's PubMed DTD. One pass over each citation's children fills the fields;
a table from tag to function keeps that pass flat, because reading PubMed is what a new library
waits for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from osler.corpus.fields import LANGUAGES, date, loose_date, size_reject, too_large
from osler.corpus.fields import doi as plain_doi
from osler.corpus.fields import pmcid as plain_pmcid
from osler.corpus.pubmed_book import book
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.files.xml import batches, root_name, text_of
from osler.kinds import Author, Deletion, Document, Heading, Reject, Section

TAGS = ("PubmedArticle", "PubmedBookArticle", "DeleteCitation")
ROOT = "PubmedArticleSet"
ROOTS = {
    ROOT: TAGS,
    "PubmedArticle": ("PubmedArticle",),
    "PubmedBookArticle": ("PubmedBookArticle",),
    "PubmedBookArticleSet": ("PubmedBookArticle",),
    "MedlineCitationSet": ("MedlineCitation", "DeleteCitation"),
    "MedlineCitation": ("MedlineCitation",),
}
"""The roots of PubMed's files, old and new, with the records that they hold."""
RETRACTED = "Retracted Publication"
# Two fifths of a file: of references only the PMIDs are kept, of the history nothing.
ASIDE = ("ReferenceList", "History")
_CITED = re.compile(rb"""<ArticleId\s[^>]*?IdType=["']pubmed["'][^>]*>\s*(\d{1,12})\s*<""")

Fields = dict[str, Any]


@readers.register("pubmed")
class PubMed(Reader):
    """``Document.id`` is the PMID. A citation in DeleteCitation becomes a ``Deletion``."""

    name = "pubmed"
    help = "PubMed XML: baseline and update files, efetch and web exports"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return root_name(head.start) in ROOTS

    def read(self, source: Source) -> Iterator[Item]:
        root = root_name(source.head().start)
        tags = ROOTS.get(root, TAGS)
        for batch in batches(source, tags, root=root if root in ROOTS else ROOT, aside=ASIDE):
            for place, element in enumerate(batch.elements):
                number = batch.first + place
                if element is None:
                    yield Reject(source.name, f"record {number}", batch.reasons[place])
                    continue
                tag = element.tag
                if tag != "DeleteCitation":
                    if tag == "PubmedBookArticle":
                        item = book(element)
                    else:
                        parts = [element] if tag == "MedlineCitation" else element
                        item = _citation(parts, batch.asides[place])
                    if isinstance(item, str):
                        yield Reject(source.name, f"record {number}", item)
                    elif batch.large and too_large(item):
                        yield size_reject(source.name, f"record {number}", item.id)
                    else:
                        yield item
                else:
                    for child in element:
                        id = (child.text or "").strip()
                        if id:
                            yield Deletion(id)


def _citation(article: Any, aside: bytes = b"") -> Document | str:
    """The document, or the reason why there is none."""
    metadata: Fields = {}
    fields: Fields = {"metadata": metadata, "ids": {}}
    for part in article:
        tag = part.tag
        if tag == "MedlineCitation":
            status = part.get("Status")
            if status:
                metadata["status"] = status
            for child in part:
                fill = _CITATION.get(child.tag)
                if fill is not None:
                    fill(child, fields)
        elif tag == "PubmedData":
            for child in part:
                fill = _DATA.get(child.tag)
                if fill is not None:
                    fill(child, fields)
    if aside:
        cited = [id.decode() for id in _CITED.findall(aside)]
        if cited:
            metadata["references"] = cited
    id = fields.get("id") or fields["ids"].get("pmid")
    if not id:
        return "no PMID"
    fields["id"] = id
    fields["ids"]["pmid"] = id
    if not fields.get("journal"):
        fields["journal"] = metadata.get("medline_ta", "")
    if fields.get("types") and RETRACTED in fields["types"]:
        fields["retracted"] = True
    return Document(**fields)


def _text(element: Any) -> str:
    """Whole text of an element, inline markup dropped, line breaks of the file as blanks."""
    text: str = (text_of()(element) if len(element) else element.text) or ""
    if "\n" in text:
        return " ".join(text.split())
    return text.strip()


def _date(element: Any) -> str:
    year = month = day = ""
    for child in element:
        tag = child.tag
        if tag == "Year":
            year = child.text or ""
        elif tag == "Month":
            month = child.text or ""
        elif tag == "Day":
            day = child.text or ""
        elif tag == "MedlineDate":
            return loose_date(child.text or "")
    return date(year, month, day)


def _pmid(element: Any, fields: Fields) -> None:
    id = (element.text or "").strip()
    if id.isascii() and id.isdigit():
        fields["id"] = id


def _revised(element: Any, fields: Fields) -> None:
    fields["revised"] = _date(element)


def _completed(element: Any, fields: Fields) -> None:
    fields["metadata"]["completed"] = _date(element)


def _article(element: Any, fields: Fields) -> None:
    languages: list[str] = []
    for child in element:
        tag = child.tag
        if tag == "Language":
            languages.append(child.text or "")
            continue
        fill = _ARTICLE.get(tag)
        if fill is not None:
            fill(child, fields)
    if languages:
        fields["metadata"]["languages"] = languages
        fields["language"] = LANGUAGES.get(languages[0], languages[0])


def _title(element: Any, fields: Fields) -> None:
    fields["title"] = _text(element)


def _vernacular(element: Any, fields: Fields) -> None:
    fields["metadata"]["vernacular_title"] = _text(element)


def _journal(element: Any, fields: Fields) -> None:
    metadata = fields["metadata"]
    for child in element:
        tag = child.tag
        if tag == "JournalIssue":
            for part in child:
                name = part.tag
                if name == "PubDate":
                    fields["published"] = _date(part)
                elif name == "Volume":
                    metadata["volume"] = part.text or ""
                elif name == "Issue":
                    metadata["issue"] = part.text or ""
        elif tag == "Title":
            fields["journal"] = (child.text or "").strip()
        elif tag == "ISOAbbreviation":
            metadata["iso_abbreviation"] = child.text or ""
        elif tag == "ISSN":
            metadata["issn"] = child.text or ""


def _abstract(element: Any, fields: Fields) -> None:
    sections: list[Section] = []
    categories: list[str] = []
    for child in element:
        tag = child.tag
        if tag == "AbstractText":
            label = child.get("Label", "")
            category = child.get("NlmCategory", "")
            if category == "UNASSIGNED":
                category = ""
            if label == "UNASSIGNED" or not label:
                label = category
            sections.append(Section(_text(child), label))
            categories.append(category)
        elif tag == "CopyrightInformation":
            fields["metadata"]["copyright"] = _text(child)
    fields["sections"] = tuple(sections)
    if any(c and c != s.label for c, s in zip(categories, sections, strict=True)):
        fields["metadata"]["categories"] = categories


def _other_abstract(element: Any, fields: Fields) -> None:
    texts = [_text(child) for child in element if child.tag == "AbstractText"]
    fields["metadata"].setdefault("other_abstracts", []).append(
        {"language": element.get("Language", ""), "text": " ".join(texts)}
    )


def _authors(element: Any, fields: Fields) -> None:
    authors: list[Author] = []
    for author in element:
        family = given = initials = suffix = identifier = affiliation = ""
        for child in author:
            tag = child.tag
            if tag == "LastName":
                family = child.text or ""
            elif tag == "ForeName":
                given = child.text or ""
            elif tag == "Initials":
                initials = child.text or ""
            elif tag == "AffiliationInfo":
                for part in child:
                    if part.tag == "Affiliation":
                        text = _text(part) if len(part) else part.text or ""
                        affiliation = f"{affiliation}\n{text}" if affiliation else text
            elif tag == "Suffix":
                suffix = child.text or ""
            elif tag == "Identifier":
                identifier = child.text or ""
            elif tag == "CollectiveName":
                family = _text(child)
        authors.append(
            Author(
                family.strip(),
                given.strip(),
                initials.strip(),
                affiliation,
                suffix,
                identifier.strip(),
            )
        )
    fields["authors"] = tuple(authors)


def _location(element: Any, fields: Fields) -> None:
    scheme = element.get("EIdType")
    value = element.text or ""
    if element.get("ValidYN") == "N":
        return
    if scheme == "doi":
        value = plain_doi(value)
    if value and scheme in {"doi", "pii"}:
        fields["ids"][scheme] = value.strip()


def _pages(element: Any, fields: Fields) -> None:
    for child in element:
        if child.tag == "MedlinePgn":
            fields["metadata"]["pages"] = child.text or ""


def _electronic(element: Any, fields: Fields) -> None:
    fields["metadata"]["electronic"] = _date(element)


def _types(element: Any, fields: Fields) -> None:
    fields["types"] = tuple([(child.text or "").strip() for child in element])
    fields["metadata"]["type_ids"] = [child.get("UI", "") for child in element]


def _grants(element: Any, fields: Fields) -> None:
    grants = []
    for grant in element:
        collected: Fields = {}
        for child in grant:
            name = _GRANT.get(child.tag)
            if name is not None:
                collected[name] = child.text or ""
        grants.append(collected)
    fields["metadata"]["grants"] = grants


def _databanks(element: Any, fields: Fields) -> None:
    banks = []
    for bank in element:
        name = bank.findtext("DataBankName") or ""
        ids = [id.text or "" for id in bank.iter("AccessionNumber")]
        banks.append({"name": name, "ids": ids})
    fields["metadata"]["databanks"] = banks


def _journal_info(element: Any, fields: Fields) -> None:
    metadata = fields["metadata"]
    for child in element:
        name = _JOURNAL_INFO.get(child.tag)
        if name is not None:
            metadata[name] = child.text or ""


def _chemicals(element: Any, fields: Fields) -> None:
    chemicals = []
    for chemical in element:
        collected: Fields = {}
        for child in chemical:
            if child.tag == "NameOfSubstance":
                collected["name"] = (child.text or "").strip()
                collected["id"] = f"MESH:{child.get('UI', '')}"
            elif child.tag == "RegistryNumber":
                collected["registry"] = child.text or ""
        chemicals.append(collected)
    fields["metadata"]["chemicals"] = chemicals


def _headings(element: Any, fields: Fields) -> None:
    headings: list[Heading] = []
    for heading in element:
        name = id = ""
        major = False
        qualifiers: list[str] = []
        for child in heading:
            if child.get("MajorTopicYN") == "Y":
                major = True
            if child.tag == "DescriptorName":
                name = child.text or ""
                id = child.get("UI", "")
            elif child.tag == "QualifierName":
                qualifiers.append(child.text or "")
        if name:
            headings.append(Heading(name, f"MESH:{id}" if id else "", major, tuple(qualifiers)))
    fields["headings"] = tuple(headings)


def _keywords(element: Any, fields: Fields) -> None:
    keywords = [_text(child) for child in element]
    fields["keywords"] = (*fields.get("keywords", ()), *[word for word in keywords if word])


def _corrections(element: Any, fields: Fields) -> None:
    corrections = []
    for child in element:
        kind = child.get("RefType", "")
        if kind == "RetractionIn":
            fields["retracted"] = True
        corrections.append({"type": kind, "pmid": (child.findtext("PMID") or "").strip()})
    fields["metadata"]["corrections"] = corrections


def _other_id(element: Any, fields: Fields) -> None:
    id = (element.text or "").strip()
    if element.get("Source") == "NLM" and plain_pmcid(id):
        fields["ids"].setdefault("pmcid", plain_pmcid(id))
    elif id:
        fields["metadata"].setdefault("other_ids", []).append(id)


def _article_ids(element: Any, fields: Fields) -> None:
    ids = fields["ids"]
    for child in element:
        scheme = child.get("IdType")
        value = (child.text or "").strip()
        if scheme == "doi":
            value = plain_doi(value)
        elif scheme == "pmc":
            scheme, value = "pmcid", plain_pmcid(value)
        elif scheme == "pubmed":
            scheme = "pmid"
        elif scheme != "pii":
            continue
        if value:
            ids.setdefault(scheme, value)


def _references(element: Any, fields: Fields) -> None:
    """For a record that was not cut; the usual way is ``_CITED`` over the bytes."""
    metadata = fields["metadata"]
    cited = [
        id.text.strip()
        for id in element.iter("ArticleId")
        if id.get("IdType") == "pubmed" and id.text and id.text.strip()
    ]
    if cited:
        metadata["references"] = metadata.get("references", []) + cited


Fill = Callable[[Any, Fields], None]

_CITATION: dict[str, Fill] = {
    "PMID": _pmid,
    "DateCompleted": _completed,
    "DateRevised": _revised,
    "Article": _article,
    "MedlineJournalInfo": _journal_info,
    "ChemicalList": _chemicals,
    "CommentsCorrectionsList": _corrections,
    "MeshHeadingList": _headings,
    "OtherID": _other_id,
    "OtherAbstract": _other_abstract,
    "KeywordList": _keywords,
}
_ARTICLE: dict[str, Fill] = {
    "Journal": _journal,
    "ArticleTitle": _title,
    "Pagination": _pages,
    "ELocationID": _location,
    "Abstract": _abstract,
    "AuthorList": _authors,
    "DataBankList": _databanks,
    "GrantList": _grants,
    "PublicationTypeList": _types,
    "VernacularTitle": _vernacular,
    "ArticleDate": _electronic,
}
_DATA: dict[str, Fill] = {"ArticleIdList": _article_ids, "ReferenceList": _references}
_GRANT = {"GrantID": "id", "Acronym": "acronym", "Agency": "agency", "Country": "country"}
_JOURNAL_INFO = {
    "MedlineTA": "medline_ta",
    "NlmUniqueID": "nlm_unique_id",
    "ISSNLinking": "issn_linking",
    "Country": "country",
}
