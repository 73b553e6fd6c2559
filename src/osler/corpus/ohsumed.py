"""OHSUMED's own form: one field a tag (.I .U .S .M .T .P .W .A), its value on the next line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.corpus import fields, making
from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import BAD_LINE, Head, Source
from osler.kinds import Document, Heading, Reject, Section

_TAG = re.compile(r"^\.([IUSMTPWAB])(?:\s+(.*))?$")
_SOURCE = re.compile(r"^(.*?)\s+(\d\d)(\d\d)(?:\d\d)?;")


@readers.register("ohsumed")
class Ohsumed(Reader):
    """The id is the MEDLINE number (.U), or the sequence number (.I) where there is none."""

    name = "ohsumed"
    help = "OHSUMED: records of .I .U .S .M .T .P .W .A"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        lines = head.text.lstrip().splitlines()[:40]
        return bool(
            lines
            and re.match(r"^\.I\s+\d+\s*$", lines[0])
            and any(line.strip() in {".U", ".T", ".W", ".S"} for line in lines)
        )

    def read(self, source: Source) -> Iterator[Item]:
        record: dict[str, list[str]] = {}
        start = 0
        tag = ""
        bad = False
        for number, line in source.lines():
            if line is None:
                if start:
                    bad = True
                else:
                    yield Reject(source.name, f"line {number}", BAD_LINE)
                continue
            match = _TAG.match(line)
            if match is None:
                if tag:
                    record[tag].append(line)
                continue
            tag = match[1]
            if tag == "I":
                if start:
                    yield _item(record, source.name, start, bad)
                record, start, bad = {}, number, False
            record.setdefault(tag, [])
            if match[2]:
                record[tag].append(match[2])
        if not start:
            raise FormatError(f"{source.name} is empty: it has no record (.I)")
        yield _item(record, source.name, start, bad)


def _item(record: dict[str, list[str]], file: str, start: int, bad: bool) -> Document | Reject:
    place = f"line {start}"
    if bad:
        return Reject(file, place, BAD_LINE)
    text = {tag: fields.flat(" ".join(lines)) for tag, lines in record.items()}
    id = text.get("U") or text.get("I", "")
    if not id or len(id) > 100:
        return Reject(file, place, "no number (.U or .I)")
    where = text.get("S", "")
    issue = _SOURCE.match(where)
    metadata = {"sequence": text.get("I", ""), "source": where}
    document = Document(
        id=id,
        title=text.get("T", ""),
        sections=(Section(text["W"]),) if text.get("W") else (),
        headings=tuple(_headings(text.get("M", ""))),
        published=fields.date(f"19{issue[2]}", issue[3]) if issue else "",
        journal=issue[1] if issue else "",
        authors=making.authors(text.get("A", "").removesuffix(".").split(";")),
        types=tuple(t for t in (p.strip(" .").title() for p in text.get("P", "").split(";")) if t),
        language="en" if text.get("T") else "",
        metadata={key: value for key, value in metadata.items() if value},
    )
    return fields.size_reject(file, place, id) if fields.too_large(document) else document


def _headings(text: str) -> Iterator[Heading]:
    """``Wound Infection/*DT/PC; Human``: a star marks a main topic."""
    for part in text.removesuffix(".").split(";"):
        name, *qualifiers = (piece.strip() for piece in part.split("/"))
        if name.strip("*"):
            yield Heading(
                name.lstrip("*"),
                major="*" in part,
                qualifiers=tuple(q.lstrip("*") for q in qualifiers if q.lstrip("*")),
            )
