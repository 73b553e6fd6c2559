"""A whole project as JSON lines: its papers, then every entry of its log. Nothing is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from osler.errors import FormatError
from osler.files.source import Source
from osler.kinds import Document
from osler.review.entries import Entry
from osler.review.project import Project

MARK = b'{"osler_project":'


class LogHead(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line: the project's name."""

    osler_project: str
    version: int = 1


class LogLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Each further line: a paper, or a numbered entry."""

    document: Document | None = None
    seq: int = 0
    entry: Entry | None = None


def write(project: Project, documents: Iterable[Document]) -> bytes:
    """The project's log with the papers that it speaks of."""
    lines: list[LogHead | LogLine] = [LogHead(osler_project=project.name)]
    lines += [LogLine(document=document) for document in documents]
    lines += [LogLine(seq=seq, entry=entry) for seq, entry in project.history]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def is_log(source: Source) -> bool:
    with source.open() as stream:
        return stream.read(len(MARK)) == MARK


def read(source: Source) -> Iterator[LogLine]:
    """The lines after the first; one that cannot be read ends it, since a log has no gaps."""
    lines = source.lines()
    next(lines)
    for number, text in lines:
        if text is None or not text.strip():
            raise FormatError(f"{source.name} line {number} is damaged")
        try:
            yield msgspec.json.decode(text, type=LogLine)
        except msgspec.MsgspecError:
            raise FormatError(f"{source.name} line {number} is no entry of a log") from None
