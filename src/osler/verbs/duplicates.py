"""``duplicates``: records that are probably the same paper, in groups; nothing is merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from osler.errors import InputError
from osler.review.duplicates import SURE, Duplicate, groups, record_of
from osler.verbs.limits import VerbRequest

if TYPE_CHECKING:
    from osler.library import Library


class DuplicatesRequest(VerbRequest, frozen=True, kw_only=True):
    """``least`` leaves out records that are less probably duplicates."""

    least: Annotated[float, msgspec.Meta(ge=SURE, le=1.0)] = SURE


class Apart(msgspec.Struct, kw_only=True):
    """Two records, and whether somebody says now that they are two papers."""

    one: str
    other: str
    apart: bool
    set_apart: int


class Duplicates(msgspec.Struct, kw_only=True):
    """Records by group, and how many pairs were set apart."""

    records: list[Duplicate]
    set_apart: int = 0


def duplicates(library: Library, request: DuplicatesRequest) -> Duplicates:
    """Groups of records that are probably one paper, each with its probability."""
    apart = pairs_apart(library)

    def make() -> list[Duplicate]:
        return groups(map(record_of, library.documents()), apart)

    stamp = (*library.stamp("documents"), len(apart), hash(frozenset(apart)))
    records = library.keep("duplicates", stamp, make)
    kept = [record for record in records if record.probability >= request.least]
    return Duplicates(records=kept, set_apart=len(apart))


def pairs_apart(library: Library) -> set[frozenset[str]]:
    """Pairs of which somebody said that they are two papers."""
    return library.decisions.pairs_apart()


def set_apart(library: Library, one: str, other: str, *, apart: bool = True) -> None:
    """Say that two records are two papers (or take that back). The caller holds the lock."""
    if one == other:
        raise InputError("a record is no duplicate of itself", cure="name two ids")
    for id in (one, other):
        library.document(id)  # an unknown id is told
    pairs = pairs_apart(library)
    pair = frozenset((one, other))
    library.decisions.keep_apart(pairs | {pair} if apart else pairs - {pair})
