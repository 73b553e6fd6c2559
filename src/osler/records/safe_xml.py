"""XML of a record file as an inert tree: no entities resolved, nothing fetched, bounded depth."""

from __future__ import annotations

from typing import Any

from osler.errors import FormatError, LimitError
from osler.files.source import Source
from osler.settings import MAX_XML_DEPTH


def parse_xml(source: Source) -> Any:
    """The root element; a broken file is a ``FormatError`` that quotes none of its text."""
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
        with source.open() as stream:
            while chunk := stream.read(1 << 16):
                parser.feed(chunk)
                for event, element in parser.read_events():
                    depth += 1 if event == "start" else -1
                    if root is None:
                        root = element
                    if depth > limit:
                        raise LimitError(
                            f"{source.name} nests deeper than {limit} elements",
                            cure="raise OSLER_MAX_XML_DEPTH if the file is honest",
                        )
        parser.close()
    except etree.XMLSyntaxError as error:
        line = getattr(error, "lineno", 0) or 0
        raise FormatError(f"{source.name} is not whole XML (line {line})") from None
    if root is None:
        raise FormatError(f"{source.name} is empty")
    return root
