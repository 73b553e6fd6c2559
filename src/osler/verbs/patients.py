"""Whose records a library holds: sources by name, people joined across them by a person's rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from osler.errors import InputError

if TYPE_CHECKING:
    from osler.library import Library


class Patients(msgspec.Struct, kw_only=True):
    """Sources with how many patients each has; identifier systems that join them; the people who
    have more than one id; identifiers that two patients of one source carry, so that they join
    nobody."""

    sources: dict[str, int]
    systems: list[str]
    joined: dict[str, list[str]]
    doubtful: list[tuple[str, list[str]]]

    @property
    def notes(self) -> list[str]:
        """What a person should know of it, in words."""
        said = []
        if self.joined:
            ids = sum(len(ids) for ids in self.joined.values())
            said.append(
                f"{ids:,} patients of several sources are {len(self.joined):,} people, joined by "
                f"{', '.join(self.systems)}; osler records joined LIB lists them"
            )
        if self.doubtful:
            said.append(
                f"{len(self.doubtful):,} identifiers join nobody: two patients of one source "
                "carry the same"
            )
        return said


def patients(library: Library) -> Patients:
    """Sources and joins as they are."""
    from osler.records.ids import source_of
    from osler.store.facts import FactRows
    from osler.store.joins import Joins
    from osler.store.sources import Sources

    counts = dict.fromkeys(Sources(library.truth).all(), 0)
    for id in FactRows(library.truth).own_patients():
        name = source_of(id)
        counts[name] = counts.get(name, 0) + 1
    held = Joins(library.truth).listed()
    return Patients(
        sources=counts, systems=held.systems, joined=held.people, doubtful=held.doubtful
    )


def join(library: Library, system: str, *, undo: bool = False) -> Patients:
    """Join patients of different sources by an identifier system, or take that back."""
    from osler.store.joins import Joins

    if not system.strip():
        raise InputError("a join needs an identifier system, such as urn:oid:2.16.840.1.113883.4.1")
    joins = Joins(library.truth)
    with library._writing():
        if undo:
            joins.remove(system)
        else:
            joins.add(system)
    return patients(library)


def as_lines(held: Patients) -> list[dict[str, Any]]:
    """One line a person who was joined."""
    return [{"person": person, "ids": ids} for person, ids in held.joined.items()]
