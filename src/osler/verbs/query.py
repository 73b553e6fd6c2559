"""``query``: a query of one language written in another."""

from __future__ import annotations

import msgspec

from osler.retrieve.languages import LANGUAGES, translate
from osler.verbs.limits import VerbRequest, Words

__all__ = ["LANGUAGES", "QueryRequest", "Translated", "query"]


class QueryRequest(VerbRequest, frozen=True, kw_only=True):
    """A query, and the language to write it in."""

    text: Words
    to: str = "osler"


class Translated(msgspec.Struct, kw_only=True):
    """A query as it was typed and as it reads in a language."""

    query: str
    to: str
    text: str


def query(request: QueryRequest) -> Translated:
    """The query in the language asked for; a broken one is an error with its place."""
    return Translated(query=request.text, to=request.to, text=translate(request.text, request.to))
