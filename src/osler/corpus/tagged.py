"""Records of tagged lines, the common ground of RIS and NBIB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from osler.files.source import BAD_LINE, LINE_FIELDS, Source
from osler.settings import MAX_FIELD


@dataclass
class Record:
    """Values by tag, in their order; ``bad`` is the reason why the record cannot be used."""

    line: int
    values: dict[str, list[str]] = field(default_factory=dict)
    bad: str = ""
    ended: bool = False
    written: dict[str, list[str]] = field(default_factory=dict)
    """The lines of each tag as they stand: where a tag lists its values one a line."""

    def all(self, *tags: str) -> list[str]:
        return [v for tag in tags for value in self.values.get(tag, ()) if (v := value.strip())]

    def lines(self, tag: str) -> list[str]:
        return [line for line in self.written.get(tag, ()) if line]

    def first(self, *tags: str) -> str:
        return next(iter(self.all(*tags)), "")


def records(
    source: Source,
    tag: re.Pattern[str],
    *,
    opens: str,
    closes: str = "",
    outside: frozenset[str] = frozenset(),
) -> Iterator[Record]:
    """Records start at the tag ``opens`` and end at ``closes``, or where the next one starts.

    A line without a tag continues the value before it. ``outside`` names the tags that frame the
    file and belong to no record.
    """
    most = MAX_FIELD.get() * LINE_FIELDS
    record: Record | None = None
    current: list[str] | None = None
    written: list[str] = []
    pieces: list[str] = []
    size = 0

    def settle() -> None:
        if current is not None and pieces:
            current.append(" ".join(pieces))
            written.extend(pieces)
        pieces.clear()

    for number, line in source.lines():
        if line is None:
            if record is None:
                yield Record(number, bad=BAD_LINE)
            else:
                record.bad = BAD_LINE
            continue
        match = tag.match(line)
        if match is None:
            if record is not None and line.strip():
                size += len(line)
                if size > most:
                    record.bad = "larger than a record may be"
                    pieces.clear()
                else:
                    pieces.append(line.strip())
            continue
        settle()
        name = match[1].strip().upper()
        if name == opens:
            if record is not None:
                yield record
            record, size = Record(number), 0
        elif record is None and name in outside:
            continue
        elif record is None:
            # A tag outside of any record: one that began without its opening tag.
            record, size = Record(number, bad=f"does not start with {opens}"), 0
        if name == closes:
            record.ended = True
            yield record
            record = current = None
            continue
        size += len(line)
        current = record.values.setdefault(name, [])
        written = record.written.setdefault(name, [])
        if size > most:
            record.bad = "larger than a record may be"
            pieces.clear()
        else:
            pieces.append((match[2] or "").strip())
    settle()
    if record is not None:
        yield record


def blocks(source: Source, tag: re.Pattern[str], *, opens: str) -> Iterator[Record]:
    """Records that blank lines part. ``opens`` may stand anywhere in a record, and begins another
    where one has it already: some writers leave the blank line out."""
    most = MAX_FIELD.get() * LINE_FIELDS
    record: Record | None = None
    size = 0
    last: list[str] | None = None
    for number, line in source.lines():
        if line is not None and not line.strip():
            if record is not None:
                yield record
            record = last = None
            continue
        match = tag.match(line) if line is not None else None
        again = match is not None and match[1] == opens and record is not None
        if record is None or (again and opens in record.values):
            if record is not None:
                yield record
            record, size, last = Record(number), 0, None
        size += len(line or "")
        if line is None:
            record.bad = BAD_LINE
        elif size > most:
            record.bad, record.values = "larger than a record may be", {}
        elif match is not None:
            last = record.values.setdefault(match[1], [])
            last.append((match[2] or "").strip())
        elif last:
            last[-1] += f" {line.strip()}"
        else:
            record.bad = record.bad or "a line that belongs to no field"
    if record is not None:
        yield record
