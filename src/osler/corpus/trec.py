"""TREC's SGML documents: ``<DOC><DOCNO>...</DOCNO> ... </DOC>``, several in a file."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from osler.corpus import fields
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import BAD_LINE, LINE_FIELDS, Head, Source
from osler.kinds import Document, Reject, Section
from osler.settings import MAX_FIELD

TITLES = ("TITLE", "HEADLINE", "HEAD", "TI", "TTL", "HL", "H3")
TEXTS = ("ABSTRACT", "TEXT", "BODY", "AB", "LP", "LEADPARA")
DATES = ("DATE", "DATE1", "PUBDATE", "DATE_TIME", "YEAR")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")


@readers.register("trec")
class Trec(Reader):
    """Marks inside the text are dropped and character entities resolved. The id is the DOCNO."""

    name = "trec"
    help = "TREC SGML documents: <DOC>, <DOCNO>, a title and a text"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        text = head.text.lstrip().upper()
        return text.startswith("<DOC>") and "<DOCNO>" in text

    def read(self, source: Source) -> Iterator[Item]:
        lines: list[str] = []
        start = size = 0
        reason = ""
        any_record = False
        most = MAX_FIELD.get() * LINE_FIELDS
        for number, line in source.lines():
            upper = "" if line is None else line.strip().upper()
            if not start:
                if line is None:
                    any_record = True
                    yield Reject(source.name, f"line {number}", BAD_LINE)
                if not upper.startswith("<DOC>"):
                    continue
                any_record = True
                start, size, lines, reason = number, 0, [], ""
            elif upper.startswith("<DOC>"):
                # The record before has no end: it is broken, and this one is not.
                yield Reject(source.name, f"line {start}", "a <DOC> that has no end")
                start, size, lines, reason = number, 0, [], ""
            if line is None:
                reason = BAD_LINE
                continue
            size += len(line)
            if size > most:
                reason = "larger than a record may be"
                lines = []
            elif not reason:
                lines.append(line)
            if not upper.endswith("</DOC>"):
                continue
            place, start = f"line {start}", 0
            item = reason or _document("\n".join(lines))
            if isinstance(item, str):
                yield Reject(source.name, place, item)
            elif fields.too_large(item):
                yield fields.size_reject(source.name, place, item.id)
            else:
                yield item
        if start:
            raise FormatError(f"{source.name} is cut short: the <DOC> of line {start} has no end")
        if not any_record:
            raise FormatError(f"{source.name} is empty: it has no <DOC>")


def _document(record: str) -> Document | str:
    id = fields.flat(next(_inside(record, "DOCNO"), ""))
    if not id:
        return "no DOCNO"
    title = next((_plain(t) for name in TITLES for t in _inside(record, name)), "")
    sections = [_plain(t) for name in TEXTS for t in _inside(record, name)]
    if not any(sections):
        rest = record
        for name in ("DOCNO", "DOCID", *TITLES, *DATES):
            rest = _without(rest, name)
        sections = [_plain(rest)]
    date = next((_plain(t) for name in DATES for t in _inside(record, name)), "")
    return Document(
        id=id,
        title=fields.flat(title),
        sections=tuple(Section(text) for text in sections if text),
        published=fields.loose_date(date),
        metadata={"date": date} if date else {},
    )


def _spans(record: str, name: str) -> Iterator[tuple[int, int, int, int]]:
    upper = record.upper() if not record.isupper() else record
    # Upper case can change a text's length (ß); then only tags as they are written are looked for.
    if len(upper) != len(record):
        upper = record
    opening, closing = f"<{name}>", f"</{name}>"
    place = 0
    while (start := upper.find(opening, place)) >= 0:
        end = upper.find(closing, start)
        if end < 0:
            return
        place = end + len(closing)
        yield start, start + len(opening), end, place


def _inside(record: str, name: str) -> Iterator[str]:
    for _, start, end, _ in _spans(record, name):
        yield record[start:end]


def _without(record: str, name: str) -> str:
    for start, _, _, end in reversed(list(_spans(record, name))):
        record = record[:start] + " " + record[end:]
    return record


def _plain(text: str) -> str:
    return fields.flat(html.unescape(_TAG.sub(" ", text)))
