"""The entries of FHIR files, one after the other, without ever holding a bundle whole."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import IO, Any

from osler.errors import FormatError
from osler.files.source import Source

INNER = "bundle in a bundle"
"""What ``Entry.bundle`` says of an entry that is itself a bundle."""
MAX_DEPTH = 4
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Entry:
    """One resource where it stands. ``resource`` is None where there is none to read; ``why`` then
    says so in words."""

    file: str
    place: str
    number: int
    resource: dict[str, Any] | None
    url: str = ""
    method: str = ""
    why: str = ""
    bundle: str = ""

    @property
    def id(self) -> str:
        """The resource's own id as written; empty where it has none."""
        id = (self.resource or {}).get("id")
        return str(id) if isinstance(id, str | int) and not isinstance(id, bool) else ""

    @property
    def base(self) -> str:
        """The server that the entry's address names: what a relative reference is relative to."""
        tail = f"/{(self.resource or {}).get('resourceType')}/{self.id}"
        if self.url.startswith(("http://", "https://")) and self.url.endswith(tail):
            return self.url.removesuffix(tail)
        return ""


def entries(source: Source) -> Iterator[Entry]:
    """The entries of one file; those of a bundle that stands in a bundle after it."""
    for entry in _entries(source):
        yield from _opened(entry, MAX_DEPTH)


def _opened(entry: Entry, depth: int) -> Iterator[Entry]:
    resource = entry.resource
    inner = (resource or {}).get("entry")
    if resource is None or resource["resourceType"] != "Bundle" or not isinstance(inner, list):
        yield entry
        return
    if not depth:
        yield replace(entry, resource=None, why="bundles in bundles, too many deep")
        return
    why = "a bundle in a bundle: its entries are read"
    yield replace(entry, resource=None, method="", why=why, bundle=INNER)
    for number, given in enumerate(inner, 1):
        kind = resource.get("type")
        place = f"{entry.place}.{number}"
        one = _entry(entry.file, place, number, given, kind if isinstance(kind, str) else "")
        yield from _opened(one, depth - 1)


def _entries(source: Source) -> Iterator[Entry]:
    """The entries of one file: a bundle, one resource, a list of them, or a resource a line."""
    if _is_lines(source):
        yield from _lines(source)
        return
    shape = _shape(source)
    if shape.prefix:
        yield from _streamed(source, shape)
        return
    with source.open() as stream:
        raw = stream.read()
    try:
        value = json.loads(raw.removeprefix(BOM), parse_float=Decimal)
    except (ValueError, RecursionError):
        raise FormatError(f"{source.name} is not whole JSON") from None
    if not isinstance(value, dict):
        raise FormatError(f"{source.name} holds no FHIR resource")
    if value.get("resourceType") == "Bundle":
        if value.get("entry") is not None:
            raise FormatError(f"{source.name} is a bundle without a list of entries")
        return
    yield _entry(source.name, "entry 1", 1, {"resource": value}, "")


@dataclass(frozen=True)
class _Shape:
    """Where the resources of a file stand (empty: the file is one resource), and of which type the
    bundle says that it is."""

    prefix: str = ""
    bundle: str = ""


def _shape(source: Source) -> _Shape:
    import ijson

    kind = ""
    with source.open() as stream:
        try:
            for prefix, event, value in ijson.parse(_plain(stream)):
                if event == "start_array" and not prefix:
                    return _Shape("item")
                if prefix == "type" and event == "string":
                    kind = value
                if prefix == "entry" and event == "start_array":
                    return _Shape("entry.item", kind)
        except (ijson.JSONError, RecursionError):
            # The reading of the whole tells what is wrong with it.
            pass
    return _Shape()


def _streamed(source: Source, shape: _Shape) -> Iterator[Entry]:
    import ijson

    with source.open() as stream:
        try:
            for number, value in enumerate(ijson.items(_plain(stream), shape.prefix), 1):
                given = {"resource": value} if shape.prefix == "item" else value
                yield _entry(source.name, f"entry {number}", number, given, shape.bundle)
        except (ijson.JSONError, RecursionError, UnicodeDecodeError):
            raise FormatError(f"{source.name} is not whole JSON") from None


def _lines(source: Source) -> Iterator[Entry]:
    for number, line in source.lines():
        if line is not None and not line.strip():
            continue
        try:
            value = json.loads(line, parse_float=Decimal) if line is not None else None
        except (ValueError, RecursionError):
            value = None
        entry = _entry(source.name, f"line {number}", number, {"resource": value}, "")
        if entry.resource is None:
            entry = Entry(
                source.name, entry.place, number, None, why="a line that is no FHIR resource"
            )
        yield entry


def _entry(file: str, place: str, number: int, given: Any, bundle: str) -> Entry:
    if not isinstance(given, dict):
        return Entry(file, place, number, None, why="an entry without a resource", bundle=bundle)
    url = given.get("fullUrl")
    url = url if isinstance(url, str) else ""
    request = given.get("request")
    method = str(request.get("method") or "").upper() if isinstance(request, dict) else ""
    resource = given.get("resource")
    why = ""
    if not isinstance(resource, dict):
        resource = None
        address = request.get("url") if isinstance(request, dict) else None
        if method == "DELETE" and isinstance(address, str):
            url = url or address
        why = "a request without a resource" if method else "an entry without a resource"
        if not method and isinstance(given.get("response"), dict):
            why = "a response without a resource"
    elif not isinstance(resource.get("resourceType"), str) or not resource["resourceType"]:
        resource, why = None, "an entry without a resource"
    return Entry(file, place, number, resource, url, method, why, bundle)


def _plain(stream: IO[bytes]) -> IO[bytes]:
    """The stream after a byte order mark."""
    start = stream.read(3)
    if start == BOM:
        return stream
    if stream.seekable():
        stream.seek(0)
        return stream
    return io.BufferedReader(_Joined(start, stream))


class _Joined(io.RawIOBase):
    """Bytes that were read already, and then the rest of a stream that cannot go back."""

    def __init__(self, start: bytes, rest: IO[bytes]) -> None:
        self._start = start
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._start or self._rest.read(len(buffer))
        self._start, data = data[len(buffer) :] if self._start else b"", data[: len(buffer)]
        buffer[: len(data)] = data
        return len(data)


def _is_lines(source: Source) -> bool:
    head = source.head()
    first, _, rest = head.text.strip().partition("\n")
    if head.name.endswith(".ndjson"):
        return True
    return first.rstrip().endswith("}") and rest.lstrip().startswith("{")
