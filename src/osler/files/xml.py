"""XML that is inert: nothing is declared, expanded or fetched, and size and depth have caps.

Large files are cut into records by their tags before they are parsed, so that memory stays small,
a broken record is one reject rather than the end of the file, and no declaration in the file's
prolog ever meets a record. The frame that is left (prolog, root, what stands between records) is
parsed at the end: a file that is cut short or has no sound root is an error then.
"""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from osler.errors import FormatError, LimitError
from osler.files.source import Source
from osler.files.xml_encoding import as_utf8_head, to_utf8, utf8_pieces
from osler.settings import MAX_FIELD, MAX_XML_DEPTH

if TYPE_CHECKING:
    from lxml.etree import XMLParser, _Element

# Records are parsed half a megabyte at a time: one call a record costs a third more.
BATCH_BYTES = 1 << 19
FRAME_BYTES = 4 << 20
RECORD_FIELDS = 8

_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_OWN = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
_DECLARED = re.compile(rb"<!ENTITY", re.IGNORECASE)
# Atomic groups: each piece of a prolog has one end, so a hostile one has nothing to try again.
_PIECES = rb"(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?>\[.*?\]\s*+)?+>)*+"
_BEFORE_ROOT = re.compile(_PIECES, re.DOTALL)
_NAME = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")


@dataclass(frozen=True)
class Batch:
    """Records that were parsed together. ``elements`` has None for one that is no sound XML.

    ``first`` is the number of its first record in the file, from 1; ``large`` says that some record
    is long enough to hold a field over the limit. ``asides`` are the bytes that were left out.
    """

    first: int
    elements: list[Any]
    asides: list[bytes]
    reasons: dict[int, str]
    large: bool


def parser() -> XMLParser:
    """A parser that declares, expands and fetches nothing; libxml2's own caps stay on."""
    from lxml import etree

    return etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        encoding="utf-8",
    )


@cache
def text_of() -> Any:
    """An element's whole text, markup inside it dropped: ``text_of()(element)``."""
    from lxml import etree

    return etree.XPath("string()", smart_strings=False)


@cache
def _too_deep(depth: int) -> Any:
    from lxml import etree

    return etree.XPath(f"boolean({'/*' * (depth + 1)})")


def root_name(start: bytes) -> str:
    """The local name of the first element, or "" where the bytes are no XML."""
    start = as_utf8_head(start).removeprefix(b"\xef\xbb\xbf")
    if start.lstrip()[:1] != b"<":
        return ""
    start = start[:16_384]
    match = _NAME.match(start, _prolog_end(start))
    return match[1].decode("ascii", "replace") if match else ""


def parse(data: bytes, *, name: str) -> _Element:
    """A whole small document as a tree."""
    from lxml import etree

    data = to_utf8(data, name)
    _refuse_declared(data[:FRAME_BYTES], name)
    try:
        root = etree.fromstring(_without_prolog(data), parser())
    except etree.XMLSyntaxError as first:
        # Names that HTML and the publishers' DTDs share stand for characters: try with them.
        repaired = named_characters(data)
        if repaired == data:
            raise _broken(name, first) from None
        try:
            root = etree.fromstring(_without_prolog(repaired), parser())
        except etree.XMLSyntaxError as second:
            raise _broken(name, second) from None
    depth = MAX_XML_DEPTH.get()
    if _too_deep(depth)(root):
        raise LimitError(
            f"{name} nests its XML deeper than {depth}", cure="raise OSLER_MAX_XML_DEPTH"
        )
    return root


def named_characters(data: bytes) -> bytes:
    """``&nbsp;`` and its like as numbers; XML's own five and unknown names as they are."""

    def number(match: re.Match[bytes]) -> bytes:
        name = match[1]
        characters = html.entities.html5.get(name.decode() + ";")
        if name in _OWN or characters is None:
            return match[0]
        return b"".join(b"&#%d;" % ord(c) for c in characters)

    return _ENTITY.sub(number, data)


def batches(
    source: Source, tags: tuple[str, ...], *, root: str, aside: tuple[str, ...] = ()
) -> Iterator[Batch]:
    """The elements of these tags, parsed half a megabyte at a time.

    ``tags`` must not stand inside one another: where one does, the record before it has no end, and
    is broken alone. ``root`` may be one of them, for records without a frame. ``aside`` names
    parts that need no tree because they are large and little of them is wanted: they are cut out
    of a record before it is parsed.
    """
    from lxml import etree

    strict = parser()
    cuts = [(f"<{name}>".encode(), f"</{name}>".encode()) for name in aside]
    first = 1
    for records, large in _gather(_records(source, tags, root)):
        asides = [b""] * len(records)
        if cuts:
            for place, record in enumerate(records):
                if record is not None:
                    records[place], asides[place] = _cut(record, cuts)
        elements: list[Any] = []
        reasons: dict[int, str] = {}
        sound = None not in records
        if sound:
            try:
                together = b"".join((b"<r>", *records, b"</r>"))  # type: ignore[arg-type]
                elements = list(etree.fromstring(together, strict))
                sound = len(elements) == len(records)
            except etree.XMLSyntaxError:
                sound = False
        if not sound:
            elements = []
            for place, record in enumerate(records):
                element, reason = _alone(record, strict)
                elements.append(element)
                if element is None:
                    reasons[place] = reason
        yield Batch(first, elements, asides, reasons, large)
        first += len(records)


