"""Every error that a person can meet, as one small tree.

OslerError                 E000  anything that Osler reports in one line
├── InputError             E100  a file, a query or an option that cannot be used
│   ├── FormatError        E101  a file whose format is not recognised, or is broken as a whole
│   ├── FieldError         E104  a line or row with missing or wrong fields
│   ├── QueryError         E110  a query that cannot be read; carries the place
│   ├── ChoiceError        E120  a name that is none of the choices; carries the nearest
│   ├── AmbiguousName      E121  a name of several things; carries them
│   └── LimitError         E130  something larger than a limit in the settings
├── LibraryError           E200  the library on disk
│   ├── MissingLibrary     E201  there is no library at that place
│   ├── LockedError        E202  another writer holds the library
│   ├── VersionError       E203  a library of a newer, or unknown, format
│   ├── DamageError        E204  a checksum does not hold; names what is damaged
│   ├── StorageError       E205  the disk is full, read-only or not permitted
│   └── UnknownId          E206  an id that the library does not hold
├── NeedsError             E300  something must be installed, fetched or trained first
│   ├── MissingExtra       E301  an optional package; carries the install line
│   └── MissingModel       E302  a model; carries the command that brings it
└── NetworkError           E400  a download that failed or did not match its SHA-256
    ├── AwayError          E401  a server (Milvus, Dask) that does not answer
    └── RefusedError       E402  a server that answers but cannot be used: credentials, versions
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple


class OslerError(Exception):
    """The root of the tree: a message in one line, and a code to search for."""

    code = "E000"
    exit_code = 1

    def __init__(self, message: str, *, cure: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure

    def __str__(self) -> str:
        text = f"{self.code} {self.message}"
        return f"{text}; {self.cure}" if self.cure else text


class InputError(OslerError):
    code = "E100"
    exit_code = 2


class FormatError(InputError):
    code = "E101"


class FieldError(InputError):
    code = "E104"


class QueryError(InputError):
    """A query that cannot be read. ``marked`` shows the query with a mark under the place."""

    code = "E110"

    def __init__(self, message: str, *, query: str, place: int, cure: str = "") -> None:
        super().__init__(message, cure=cure)
        self.query = query
        self.place = place

    @property
    def marked(self) -> str:
        # Of several lines the one that is meant; of long ones what fits a terminal, or the mark
        # would stand under what was wrapped.
        begins = self.query.rfind("\n", 0, self.place) + 1
        start = max(begins, self.place - 60)
        end = max(self.place + 20, start + 78)
        shown = self.query[start:end].partition("\n")[0].replace("\t", " ")
        return f"{shown}\n{' ' * (self.place - start)}^"


class ChoiceError(InputError):
    """A name that is none of the choices."""

    code = "E120"

    def __init__(self, what: str, given: str, choices: Iterable[str]) -> None:
        names = sorted(choices)
        near = difflib.get_close_matches(given, names, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        listed = ", ".join(names) or "none"
        super().__init__(f"there is no {what} {given!r}", cure=f"{hint}choices: {listed}")
        self.choices = names


class Namesake(NamedTuple):
    """One of the things that a name may stand for."""

    id: str
    name: str
    type: str

    def __str__(self) -> str:
        return f"{self.id} ({self.name}, {self.type})" if self.type else f"{self.id} ({self.name})"


class AmbiguousName(InputError):
    """A name that stands for several things: asked back. ``part`` is the part of the request that
    it was given as (head, tail), ``candidates`` are what it may stand for."""

    code = "E121"

    def __init__(self, given: str, part: str, candidates: Iterable[Namesake]) -> None:
        self.given = given
        self.part = part
        self.candidates = tuple(candidates)
        listed = ", ".join(map(str, self.candidates))
        super().__init__(
            f"the {part} {given!r} names several things: {listed}",
            cure=f"give the id of the one that is meant, such as {self.candidates[0].id}",
        )


class LimitError(InputError):
    code = "E130"


class LibraryError(OslerError):
    code = "E200"


class MissingLibrary(LibraryError):
    code = "E201"


class LockedError(LibraryError):
    code = "E202"


class VersionError(LibraryError):
    code = "E203"


class DamageError(LibraryError):
    code = "E204"


class StorageError(LibraryError):
    code = "E205"


class UnknownId(LibraryError):
    code = "E206"


class NeedsError(OslerError):
    code = "E300"


class MissingExtra(NeedsError):
    """An optional package is not installed."""

    code = "E301"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra", cure=f"pip install 'osler[{extra}]'")


class MissingModel(NeedsError):
    code = "E302"


class NetworkError(OslerError):
    code = "E400"


class AwayError(NetworkError):
    code = "E401"


class RefusedError(NetworkError):
    code = "E402"
