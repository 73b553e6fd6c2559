"""What the readers of terminologies share: tables, limits on names, and a sound hierarchy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from osler.errors import FieldError, FormatError
from osler.files.source import Source
from osler.kinds import Entity, Reject
from osler.knowledge.hierarchy import cycles
from osler.settings import MAX_FIELD, MAX_NAME

_ID = re.compile(r"(?:[A-Za-z]{1,9}[:_])?[A-Z]{0,2}[0-9]{1,18}")
"""MESH:D000001, HP:0000001, C0000001, 64572001."""


def split(cell: str, mark: str = "|") -> tuple[str, ...]:
    """The parts of a list in one cell, without empty ones, each once, in their order."""
    return tuple(dict.fromkeys(part.strip() for part in cell.split(mark) if part.strip()))


def rows(
    source: Source, columns: Sequence[str], *, mark: str = "\t", skip: str = ""
) -> Iterator[tuple[int, dict[str, str]] | Reject]:
    """The rows of a table with a header line, as dictionaries.

    A missing column is the whole file's fault (``FieldError``); a row with too few fields or bad
    UTF-8 is a reject. ``skip`` begins the lines before the header that are comments.
    """
    header: list[str] | None = None
    largest = MAX_FIELD.get()
    for number, line in source.lines():
        if line is None:
            yield Reject(source.name, f"line {number}", "not UTF-8")
            continue
        if not line.strip() or (skip and line.startswith(skip)):
            continue
        cells = line.split(mark)
        if header is None:
            header = [cell.strip() for cell in cells]
            missing = [column for column in columns if column not in header]
            if missing:
                raise FieldError(
                    f"{source.name} line {number} has no column {', '.join(missing)}",
                    cure=f"expected {', '.join(columns)}",
                )
            continue
        if len(cells) > len(header) or len(cells) < len(header) - _trailing(cells, header):
            reason = f"{len(cells)} fields, expected {len(header)}"
            yield Reject(source.name, f"line {number}", reason)
            continue
        cells += [""] * (len(header) - len(cells))
        if len(line) > largest and max(map(len, cells)) > largest:
            yield Reject(source.name, f"line {number}", "a field is longer than OSLER_MAX_FIELD")
            continue
        yield number, dict(zip(header, cells, strict=True))
    if header is None:
        raise FormatError(f"{source.name} is empty")


def _trailing(cells: Sequence[str], header: Sequence[str]) -> int:
    """How many fields may be missing at the end: writers that strip blanks lose empty cells, but
    a row must still have its first two."""
    return len(header) - max(2, len(cells)) if len(cells) >= 2 else 0


def checked(entity: Entity, file: str, place: str, longest: int) -> Entity | Reject:
    """The entity, or why it cannot be one. Synonyms beyond the limit are what makes it a reject:
    a name of that length is a broken file, not a name."""
    if not entity.id or ":" not in entity.id:
        return Reject(file, place, "an entity without an id")
    if not entity.name.strip():
        return Reject(file, place, "an entity without a name", entity.id[:200])
    if max(map(len, entity.names)) > longest:
        return Reject(file, place, f"a name is longer than {longest} characters", entity.id[:200])
    return entity


def shown(id: str) -> str:
    """An id to be named in a reason, with a blank before it; nothing where it is not written as
    terminologies write theirs, since it may then be anything that stood in the file."""
    return f" {id}" if _ID.fullmatch(id) else ""


def settle(
    named_entities: Iterable[tuple[str, Entity]], file: str, *, closed: bool = True
) -> Iterator[Entity | Reject]:
    """Entities of one file with a hierarchy that can be walked.

    ``found`` gives each entity with its place. An id that stands twice is kept once (the first), a
    parent that the file does not hold is left out (``closed``), and a cycle of is-a is broken at
    the edge that closes it when ids are visited in their order: each is a reject.
    """
    longest = MAX_NAME.get()
    kept: dict[str, Entity] = {}
    places: dict[str, str] = {}
    for place, entity in named_entities:
        good = checked(entity, file, place, longest)
        if isinstance(good, Reject):
            yield good
        elif good.id in kept:
            yield Reject(file, place, f"the id stands already at {places[good.id]}", good.id)
        else:
            kept[good.id] = good
            places[good.id] = place
    parents: dict[str, list[str]] = {}
    for id, entity in kept.items():
        known = []
        for parent in dict.fromkeys(entity.parents):
            if parent == id:
                yield Reject(file, places[id], "an entity is its own parent", id)
            elif closed and parent not in kept:
                yield Reject(file, places[id], f"its parent{shown(parent)} is not in the file", id)
            else:
                known.append(parent)
        parents[id] = known
    for child, parent in cycles(parents):
        parents[child].remove(parent)
        yield Reject(
            file, places[child], f"its parent{shown(parent)} closes a cycle of is-a", child
        )
    for id, entity in kept.items():
        now = tuple(parents[id])
        yield entity if now == entity.parents else msgspec.structs.replace(entity, parents=now)
