"""Limits of requests: numbers of the settings, checked wherever a request is built."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
from msgspec import Meta

from osler.errors import InputError, LimitError
from osler.settings import MAX_HITS, MAX_NAME, MAX_QUERY

Count = Annotated[int, Meta(ge=1, le=MAX_HITS.get())]
"""How many at most."""
Skipped = Annotated[int, Meta(ge=0, le=MAX_HITS.get())]
"""How many to leave out: a later page."""
Words = Annotated[str, Meta(min_length=1, max_length=MAX_QUERY.get())]
"""A question or a topic."""
Text = Annotated[str, Meta(max_length=MAX_QUERY.get())]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME.get())]
"""A name or an id."""


class VerbRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What one verb is asked for. Its limits stand in its fields' types, and hold however it is
    built."""

    def __post_init__(self) -> None:
        for field, meta in _limits(type(self)).items():
            value = getattr(self, field)
            if value is not None:
                _check(field, value, meta)


@cache
def _limits(kind: type[VerbRequest]) -> dict[str, Meta]:
    hints = get_type_hints(kind, include_extras=True)
    limits = {name: _meta(hint) for name, hint in hints.items()}
    return {name: meta for name, meta in limits.items() if meta is not None}


def _meta(hint: Any) -> Meta | None:
    """The limits in an annotated type, or in one side of a union."""
    for part in (hint, *get_args(hint)):
        for one in getattr(part, "__metadata__", ()):
            if isinstance(one, Meta):
                return one
    return None


def _check(field: str, value: Any, meta: Meta) -> None:
    size = len(value) if hasattr(value, "__len__") else value
    what = f"the {field}" if isinstance(value, str) else field
    least = meta.ge if meta.ge is not None else meta.min_length
    most = meta.le if meta.le is not None else meta.max_length
    if least is not None and size < least:
        if isinstance(value, str):
            raise InputError(f"{what} is empty")
        raise LimitError(f"{what} is at least {least}")
    if most is not None and size > most:
        counted = f"{size:,} characters, the limit is {most:,}"
        raise LimitError(
            f"{what} has {counted}" if isinstance(value, str) else f"{what} is at most {most:,}",
            cure="ask for less, or raise the limit: osler settings lists them",
        )
