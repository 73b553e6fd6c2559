"""Errors as the web shows them: problem details (RFC 9457) with the codes of the command line."""

from __future__ import annotations

import re
from functools import cache

import msgspec

import osler.errors
from osler.errors import (
    AmbiguousName,
    ChoiceError,
    InputError,
    LimitError,
    LockedError,
    NeedsError,
    OslerError,
    QueryError,
    StorageError,
    UnknownId,
)
from osler.serve.desk import BusyError

MEDIA = "application/problem+json"


class Candidate(msgspec.Struct, kw_only=True):
    """One of the things that a name may stand for; its id says which is meant."""

    id: str
    name: str
    type: str


class Problem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What went wrong (``title`` for the kind, ``detail`` for this time), and what to do
    (``cure``). ``code`` is the one that the command line prints; ``place`` is a character of the
    query, ``marked`` the query with a mark under it; ``fields`` name what was wrong in the
    request; ``candidates`` are the things that a name may stand for, which the request gave as its
    ``part``."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    cure: str = ""
    place: int | None = None
    marked: str = ""
    choices: list[str] = []
    part: str = ""
    candidates: list[Candidate] = []
    fields: dict[str, str] = {}


STATUS: tuple[tuple[type[OslerError], int], ...] = (
    (BusyError, 503),
    (UnknownId, 404),
    (LockedError, 423),
    (LimitError, 413),
    (InputError, 400),
    (NeedsError, 409),
    (StorageError, 507),
    (OslerError, 500),
)


@cache
def titles() -> dict[str, str]:
    """What each code means, from the tree that ``osler.errors`` opens with."""
    rows = re.findall(r"(E\d{3})\s+(.+)", osler.errors.__doc__ or "")
    return {code: meaning.split(";")[0].strip() for code, meaning in rows}


def status_of(error: OslerError) -> int:
    return next(status for kind, status in STATUS if isinstance(error, kind))


def problem_of(error: OslerError) -> Problem:
    return Problem(
        type=f"/docs#{error.code}",
        title=titles().get(error.code, "an error"),
        status=status_of(error),
        detail=error.message,
        code=error.code,
        cure=error.cure,
        place=error.place if isinstance(error, QueryError) else None,
        marked=error.marked if isinstance(error, QueryError) else "",
        choices=list(error.choices) if isinstance(error, ChoiceError) else [],
        part=error.part if isinstance(error, AmbiguousName) else "",
        candidates=_candidates(error),
    )


def _candidates(error: OslerError) -> list[Candidate]:
    if not isinstance(error, AmbiguousName):
        return []
    return [Candidate(id=one.id, name=one.name, type=one.type) for one in error.candidates]


def plain_problem(
    status: int, code: str, detail: str, *, cure: str = "", fields: dict[str, str] | None = None
) -> Problem:
    """A problem that no error of the library stands behind."""
    return Problem(
        type=f"/docs#{code}",
        title=titles().get(code, "an error"),
        status=status,
        detail=detail,
        code=code,
        cure=cure,
        fields=fields or {},
    )
