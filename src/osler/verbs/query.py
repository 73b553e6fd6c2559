"""``query``: a query of one language written in another."""

from __future__ import annotations

import msgspec

from osler.retrieve.languages import LANGUAGES, translate
from osler.verbs.limits import VerbRequest, Words

__all__ = ["LANGUAGES", "QueryRequest", "Translated", "query"]


class QueryRequest(VerbRequest, frozen=True, kw_only=True):
    """A query, the language to write it in, and the one that it is in (its marks tell, unless it is
    given)."""

    text: Words
    to: str = "osler"
    language: str = ""


class Translated(msgspec.Struct, kw_only=True):
    """A query as it was typed and as it reads in a language; ``language`` is what it was read as,
    ``notes`` say where the other language means a little more or less."""

    query: str
    language: str
    to: str
    text: str
    notes: list[str] = []


def query(request: QueryRequest) -> Translated:
    """The query in the language asked for; a broken one is an error with its place."""
    written = translate(request.text, request.to, request.language)
    return Translated(
        query=request.text,
        language=written.read_as,
        to=request.to,
        text=written.text,
        notes=list(written.notes),
    )
