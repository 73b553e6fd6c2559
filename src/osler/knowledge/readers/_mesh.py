"""What MeSH's formats share: tree numbers make parents and types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from osler.kinds import Entity, Reject
from osler.knowledge.readers._common import settle

# The sixteen categories of the tree, by the first letter of a tree number.
CATEGORIES = {
    "A": "Anatomy",
    "B": "Organism",
    "C": "Disease",
    "D": "Chemical or drug",
    "E": "Technique",
    "F": "Psychology",
    "G": "Phenomenon",
    "H": "Discipline",
    "I": "Society",
    "J": "Technology",
    "K": "Humanities",
    "L": "Information",
    "M": "Person",
    "N": "Health care",
    "V": "Publication",
    "Z": "Place",
}


def type_of(places: Iterable[str]) -> str:
    """A descriptor's type: disease wherever it stands in C or F03, else its first category."""
    listed = list(places)
    if any(place.startswith(("C", "F03")) for place in listed):
        return "Disease"
    return CATEGORIES.get(listed[0][:1], "") if listed else ""


def descriptors(
    named_entities: Iterable[tuple[str, Entity]], file: str
) -> Iterator[Entity | Reject]:
    """Descriptors with the parents that their tree numbers tell (of C08.381.520 it is C08.381)."""
    listed = list(named_entities)
    holder = {place: entity.id for _, entity in listed for place in entity.places}
    with_parents = []
    for where, entity in listed:
        above = (place.rpartition(".")[0] for place in entity.places)
        # A gap in the tree is a dangling parent: it stays, as a tree number, and settle counts it.
        ids = (holder.get(place, place) for place in above if place)
        parents = tuple(id for id in dict.fromkeys(ids) if id != entity.id)
        with_parents.append((where, msgspec.structs.replace(entity, parents=parents)))
    yield from settle(with_parents, file)
