"""Query languages: which one a text is written in, and a tree written in another."""

from __future__ import annotations

from typing import NamedTuple

from osler.errors import ChoiceError
from osler.kinds.query import Node

LANGUAGES = ("pubmed", "ovid", "embase", "osler")


class Written(NamedTuple):
    """A query in a language: its text, what it was read as, and what a reader of it should know."""

    text: str
    read_as: str
    notes: tuple[str, ...]


def write(node: Node, to: str) -> str:
    """A tree in a language; what it cannot say is an error."""
    return _written(node, to)[0]


def translate(text: str, to: str, language: str = "") -> Written:
    """A query of any language that is read, written in another. Without ``language`` its marks
    tell which it is."""
    from osler.retrieve.languages.detect import language_of
    from osler.retrieve.parse import parse

    written, notes = _written(parse(text, language), to)
    return Written(written, language or language_of(text) or "osler", notes)


def _written(node: Node, to: str) -> tuple[str, tuple[str, ...]]:
    from osler.retrieve.languages.writers import OslerWriter, PubMedWriter
    from osler.retrieve.languages.writers_vendors import EmbaseWriter, OvidWriter

    writers = {kind.name: kind for kind in (PubMedWriter, OvidWriter, EmbaseWriter, OslerWriter)}
    if to not in writers:
        raise ChoiceError("query language", to, writers)
    writer = writers[to]()
    return writer.write(node), tuple(writer.notes)
