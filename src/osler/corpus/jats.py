"""JATS (and NLM's archiving DTD before it): full text, as PubMed Central and publishers give it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.corpus import fields, making
from osler.corpus.jats_text import block, sections, text
from osler.errors import FormatError, LimitError
from osler.files.reader import Item, Reader, readers
from osler.files.source import LINE_FIELDS, Head, Source
from osler.files.xml import batches, parse, root_name
from osler.kinds import Author, Document, Reject, Section
from osler.settings import MAX_FIELD

LANG = "{http://www.w3.org/XML/1998/namespace}lang"
SETS = ("pmc-articleset", "article-set", "articles")
"""Roots that hold several articles."""
# Abstracts for the eye or for the table of contents stand in only when there is no other.
SIDE_ABSTRACTS = {"graphical", "toc", "teaser", "precis", "summary", "editor", "key-points"}


@readers.register("jats")
class Jats(Reader):
    """The id is the PMID, else the PMCID, else the DOI. Sections nest as ``Methods > Patients``."""

    name = "jats"
    help = "JATS full text (.nxml), one article or a pmc-articleset"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        root = root_name(head.start)
        return (root in SETS and b"<article" in head.start) or (
            root == "article" and any(m in head.start for m in (b"<front", b"JATS", b"NLM//DTD"))
        )

    def read(self, source: Source) -> Iterator[Item]:
        root = root_name(source.head().start)
        if root in SETS:
            yield from _several(source, root)
            return
        most = MAX_FIELD.get() * LINE_FIELDS
        with source.open() as stream:
            data = stream.read(most + 1)
        if not data.removeprefix(b"\xef\xbb\xbf").strip():
            raise FormatError(f"{source.name} is empty")
        if len(data) > most:
            raise LimitError(f"{source.name} is larger than one article may be")
        if root == "article" and data.count(b"</article>") > 1:
            # One article after the other, each with its own prolog.
            yield from _several(source, root)
            return
        element = parse(data, name=source.name)
        if _local(element) != "article":
            raise FormatError(f"{source.name} is no JATS article")
        yield _item(element, source.name, "record 1")


def _several(source: Source, root: str) -> Iterator[Item]:
    for batch in batches(source, ("article",), root=root):
        for place, element in enumerate(batch.elements):
            where = f"record {batch.first + place}"
            if element is None:
                yield Reject(source.name, where, batch.reasons[place])
            else:
                yield _item(element, source.name, where)


def _local(element: Any) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _item(article: Any, file: str, place: str) -> Document | Reject:
    meta = article.find("front/article-meta")
    if meta is None:
        meta = article.find("front-stub")
    if meta is None:
        return Reject(file, place, "no article-meta")
    by_kind = {id.get("pub-id-type", ""): text(id) for id in meta.findall("article-id")}
    ids = making.identifiers(
        pmid=by_kind.get("pmid", ""),
        doi=by_kind.get("doi", ""),
        pmcid=by_kind.get("pmc", "") or by_kind.get("pmcid", ""),
    )
    id = making.identity(ids, given="") or fields.flat(by_kind.get("publisher-id", ""))[:200]
    if not id:
        return Reject(file, place, "no article-id")
    body = article.find("body")
    full_text = sections(body) if body is not None else ()
    full_text += _appendices(article)
    for part in article.iterfind("sub-article"):
        full_text += _sub_article(part)
    floats = [block(child) for child in article.findall("floats-group/*")]
    if any(floats):
        full_text += (Section("\n".join(filter(None, floats)), "Figures and tables"),)
    journal = article.find("front/journal-meta")
    document = Document(
        id=id,
        title=_title(meta),
        sections=_abstract(meta),
        keywords=tuple(word for k in meta.iterfind("kwd-group//kwd") if (word := text(k))),
        language=fields.language(article.get(LANG) or ""),
        published=_published(meta),
        journal=_journal(journal) if journal is not None else "",
        authors=_authors(meta),
        ids=ids,
        types=_types(article, meta),
        retracted=_retracted(article, meta),
        full_text=full_text,
        metadata=_metadata(article, meta),
    )
    return fields.size_reject(file, place, id) if fields.too_large(document) else document


def _appendices(article: Any) -> tuple[Section, ...]:
    """What stands after the body and is text of the paper: appendices, and sections of the back."""
    appended: list[Section] = []
    for path in ("back/app-group/app", "back/app", "back/sec"):
        for part in article.iterfind(path):
            title = part.find("title")
            called = text(title) if title is not None else ""
            label = text(part.find("label")) if part.find("label") is not None else ""
            appended.extend(sections(part, (called or label or "Appendix",)))
    return tuple(appended)


def _sub_article(part: Any) -> tuple[Section, ...]:
    """A translation, a reply, a letter of decision: its title, abstract and body, each section
    under what it is and in which language."""
    kind = fields.flat((part.get("article-type") or "sub-article").replace("-", " "))
    language = fields.language(part.get(LANG) or "")
    path = f"{kind} ({language})" if language else kind
    meta = part.find("front-stub")
    if meta is None:
        meta = part.find("front/article-meta")
    parts: list[Section] = []
    if meta is not None:
        if title := _title(meta):
            parts.append(Section(title, path))
        for abstract in meta.findall("abstract"):
            parts.extend(sections(abstract, (path, "Abstract")))
    body = part.find("body")
    if body is not None:
        parts.extend(sections(body, (path,)))
    parts.extend(Section(s.text, f"{path} > {s.label}") for s in _appendices(part))
    for inner in part.iterfind("sub-article"):
        parts.extend(_sub_article(inner))
    return tuple(parts)


def _title(meta: Any) -> str:
    parts = [meta.find("title-group/article-title"), meta.find("title-group/subtitle")]
    return ": ".join(filter(None, (text(part) for part in parts if part is not None)))


def _abstract(meta: Any) -> tuple[Section, ...]:
    every = meta.findall("abstract")
    main = [a for a in every if a.get("abstract-type", "") not in SIDE_ABSTRACTS] or every
    return tuple(
        s for a in main[:1] for s in sections(a) if s.label.lower() != "abstract" or s.text
    )


def _published(meta: Any) -> str:
    """The earliest of the dates of publication, the fuller one when they agree."""
    dates = []
    for element in meta.findall("pub-date"):
        year, month, day = (element.findtext(part) or "" for part in ("year", "month", "day"))
        if known := fields.date(year, month, day):
            dates.append(known)
    return min(dates, key=lambda d: (d + "-99-99")[:10]) if dates else ""


def _journal(element: Any) -> str:
    for path in ("journal-title-group/journal-title", "journal-title", "journal-id"):
        node = element.find(path)
        if node is not None and text(node):
            return text(node)
    return ""


def _authors(meta: Any) -> tuple[Author, ...]:
    places = {a.get("id"): _affiliation(a) for a in meta.iter("aff") if a.get("id")}
    authors = []
    for person in meta.findall("contrib-group/contrib"):
        if person.get("contrib-type", "author") != "author":
            continue
        at = [places.get(x.get("rid", ""), "") for x in person.iterfind("xref[@ref-type='aff']")]
        at += [_affiliation(a) for a in person.findall("aff")]
        affiliation = "\n".join(filter(None, at))
        name = person.find("name")
        if name is None:
            name = person.find("name-alternatives/name")
        group = person.find("collab")
        if name is not None:
            family, given, suffix = (
                fields.flat(name.findtext(part) or "")
                for part in ("surname", "given-names", "suffix")
            )
            initials = "".join(
                word[0] for word in given.replace(".", " ").replace("-", " ").split()
            )
            id = fields.flat(person.findtext("contrib-id") or "").rpartition("/")[2]
            authors.append(Author(family or given, given, initials, affiliation, suffix, id))
        elif group is not None and (called := fields.flat(group.text or "") or text(group)):
            authors.append(Author(called, affiliation=affiliation))
    return tuple(authors)


def _affiliation(element: Any) -> str:
    parts = [element.text or ""]
    for child in element:
        if _local(child) not in {"label", "sup"}:
            parts.append(text(child))
        parts.append(child.tail or "")
    return fields.flat(" ".join(parts)).replace(" ,", ",")


def _types(article: Any, meta: Any) -> tuple[str, ...]:
    kinds = [fields.flat((article.get("article-type") or "").replace("-", " ")).title()]
    kinds += [
        text(s)
        for s in meta.iterfind("article-categories/subj-group[@subj-group-type='heading']/subject")
    ]
    return tuple(dict.fromkeys(filter(None, kinds)))


def _retracted(article: Any, meta: Any) -> bool:
    """The paper itself, not the notice: the notice's type is ``retraction``."""
    return article.get("article-type") == "retracted-article" or any(
        r.get("related-article-type") == "retraction-forward" for r in meta.iter("related-article")
    )


def _metadata(article: Any, meta: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        name: fields.flat(meta.findtext(name) or "")
        for name in ("volume", "issue", "fpage", "lpage", "elocation-id")
    }
    first, last = metadata.pop("fpage"), metadata.pop("lpage")
    metadata["pages"] = "-".join(filter(None, (first, last))) or metadata["elocation-id"]
    del metadata["elocation-id"]
    references = article.findall("back//ref-list/ref") or article.findall("back//ref")
    metadata["reference_count"] = len(references)
    metadata["references"] = [
        id
        for reference in references
        for element in reference.iter("pub-id")
        if element.get("pub-id-type") == "pmid" and (id := fields.pmid(text(element)))
    ]
    metadata["other_abstracts"] = [
        {"language": other.get(LANG) or "", "text": " ".join(s.text for s in sections(other))}
        for other in meta.findall("trans-abstract")
    ]
    metadata["issn"] = fields.flat(article.findtext("front/journal-meta/issn") or "")
    metadata["license"] = next(
        (t for e in meta.iterfind("permissions/license") if (t := text(e))), ""
    )[:1000]
    return {key: value for key, value in metadata.items() if value}
