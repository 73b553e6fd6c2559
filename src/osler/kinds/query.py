"""A query as a tree, and the filters beside it.

The tree is what the parser makes (room ``retrieve``) and what an engine compiles (room
``store``): neither needs to know the other.
"""

from __future__ import annotations

import msgspec


class Term(msgspec.Struct, frozen=True, tag=True):
    """A word, in one field or in the default ones. ``prefix`` is a truncation: ``cardi*``.
    ``wild`` says that the text holds wildcards: ``*`` any letters, ``?`` one or none, ``#`` one."""

    text: str
    field: str = ""
    boost: float = 1.0
    prefix: bool = False
    wild: bool = False


class Phrase(msgspec.Struct, frozen=True, tag=True):
    """Words that follow each other with at most ``slop`` others between them; ``free`` lets them
    stand in any order. ``prefix`` cuts the last one off: ``"heart fail*"``; ``wild`` as in a
    term."""

    text: str
    field: str = ""
    slop: int = 0
    boost: float = 1.0
    prefix: bool = False
    free: bool = False
    wild: bool = False


class Span(msgspec.Struct, frozen=True, tag=True):
    """A range of years, or of days as numbers (20210513), both ends included; None leaves an end
    open. ``field`` is ``year`` or ``day``."""

    field: str
    low: int | None = None
    high: int | None = None


class Exact(msgspec.Struct, frozen=True, tag=True):
    """Any of some values of a field that is not analysed: ids, headings, types, journals.
    ``explode`` takes in the branch below a heading."""

    field: str
    values: tuple[str, ...]
    boost: float = 1.0
    explode: bool = True


class And(msgspec.Struct, frozen=True, tag=True):
    parts: tuple[Node, ...]


class Or(msgspec.Struct, frozen=True, tag=True):
    parts: tuple[Node, ...]


class Not(msgspec.Struct, frozen=True, tag=True):
    part: Node


class Weighted(msgspec.Struct, frozen=True, tag=True):
    """A sum of weighted parts: what query expansion makes."""

    parts: tuple[tuple[Node, float], ...]


Node = Term | Phrase | Span | Exact | And | Or | Not | Weighted


class Filter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What must hold of a hit, decided before the top k are taken. Empty means anything."""

    years: tuple[int | None, int | None] | None = None
    languages: tuple[str, ...] = ()
    journals: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    designs: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    has_abstract: bool | None = None
    ids: tuple[str, ...] | None = None
    exclude_retracted: bool = False

    def __bool__(self) -> bool:
        return self != Filter()
