"""A reader: a catalogue with one paper a line, ``id | title | text``, under a line of its own.

``specimen`` shows how a file of this format is written; Osler's contract tests make theirs by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from osler.errors import FormatError
from osler.plugins import BAD_LINE, Document, Head, Reader, Reject, Section, Source, too_large

FIRST = "%catalogue"


class Catalogue(Reader):
    name = "catalogue"
    help = "one paper a line: id | title | text, under a first line %catalogue"
    specimen: ClassVar[Mapping[str, str]] = {
        "start": f"{FIRST}\n",
        "record": "{id} | A title | {text}\n",
        "suffix": ".cat",
    }

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return head.text.startswith(FIRST)

    def read(self, source: Source) -> Iterator[Document | Reject]:
        empty = True
        for number, line in source.lines():
            if line is not None and (number == 1 or not line.strip()):
                continue
            empty = False
            yield self._item(source.name, f"line {number}", line)
        if empty:
            raise FormatError(f"{source.name} is empty: it has no paper")

    def _item(self, file: str, place: str, line: str | None) -> Document | Reject:
        if line is None:
            return Reject(file, place, BAD_LINE)
        id, *rest = (part.strip() for part in line.split("|", 2))
        if not id or len(id) > 100 or len(rest) != 2:
            return Reject(file, place, "not id | title | text")
        title, text = rest
        document = Document(id=id, title=title, sections=(Section(text),) if text else ())
        if too_large(document):
            return Reject(file, place, "a field is larger than OSLER_MAX_FIELD", id=id)
        return document
