"""Query languages: which one a text is written in, and a tree written in another."""

from __future__ import annotations

from osler.errors import ChoiceError
from osler.retrieve.languages.write import WRITERS, write

LANGUAGES = tuple(WRITERS)


def translate(text: str, to: str) -> str:
    """A query of any language that is read, written in another."""
    from osler.retrieve.parse import parse

    if to not in WRITERS:
        raise ChoiceError("query language", to, WRITERS)
    return write(parse(text), to)
