"""BEIR's JSON lines: ``_id``, ``title``, ``text``, and what a set adds to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from osler.corpus import fields, making
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import BAD_LINE, Head, Source
from osler.kinds import Document, Heading, Reject, Section
from osler.settings import MAX_FIELD

IDS = ("_id", "id", "pmid", "docid", "doc_id")
TEXTS = ("text", "abstract", "contents")
_NO_TEXT = (dict, list, bool)
_KEY = re.compile(r'[{,]\s*"([A-Za-z_]{1,40})"\s*:')


@readers.register("beir")
class Beir(Reader):
    """One JSON object a line. Keys that no field takes are kept in the metadata."""

    name = "beir"
    help = "JSON lines with _id (or id, pmid), title and text (or abstract), as BEIR's corpora"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        line = head.text.lstrip().split("\n", 1)[0]
        if not line.startswith("{"):
            return False
        keys = set(_KEY.findall(line))
        return (
            "title" in keys
            and not keys.isdisjoint(IDS)
            and not keys.isdisjoint(TEXTS)
            and keys.isdisjoint({"question", "answer", "query"})
        )

    def read(self, source: Source) -> Iterator[Item]:
        empty = True
        for number, line in source.lines():
            place = f"line {number}"
            if line is None:
                empty = False
                yield Reject(source.name, place, BAD_LINE)
                continue
            if not line.strip():
                continue
            empty = False
            record = making.json_object(line)
            if record is None:
                yield Reject(source.name, place, "not a JSON object")
                continue
            id = next((_id(record[key]) for key in IDS if key in record), "")
            if not id:
                yield Reject(source.name, place, "no id")
            elif any(isinstance(record.get(key), _NO_TEXT) for key in ("title", *TEXTS)):
                # Read as empty it would be a paper without words, and nobody would know.
                yield Reject(source.name, place, "title or text is no text", id)
            elif len(line) > MAX_FIELD.get() and making.has_long_text(record):
                yield fields.size_reject(source.name, place, id)
            else:
                yield _document(id, record)
        if empty:
            raise FormatError(f"{source.name} is empty")


def _id(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    return fields.flat(str(value))[:500]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _document(id: str, record: dict[str, Any]) -> Document:
    given = record.get("metadata")
    metadata: dict[str, Any] = making.plain(given) if isinstance(given, dict) else {}
    known = {*IDS, *TEXTS, *_TAKEN, "metadata"}
    extra = {key: value for key, value in record.items() if key not in known}
    metadata.update(making.plain(extra))

    def field(*names: str) -> str:
        for name in names:
            value = _text(record.get(name)) or _text(metadata.get(name))
            if value.strip():
                return value
        return ""

    ids = making.identifiers(
        pmid=field("pmid", "pubmed_id"), doi=field("doi"), pmcid=field("pmcid")
    )
    names = record.get("authors", metadata.get("authors"))
    text = next((t for t in (_text(record.get(key)) for key in TEXTS) if t.strip()), "")
    return Document(
        id=id,
        title=fields.flat(_text(record.get("title"))),
        sections=(Section(fields.clean(text)),) if text.strip() else (),
        keywords=tuple(making.listed(record.get("keywords"))),
        headings=_headings(record.get("mesh"), metadata.get("mesh_ids")),
        language=fields.language(field("language", "lang")),
        published=fields.loose_date(field("published", "publish_time", "date", "year")),
        journal=fields.flat(field("journal")),
        authors=making.authors(making.listed(names)),
        ids=ids,
        metadata=metadata,
    )


_TAKEN = (
    "title",
    "keywords",
    "mesh",
    "language",
    "published",
    "journal",
    "authors",
    "doi",
    "pmcid",
)


def _headings(names: Any, ids: Any) -> tuple[Heading, ...]:
    """Headings by name; ids from a list beside them, or a mapping from the name, where given."""
    if isinstance(names, str):
        names = names.split(";")
    if not isinstance(names, list):
        return ()
    by_name = ids if isinstance(ids, dict) else {}
    headings = []
    for name in names:
        text = fields.flat(name) if isinstance(name, str) else ""
        if text:
            id = by_name.get(name)
            headings.append(Heading(text, _mesh(id) if isinstance(id, str) else ""))
    return tuple(headings)


def _mesh(id: str) -> str:
    return id if ":" in id or not id else f"MESH:{id}"
