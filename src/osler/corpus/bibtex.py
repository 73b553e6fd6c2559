"""BibTeX, as LaTeX's users, Zotero, Mendeley and the publishers' sites write it.

The file is cut into entries here, so that a broken one costs itself alone and memory stays small;
each entry is read by ``bibtexparser``, which knows BibTeX's quotes, braces, macros and LaTeX.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

from osler.corpus.reference import reference
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import BAD_LINE, LINE_FIELDS, Head, Source
from osler.kinds import Document, Reject
from osler.settings import MAX_FIELD

_START = re.compile(r"^\s*@\s*([A-Za-z]+)\s*[{(]")
_NO_ENTRY = {"comment", "preamble"}
MACROS = 65_536
"""Characters of @string lines that are kept: each entry is read with them."""


@readers.register("bibtex")
class BibTeX(Reader):
    """The id is the PMID where there is one, else the DOI, else the entry's key."""

    name = "bibtex"
    help = "BibTeX (.bib)"
    own_ids = False

    @classmethod
    def recognises(cls, head: Head) -> bool:
        for line in head.text.split("\n"):
            if found := _START.match(line):
                return "=" in head.text or found[1].lower() in _NO_ENTRY
            if line.strip() and not line.lstrip().startswith("%"):
                return False
        return False

    def read(self, source: Source) -> Iterator[Item]:
        macros = ""
        empty = True
        for number, kind, text, reason in _entries(source):
            empty = False
            if kind == "string" and not reason:
                if len(macros) + len(text) < MACROS:
                    macros += text + "\n"
            elif kind not in _NO_ENTRY:
                place = f"line {number}"
                yield (
                    Reject(source.name, place, reason)
                    if reason
                    else _item(macros, text, source.name, place)
                )
        if empty:
            raise FormatError(f"{source.name} is empty: it has no entry (@)")


def _entries(source: Source) -> Iterator[tuple[int, str, str, str]]:
    """Line, kind, text and what is wrong with it, of each entry: from a line that opens one to the
    next such line."""
    most = MAX_FIELD.get() * LINE_FIELDS
    start, kind, reason, size = 0, "", "", 0
    lines: list[str] = []
    for number, line in source.lines():
        opening = _START.match(line) if line is not None else None
        if opening:
            if start:
                yield start, kind, "\n".join(lines), reason
            start, kind, reason, size, lines = number, opening[1].lower(), "", 0, []
        if line is None:
            if not start:
                start, kind = number, "?"
            reason = BAD_LINE
        elif start:
            size += len(line)
            if size > most:
                reason, lines = "larger than a record may be", []
            elif not reason:
                lines.append(line)
    if start:
        yield start, kind, "\n".join(lines), reason


def _item(macros: str, text: str, file: str, place: str) -> Document | Reject:
    entry = _parsed(macros + text)
    if entry is None:
        return Reject(file, place, "no sound BibTeX: braces or quotes do not match")
    values: dict[str, str] = {}
    for field in entry.fields:
        text = str(field.value).strip()
        bare = text[1:-1] if text[:1] + text[-1:] in ("{}", '""') else text
        # Of a field that stands twice, the first: the second is most often a note.
        values.setdefault(field.key.casefold(), bare)

    def value(*names: str) -> str:
        return next((values[n] for n in names if values.get(n, "").strip()), "")

    doi = value("doi")
    keys = ("volume", "number", "pages", "issn", "isbn", "publisher", "booktitle", "note")
    return reference(
        file,
        place,
        given="" if doi.strip().lower().removeprefix("https://doi.org/").startswith("10.")
        else str(entry.key),
        kind=entry.entry_type,
        title=value("title", "booktitle"),
        abstract=value("abstract"),
        authors=_names(value("author", "editor")),
        year=value("year", "date"),
        date=f"{value('year')}-{value('month')}" if value("year") else value("date"),
        journal=value("journal", "journaltitle", "booktitle"),
        keywords=value("keywords", "keyword", "author_keywords").replace(",", ";").split(";"),
        language=value("language", "langid"),
        doi=doi,
        pmid=value("pmid", "pubmed_id"),
        pmcid=value("pmcid", "pmc"),
        url=value("url"),
        metadata={key: value(key) for key in keys},
    )  # fmt: skip


def _parsed(text: str) -> Any:
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import LatexDecodingMiddleware

    # It logs what it cannot read, with the words of the file.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    quiet = logging.getLogger("pylatexenc")
    quiet.setLevel(logging.CRITICAL)
    try:
        library = parse_string(text, append_middleware=[LatexDecodingMiddleware()])
    except Exception:
        return None
    if library.entries:
        return library.entries[0]
    # A field that stands twice: the entry is whole otherwise.
    for block in library.failed_blocks:
        if (entry := getattr(block, "ignore_error_block", None)) is not None:
            return entry if hasattr(entry, "entry_type") else None
    return None


def _names(text: str) -> list[str]:
    """``Family, Given and Given Family``: the second form is turned round."""
    names = []
    for name in re.split(r"\s+and\s+", " ".join(text.split())):
        if "," in name or " " not in name:
            names.append(name)
        else:
            given, _, family = name.rpartition(" ")
            names.append(f"{family}, {given}")
    return names
