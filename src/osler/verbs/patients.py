"""Whose records a library holds: sources by name, people joined across them by a person's rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from osler.errors import InputError, NeedsError
from osler.verbs.limits import Name, VerbRequest

if TYPE_CHECKING:
    from osler.library import Library
    from osler.store.removal import RecordsErased


Kind = Literal["patient", "source"]
"""Whose records are taken out."""


class JoinRequest(VerbRequest, frozen=True, kw_only=True):
    """Join patients of different sources who carry the same identifier in a system, or take that
    back."""

    system: Name
    undo: bool = False


class RemoveRequest(VerbRequest, frozen=True, kw_only=True):
    """Take records out for good: of one patient (by id), or of a whole source (by name).
    ``confirm`` is the same once more: what is gone does not come back."""

    kind: Kind
    name: Name
    confirm: str


class Doubtful(msgspec.Struct, frozen=True):
    """An identifier of a system that two patients of one source carry: it joins nobody."""

    system: str
    ids: list[str]


class Patients(msgspec.Struct, kw_only=True):
    """Sources with how many patients each has; identifier systems that join them; the people who
    have more than one id; identifiers that two patients of one source carry, so that they join
    nobody."""

    sources: dict[str, int]
    systems: list[str]
    joined: dict[str, list[str]]
    doubtful: list[Doubtful]

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
    from osler.records.ids import SHARED, source_of
    from osler.records.schema import patient_rank
    from osler.store.facts import FactRows
    from osler.store.graph_rows import GraphRows
    from osler.store.joins import Joins
    from osler.store.sources import Sources

    counts = dict.fromkeys(Sources(library.truth).all(), 0)
    for id in FactRows(library.truth).own_patients():
        name = source_of(id)
        counts[name] = counts.get(name, 0) + 1
    # Patients of typed triples have no facts: they stand in the graph alone.
    for entity in GraphRows(library.truth).shared(SHARED):
        if patient_rank(entity.type) >= 0:
            name = source_of(entity.id)
            counts[name] = counts.get(name, 0) + 1
    held = Joins(library.truth).listed()
    return Patients(
        sources=counts,
        systems=held.systems,
        joined=held.people,
        doubtful=[Doubtful(system, ids) for system, ids in held.doubtful],
    )


def join(library: Library, request: JoinRequest) -> Patients:
    """Join patients of different sources by an identifier system, or take that back."""
    from osler.store.joins import Joins

    if not request.system.strip():
        raise InputError("a join needs an identifier system, such as urn:oid:2.16.840.1.113883.4.1")
    joins = Joins(library.truth)
    with library._writing():
        if request.undo:
            joins.remove(request.system)
        else:
            joins.add(request.system)
    return patients(library)


def remove_records(library: Library, request: RemoveRequest) -> RecordsErased:
    """Take out for good what the request names, if it is confirmed."""
    if request.confirm != request.name:
        raise NeedsError(
            "the removal is not confirmed: the second name is another",
            cure="write the patient's id or the source's name once more, as it stands",
        )
    if request.kind == "patient":
        return library.erase_records(patient=request.name)
    return library.erase_records(source=request.name)


def at_stake(library: Library, kind: Kind, name: str) -> RecordsErased:
    """What a removal would take out; nothing is changed."""
    from osler.store import removal

    return removal.at_stake(library.truth, **{kind: name})


def as_lines(held: Patients) -> list[dict[str, Any]]:
    """One line a person who was joined."""
    return [{"person": person, "ids": ids} for person, ids in held.joined.items()]