def _cut(record: bytes, cuts: list[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
    # In a comment or a CDATA section a tag is only text: such a record is parsed whole.
    if b"<!" in record:
        return record, b""
    out = b""
    for opening, closing in cuts:
        start = record.find(opening)
        if start >= 0:
            end = record.rfind(closing, start)
            if end >= 0:
                end += len(closing)
                out += record[start:end]
                record = record[:start] + record[end:]
    return record, out


def _alone(record: bytes | None, strict: XMLParser) -> tuple[Any, str]:
    from lxml import etree

    if record is None:
        return None, "larger than a record may be"
    try:
        return etree.fromstring(record, strict), ""
    except etree.XMLSyntaxError:
        pass
    try:
        return etree.fromstring(named_characters(record), strict), ""
    except etree.XMLSyntaxError as error:
        return None, f"not well-formed XML: {_kind(error)}"


def _gather(records: Iterator[bytes | None]) -> Iterator[tuple[list[bytes | None], bool]]:
    largest = MAX_FIELD.get()
    batch: list[bytes | None] = []
    size = 0
    large = False
    while True:
        try:
            record = next(records)
        except StopIteration:
            break
        except Exception:
            # The file breaks here: what was whole before goes out first.
            if batch:
                yield batch, large
            raise
        batch.append(record)
        length = len(record or b"")
        size += length
        large = large or length > largest
        if size >= BATCH_BYTES:
            yield batch, large
            batch, size, large = [], 0, False
    if batch:
        yield batch, large


def _records(source: Source, tags: tuple[str, ...], root: str) -> Iterator[bytes | None]:
    """The bytes of each record; None for one over the cap. Then the frame is checked."""
    names = "|".join(tags)
    opening = re.compile(rf"<({names})(?=[\s>])|<!--".encode())
    most = MAX_FIELD.get() * RECORD_FIELDS
    frame: list[bytes] = []
    framed = 0
    buffer = b""
    place = 0
    seen = False
    with source.open() as raw:
        stream = utf8_pieces(raw, source.name)
        ended = False
        while not ended:
            data = next(stream, b"")
            ended = not data
            buffer = buffer[place:] + data if place else buffer + data
            place = 0
            while True:
                match = opening.search(buffer, place)
                if match is None:
                    # A tag may be cut at the buffer's end: keep its length back.
                    keep = len(buffer) if ended else max(place, len(buffer) - 64)
                    frame.append(buffer[place:keep])
                    framed += keep - place
                    place = keep
                    break
                frame.append(buffer[place : match.start()])
                framed += match.start() - place
                place = match.start()
                if match[1] is None:
                    end = buffer.find(b"-->", place + 4)
                    if end < 0:
                        if len(buffer) - place > most:
                            raise LimitError(f"{source.name} has an XML comment without an end")
                        break
                    place = end + 3
                    continue
                closing = b"</" + match[1] + b">"
                end = buffer.find(closing, place)
                if end < 0:
                    if len(buffer) - place > most:
                        buffer = _skip(stream, buffer[-64:], closing)
                        place = 0
                        seen = True
                        yield None
                        continue
                    break
                end += len(closing)
                # Another record that begins before this one's end: this one has lost its own.
                inner = (
                    opening.search(buffer, place + 1, end)
                    if _nested(buffer, tags, place, end)
                    else None
                )
                if inner is not None and inner[1] is not None:
                    end = inner.start()
                if not seen:
                    _refuse_declared(b"".join(frame), source.name)
                    seen = True
                yield buffer[place:end] if end - place <= most else None
                place = end
            if framed > FRAME_BYTES:
                raise LimitError(f"{source.name} has too much XML outside of its records")
    frame.append(buffer[place:])
    whole = b"".join(frame)
    if root in tags and seen and not _without_prolog(whole).strip():
        return
    _check_frame(whole, root, source.name)


def _nested(buffer: bytes, tags: tuple[str, ...], place: int, end: int) -> bool:
    """Whether a tag opens inside of a record: a plain search, which costs little."""
    return any(
        buffer.find(f"<{tag}{mark}".encode(), place + 1, end) >= 0 for tag in tags for mark in "> "
    )


def _skip(stream: Iterator[bytes], kept: bytes, closing: bytes) -> bytes:
    """What follows the end of a record that is too large to hold."""
    for data in stream:
        kept += data
        end = kept.find(closing)
        if end >= 0:
            return kept[end + len(closing) :]
        kept = kept[-len(closing) :]
    return b""


def _check_frame(frame: bytes, root: str, name: str) -> None:
    from lxml import etree

    if not frame.strip():
        raise FormatError(f"{name} is empty")
    _refuse_declared(frame, name)
    try:
        parsed = etree.fromstring(_without_prolog(frame), parser())
    except etree.XMLSyntaxError as error:
        raise _broken(name, error) from None
    local = etree.QName(parsed).localname
    if local != root:
        raise FormatError(f"{name} has the root {local[:40]!r}, not {root!r}")


def _refuse_declared(start: bytes, name: str) -> None:
    if _DECLARED.search(start):
        raise FormatError(
            f"{name} declares XML entities, which are never expanded",
            cure="remove the <!ENTITY ...> lines",
        )


def _broken(name: str, error: Exception) -> FormatError:
    return FormatError(f"{name} is no sound XML, or is cut short: {_kind(error)}")


def _kind(error: Any) -> str:
    """The parser's word for the error and its line: its message may quote the text."""
    from lxml import etree

    word: str = etree.ErrorTypes._getName(error.code, "ERR_UNKNOWN")
    line = f" at line {error.lineno}" if error.lineno else ""
    return word.removeprefix("ERR_").replace("_", " ").lower() + line


def _prolog_end(data: bytes) -> int:
    match = _BEFORE_ROOT.match(data)
    return match.end() if match else 0


def _without_prolog(data: bytes) -> bytes:
    """From the root on: the bytes are UTF-8 by now, and without a DTD's name every entity that is
    not declared is an error rather than a silent gap."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data[_prolog_end(data) :]
