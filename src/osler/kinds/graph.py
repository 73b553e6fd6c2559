"""A graph's parts: entities, triples, mentions of entities in text, paths between entities."""

from __future__ import annotations

import msgspec


class Entity(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A concept of a terminology or a node of a graph.

    ``id`` is global and carries its terminology (``MESH:D003924``, ``HP:0001250``); an entity of a
    triple file without ids is ``type:name``. ``parents`` are is-a ids; ``places`` are positions in
    a tree, such as MeSH's tree numbers; ``xrefs`` are ids of the same thing elsewhere; ``images``
    are file names.
    """

    id: str
    name: str
    type: str = ""
    synonyms: tuple[str, ...] = ()
    definition: str = ""
    parents: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    language: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.synonyms)


class Triple(msgspec.Struct, frozen=True, omit_defaults=True):
    """Head and tail are entity ids. ``source`` says where the triple comes from."""

    head: str
    relation: str
    tail: str
    source: str = ""


class Mention(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A place in a text that names an entity. Offsets count characters, end exclusive.

    ``entities`` are the candidates, best first, each with its score; ``negated`` says that the text
    denies it ("no evidence of ...").
    """

    start: int
    end: int
    text: str
    entities: tuple[tuple[str, float], ...]
    negated: bool = False

    @property
    def entity(self) -> str:
        return self.entities[0][0]


class Step(msgspec.Struct, frozen=True):
    """One edge as it is walked; ``inverse`` when against its direction."""

    relation: str
    entity: str
    inverse: bool = False


class Path(msgspec.Struct, frozen=True):
    """A walk through the graph. Its length counts entities: two edges make length 3."""

    start: str
    steps: tuple[Step, ...]

    @property
    def entities(self) -> tuple[str, ...]:
        return (self.start, *(step.entity for step in self.steps))

    @property
    def length(self) -> int:
        return len(self.steps) + 1
