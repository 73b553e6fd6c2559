"""From loose fields to a document: what the formats without a schema of their own share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from osler.corpus import fields
from osler.kinds import Author, Section
from osler.settings import MAX_FIELD

_LABEL = re.compile(r"(?:^|(?<=[.?!;)] ))([A-Z][A-Z0-9 ,/&()'-]{2,70}): ")
_FIRST_LABEL = re.compile(r"[A-Z][A-Z0-9 ,/&()'-]{2,70}: ")
_DEPTH = 20
_DEEPEST = 500
"""Levels that a record may have. The parser's own bound is the interpreter's, which any package
in the process may raise."""


def sections(text: str) -> tuple[Section, ...]:
    """A structured abstract in one text (``BACKGROUND: ... METHODS: ...``), cut at its labels."""
    text = fields.flat(text)
    if not text:
        return ()
    if not _FIRST_LABEL.match(text):
        return (Section(text),)
    parts = _LABEL.split(text)[1:]
    labelled = zip(parts[::2], parts[1::2], strict=True)
    return tuple(Section(part.strip(), label.strip()) for label, part in labelled)


def author(text: str) -> Author | None:
    """``Family, Given`` or a bare name."""
    family, _, given = fields.flat(text).partition(",")
    given = given.strip()
    initials = "".join(name[0] for name in re.split(r"[\s.-]+", given) if name)
    return Author(family.strip(), given, initials) if family.strip() else None


def authors(names: Iterable[str]) -> tuple[Author, ...]:
    return tuple(name for name in map(author, names) if name is not None)


def listed(value: Any) -> list[str]:
    """Several texts, from a list or from one text with semicolons."""
    if isinstance(value, str):
        value = value.split(";")
    if not isinstance(value, (list, tuple)):
        return []
    texts = [fields.flat(str(item)) for item in value if isinstance(item, (str, int, float))]
    return [text for text in texts if text]


def identifiers(*, pmid: str = "", doi: str = "", pmcid: str = "") -> dict[str, str]:
    ids = {
        "pmid": fields.pmid(pmid),
        "doi": fields.doi(doi),
        "pmcid": fields.pmcid(pmcid),
    }
    return {scheme: value for scheme, value in ids.items() if value}


def identity(ids: Mapping[str, str], *, given: str = "", title: str = "", year: str = "") -> str:
    """The id of a document whose format promises none.

    The PMID, then the format's own, the PMCID, the DOI, and at the last a digest of title and year,
    so that the same export read twice gives the same ids. "" when there is nothing to go by.
    """
    if "pmid" in ids:
        return ids["pmid"]
    if given:
        return given
    if "pmcid" in ids:
        return ids["pmcid"]
    if "doi" in ids:
        return f"doi:{ids['doi']}"
    words = "".join(c for c in title.casefold() if c.isalnum())
    if not words:
        return ""
    return f"title:{hashlib.sha256(f'{words} {year}'.encode()).hexdigest()[:16]}"


def plain(value: Any, depth: int = 0) -> Any:
    """A JSON value with every text clean; deeper than any metadata is, it is dropped."""
    if isinstance(value, str):
        return fields.clean(value)
    if isinstance(value, dict):
        if depth > _DEPTH:
            return {}
        return {fields.clean(str(k)): plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [] if depth > _DEPTH else [plain(item, depth + 1) for item in value]
    return value


def has_long_text(value: Any) -> bool:
    """Whether some text in a JSON value is over the limit of a field."""
    most = MAX_FIELD.get()
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if len(item) > most:
                return True
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return False


def json_object(data: bytes | str) -> dict[str, Any] | None:
    """The object that a text in JSON is, or None."""
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    return value if isinstance(value, dict) and not _too_deep(data, value) else None


def _too_deep(data: bytes | str, value: Any) -> bool:
    """Whether a JSON value has more levels than a record may have."""
    brackets = ("[", "{") if isinstance(data, str) else (b"[", b"{")
    if sum(map(data.count, brackets)) <= _DEEPEST:  # type: ignore[arg-type]
        return False
    waiting = [(value, 1)]
    while waiting:
        item, level = waiting.pop()
        if level > _DEEPEST:
            return True
        if isinstance(item, dict):
            waiting.extend((one, level + 1) for one in item.values())
        elif isinstance(item, list):
            waiting.extend((one, level + 1) for one in item)
    return False
