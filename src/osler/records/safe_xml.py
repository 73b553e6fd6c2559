"""XML of a record file as an inert tree: no entities resolved, nothing fetched, bounded depth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from osler.errors import FormatError, LimitError
from osler.files.source import Source
from osler.settings import MAX_XML_DEPTH

_BARE = re.compile(rb"&(?!(?:[A-Za-z_][\w.-]*|#\d+|#x[0-9A-Fa-f]+);)")


def parse_xml(source: Source) -> Any:
    """The root element; a broken file is a ``FormatError`` that quotes none of its text. A bare
    ``&``, as notes have it ("nausea & vomiting"), is read as what it is."""
    try:
        with source.open() as stream:
            return _parsed(iter(lambda: stream.read(1 << 16), b""), source.name)
    except FormatError:
        with source.open() as stream:
            raw = stream.read()
        mended = _BARE.sub(b"&amp;", raw)
        if mended == raw:
            raise
        return _parsed(iter([mended]), source.name)


def _parsed(chunks: Iterator[bytes], name: str) -> Any:
    from lxml import etree

    parser = etree.XMLPullParser(
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    limit = MAX_XML_DEPTH.get()
    depth = 0
    root: Any = None
    try:
        for chunk in chunks:
            parser.feed(chunk)
            for event, element in parser.read_events():
                depth += 1 if event == "start" else -1
                if root is None:
                    root = element
                if depth > limit:
                    raise LimitError(
                        f"{name} nests deeper than {limit} elements",
                        cure="raise OSLER_MAX_XML_DEPTH if the file is honest",
                    )
        parser.close()
    except etree.XMLSyntaxError as error:
        line = getattr(error, "lineno", 0) or 0
        raise FormatError(f"{name} is not whole XML (line {line})") from None
    if root is None:
        raise FormatError(f"{name} is empty")
    return root
