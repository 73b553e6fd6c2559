"""What a reader is, and how readers are found.

A reader turns one source (a file, or a folder of a known shape) into a stream of items: documents,
deletions, entities, triples, question-answer pairs, rejects and notes. A bad record is yielded as a
``Reject`` at its place in the stream, so one bad record never stops a batch and is never silent.
A record that is merged into another, or passed over by rule, is yielded as a ``Note``: every record
of a source gives at least one item.
A source that is broken as a whole (a truncated gzip, XML that ends in the middle) yields what was
whole before the break and then raises ``FormatError``.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from osler.errors import FormatError
from osler.files.source import Head, Source
from osler.kinds import Deletion, Document, Entity, Fact, Note, Pair, Reject, Triple
from osler.registry import Registry

logger = logging.getLogger(__name__)

Item = Document | Deletion | Entity | Triple | Fact | Pair | Reject | Note


class Reader(ABC):
    """One format. ``name`` is what ``--as`` takes; ``help`` is one line for the documentation."""

    name: ClassVar[str]
    help: ClassVar[str]
    gives: ClassVar[str] = "documents"
    own_ids: ClassVar[bool] = True
    """Whether the format promises that an id is one document's, in every file. Where it does not
    (an export that counts its rows), another title under the same id is another document."""

    specimen: ClassVar[Mapping[str, str]] = {}
    """How a file of the format is written, for the contract tests of another package's reader:
    ``start``, ``record`` (with ``{id}`` and ``{text}``), ``end``, ``suffix``."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    @classmethod
    @abstractmethod
    def recognises(cls, head: Head) -> bool:
        """Whether a source with this name and these first bytes is of this format."""

    @abstractmethod
    def read(self, source: Source) -> Iterator[Item]:
        """The items of the source, in its order."""


readers: Registry[Reader] = Registry(
    "reader",
    group="osler.readers",
    builtin=("osler.corpus.readers", "osler.knowledge.readers", "osler.records.readers"),
)


def recognise(source: Source, /, *, format: str | None = None, **options: Any) -> Reader:
    """The reader for a source: the one asked for, or the first that recognises the content."""
    if format is not None:
        return readers.resolve(format, **options)
    head = source.head()
    for name, cls in readers:
        try:
            claimed = cls.recognises(head)
        except Exception:
            # One reader's mistake must not hide the file from the others.
            logger.exception("the reader %s could not judge a file", name)
            continue
        if claimed:
            return cls(**options)
    raise FormatError(
        f"{source.name} is of no format that is recognised",
        cure=f"name one with --as: {', '.join(readers.names())}",
    )
