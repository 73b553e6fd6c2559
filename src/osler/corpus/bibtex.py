"""BibTeX, as LaTeX's users, Zotero, Mendeley and the publishers' sites write it.

The file is cut into entries here, so that a broken one costs itself alone and memory stays small;
each entry is read by ``bibtexparser``, which knows BibTeX's quotes, braces, macros and LaTeX. An
entry with ``crossref`` has what its book or proceedings says and it does not; such a frame without
a title of its own is no paper, and is passed over with a note.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from osler.corpus.reference import reference
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import BAD_LINE, LINE_FIELDS, Head, Source
from osler.kinds import Document, Note, Reject
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
            if match := _START.match(line):
                return "=" in head.text or match[1].lower() in _NO_ENTRY
            if line.strip() and not line.lstrip().startswith("%"):
                return False
        return False

    def read(self, source: Source) -> Iterator[Item]:
        macros = ""
        empty = True
        frames = _Frames(source.name)
        for number, kind, text, reason in _entries(source):
            empty = False
            if kind == "string" and not reason:
                if len(macros) + len(text) < MACROS:
                    macros += text + "\n"
            elif kind not in _NO_ENTRY:
                place = f"line {number}"
                entry = None if reason else _read(macros + text)
                if entry is None:
                    yield Reject(source.name, place, reason or _UNSOUND)
                elif not frames.waits(entry, place):
                    yield _item(entry, source.name, place)
        if empty:
            raise FormatError(f"{source.name} is empty: it has no entry (@)")
        yield from frames.items()


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


_UNSOUND = "no sound BibTeX: braces or quotes do not match"


class _Entry(NamedTuple):
    kind: str
    key: str
    values: dict[str, str]

    def value(self, *names: str) -> str:
        return next((self.values[n] for n in names if self.values.get(n, "").strip()), "")


class _Frames:
    """Books and proceedings that other entries stand in, and entries that wait for theirs: it may
    come before or after them."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.said: dict[str, dict[str, str]] = {}
        self.waiting: list[tuple[_Entry, str]] = []
        self.size = 0

    def waits(self, entry: _Entry, place: str) -> bool:
        """Whether an entry is kept until the file has been read, as its frame may be anywhere."""
        # Of a file without end as much is kept as one record may have; the rest is read as it is.
        self.size += sum(map(len, entry.values.values()))
        if self.size > MAX_FIELD.get() * LINE_FIELDS:
            return False
        if entry.kind in _FRAMES:
            said = {name: entry.value(name) for name in _HANDED}
            said["booktitle"] = entry.value("booktitle", "title")
            self.said.setdefault(entry.key.casefold(), said)
        waits = bool(entry.value("crossref")) or (
            entry.kind in _FRAMES and not entry.value("title") and bool(entry.value("booktitle"))
        )
        if waits:
            self.waiting.append((entry, place))
        return waits

    def items(self) -> Iterator[Item]:
        """Those that waited, each with what its frame says."""
        held = {one.value("crossref").strip().casefold() for one, _ in self.waiting}
        for entry, place in self.waiting:
            frame = self.said.get(entry.value("crossref").strip().casefold(), {})
            if entry.key.casefold() in held and not entry.value("title"):
                yield Note(self.file, place, "skipped", _FRAME, entry.key[:500])
                continue
            said = {name: text for name, text in entry.values.items() if text.strip()}
            yield _item(entry._replace(values={**frame, **said}), self.file, place)


_FRAMES = {"book", "proceedings", "collection", "mvbook", "mvcollection", "mvproceedings"}
_HANDED = ("year", "date", "month", "publisher", "isbn", "issn", "volume", "journal", "language")
_FRAME = "a book or proceedings without a title of its own, in which other entries stand"


def _read(text: str) -> _Entry | None:
    """An entry with its fields by name; None where it is none."""
    entry = _parsed(text)
    if entry is None:
        return None
    values: dict[str, str] = {}
    for field in entry.fields:
        text = str(field.value).strip()
        bare = text[1:-1] if text[:1] + text[-1:] in ("{}", '""') else text
        # Of a field that stands twice, the first: the second is most often a note.
        values.setdefault(field.key.casefold(), bare)
    return _Entry(str(entry.entry_type).casefold(), str(entry.key), values)


def _item(entry: _Entry, file: str, place: str) -> Document | Reject:
    value = entry.value
    doi = value("doi")
    keys = ("volume", "number", "pages", "issn", "isbn", "publisher", "booktitle", "note")
    return reference(
        file,
        place,
        given="" if doi.strip().lower().removeprefix("https://doi.org/").startswith("10.")
        else entry.key,
        kind=entry.kind,
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
