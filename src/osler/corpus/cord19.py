"""CORD-19: metadata.csv, with the full texts of document_parses beside it where they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from osler.corpus import fields, making
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import LINE_FIELDS, Head, Source
from osler.files.table import header_of, rows
from osler.kinds import Document, Reject, Section
from osler.settings import MAX_FIELD

TABLE = "metadata.csv"
PARSES = ("pmc_json_files", "pdf_json_files")


@readers.register("cord19")
class Cord19(Reader):
    """The id is the cord_uid. The publisher's text (pmc_json) goes before the one out of a PDF."""

    name = "cord19"
    help = "CORD-19: the folder, or its metadata.csv with document_parses beside it"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            return _table(head.names) is not None
        return "cord_uid" in header_of(head.text)

    def read(self, source: Source) -> Iterator[Item]:
        path = source.path
        if source.is_folder:
            name = _table(source.head().names)
            if name is None:
                raise FormatError(f"{source.name} is no CORD-19 folder: it has no {TABLE}")
            path = source.path / name
        root = path.parent.resolve()
        table = Source(path, name=source.name)
        for row in rows(table, delimiter=",", required=("cord_uid", "title")):
            if isinstance(row, Reject):
                yield row
                continue
            number, cells = row
            place = f"line {number}"
            id = fields.flat(cells["cord_uid"])
            if not id or len(id) > 100:
                yield Reject(source.name, place, "no cord_uid")
                continue
            full_text, reason = _full_text(root, cells)
            if reason:
                yield Reject(source.name, place, reason, id)
            document = _document(id, cells, full_text)
            if fields.too_large(document):
                yield fields.size_reject(source.name, place, id)
            else:
                yield document


def _table(names: tuple[str, ...]) -> str | None:
    """The table at the top of the folder, or in a folder of one release."""
    tables = [n for n in names if n == TABLE or (n.count("/") == 1 and n.endswith(f"/{TABLE}"))]
    # A folder of several releases: the last by name is the newest by date.
    return max(tables, key=lambda n: (n == TABLE, n)) if tables else None


def _document(id: str, cells: dict[str, str], full_text: tuple[Section, ...]) -> Document:
    metadata = {
        key: fields.flat(cells[key])
        for key in ("source_x", "license", "url", "sha", "s2_id", "arxiv_id")
        if cells.get(key)
    }
    return Document(
        id=id,
        title=fields.flat(cells["title"]),
        sections=making.sections(cells.get("abstract", "")),
        published=fields.loose_date(cells.get("publish_time", "")),
        journal=fields.flat(cells.get("journal", "")),
        authors=making.authors(cells.get("authors", "").split(";")),
        ids=making.identifiers(
            pmid=cells.get("pubmed_id", ""), doi=cells.get("doi", ""), pmcid=cells.get("pmcid", "")
        ),
        full_text=full_text,
        metadata=metadata,
    )


def _full_text(root: Path, cells: dict[str, str]) -> tuple[tuple[Section, ...], str]:
    """The sections of the first parse that is there; a reason if it is there but of no use."""
    for column in PARSES:
        for name in (part.strip() for part in cells.get(column, "").split(";")):
            if not name:
                continue
            path = _inside(root, name)
            if path is None:
                return (), "the path of its full text leaves the folder"
            if not path.is_file():
                continue
            try:
                if path.stat().st_size > MAX_FIELD.get() * LINE_FIELDS:
                    return (), "its full text is larger than a record may be"
                record = making.json_object(path.read_bytes())
            except OSError:
                return (), "its full text cannot be opened"
            if record is None:
                return (), "its full text is not a JSON object"
            return _sections(record.get("body_text")), ""
    return (), ""


def _inside(root: Path, name: str) -> Path | None:
    try:
        path = (root / name).resolve()
    except (OSError, ValueError, RuntimeError):
        return None
    return path if path.is_relative_to(root) else None


def _sections(body: Any) -> tuple[Section, ...]:
    """Paragraphs, joined while their section stays the same."""
    if not isinstance(body, list):
        return ()
    sections: list[tuple[str, list[str]]] = []
    for part in body:
        if not isinstance(part, dict):
            continue
        text, label = part.get("text"), part.get("section")
        label = fields.flat(label) if isinstance(label, str) else ""
        if not isinstance(text, str) or not fields.flat(text):
            continue
        if not sections or sections[-1][0] != label:
            sections.append((label, []))
        sections[-1][1].append(fields.flat(text))
    return tuple(Section("\n".join(texts), label) for label, texts in sections)
