"""The graph as compact arrays: entities by number, edges as one list a node, names as bytes.

Entities are numbered in the order of their ids, so ties by number are ties by id. Edges stand
once with each end (compressed sparse rows): a label is twice the relation's number, plus one when
the edge is walked against its direction. That is 12 to 16 bytes a triple; everything is saved as
plain arrays that are memory-mapped when they are opened again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path as Folder
from typing import Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import UnknownId
from osler.kinds import Entity, Step, Triple
from osler.knowledge import arrays
from osler.knowledge.arrays import Strings
from osler.knowledge.building import Builder, hashed
from osler.knowledge.normalise import normal_name

IS_A = "is a"
Array = NDArray[Any]


class Graph:
    """Entities, their hierarchy and their edges; made by ``Graph.build`` or ``Graph.load``."""

    def __init__(
        self, columns: dict[str, Array], strings: dict[str, Strings], notes: dict[str, Any]
    ) -> None:
        self._c = columns
        self._s = strings
        self.notes = notes
        self.relations: list[str] = list(strings["relations"])
        self.types: list[str] = list(strings["types"])

    @classmethod
    def build(
        cls, entities: Iterable[Entity], triples: Iterable[Triple] = (), *, hierarchy: bool = True
    ) -> Graph:
        """A graph of entities and triples, both read once.

        An end of a triple that no entity describes becomes a bare entity; a parent that is not
        there is left out; a cycle of is-a is broken: ``notes`` counts each. ``hierarchy`` makes
        is-a an edge too, so that paths can lead through a parent.
        """
        columns, strings, notes = Builder(entities, triples, IS_A if hierarchy else "").arrays()
        return cls(columns, strings, notes)

    def save(self, folder: str | Folder) -> None:
        arrays.save(Folder(folder), "graph", self._c, self._s, self.notes)

    @classmethod
    def load(cls, folder: str | Folder, *, mmap: bool = True, check: bool = True) -> Graph:
        loaded = arrays.load(Folder(folder), "graph", mmap=mmap, check=check)
        return cls(loaded.arrays, loaded.strings, loaded.notes)

    # Entities ---------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._s["ids"])

    @property
    def edges(self) -> int:
        """How many edges there are, is-a included."""
        return len(self._c["adjacent"]) // 2

    @property
    def nbytes(self) -> int:
        texts = sum(s.data.nbytes + s.offsets.nbytes for s in self._s.values())
        return sum(column.nbytes for column in self._c.values()) + texts

    @property
    def ids(self) -> Strings:
        return self._s["ids"]

    def __contains__(self, id: str) -> bool:
        return self.find(id) is not None

    def find(self, id: str) -> int | None:
        """The number of an id, or None."""
        key = np.uint64(hashed(id))
        keys = self._c["id_keys"]
        at = int(np.searchsorted(keys, key))
        while at < len(keys) and keys[at] == key:
            number = int(self._c["id_numbers"][at])
            if self._s["ids"][number] == id:
                return number
            at += 1
        return None

    def find_many(self, ids: Sequence[str]) -> list[int | None]:
        """The numbers of many ids at once."""
        keys = self._c["id_keys"]
        if not len(keys) or not ids:
            return [None] * len(ids)
        wanted = np.array([hashed(id) for id in ids], np.uint64)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        numbers = self._c["id_numbers"][at]
        triplets = zip(ids, self._s["ids"].many(numbers), numbers.tolist(), strict=True)
        # Two ids may share a hash: the slow way looks through all of them.
        return [number if there == id else self.find(id) for id, there, number in triplets]

    def number(self, id: str) -> int:
        number = self.find(id)
        if number is None:
            raise UnknownId(f"the graph holds no entity {id[:100]!r}")
        return number

    def id(self, number: int) -> str:
        return str(self._s["ids"][number])

    def name(self, id: str) -> str:
        return str(self._s["names"][self.number(id)])

    def names(self, id: str) -> tuple[str, ...]:
        """The preferred name, then the synonyms."""
        number = self.number(id)
        return (str(self._s["names"][number]), *self._synonyms(number))

    def type(self, id: str) -> str:
        return self.types[int(self._c["type"][self.number(id)])]

    def places(self, id: str) -> tuple[str, ...]:
        """Positions in a tree, such as MeSH's tree numbers."""
        return self._list("places", self.number(id))

    def entity(self, id: str) -> Entity:
        """The entity as it was given (its parents without those that were left out)."""
        return self._entity(self.number(id))

    def entities(self) -> Iterator[Entity]:
        """All entities, by id."""
        return (self._entity(number) for number in range(len(self)))

    def triples(self) -> Iterator[Triple]:
        """All triples, by head; is-a edges are in the entities' parents."""
        skip = self.relations.index(IS_A) if IS_A in self.relations else -1
        for number in range(len(self)):
            for other, label in zip(*self.edges_of(number), strict=True):
                if not label & 1 and label >> 1 != skip:
                    yield Triple(self.id(number), self.relations[label >> 1], self.id(int(other)))

    def _entity(self, number: int) -> Entity:
        return Entity(
            id=self.id(number),
            name=str(self._s["names"][number]),
            type=self.types[int(self._c["type"][number])],
            synonyms=self._synonyms(number),
            definition=str(self._s["definitions"][number]),
            parents=tuple(map(self.id, self._row("parent", number))),
            places=self._list("places", number),
            xrefs=self._list("xrefs", number),
            images=self._list("images", number),
            language=str(self._s["languages"][int(self._c["language"][number])]),
        )

    def _synonyms(self, number: int) -> tuple[str, ...]:
        start, end = self._c["synonym_offsets"][number : number + 2].tolist()
        return tuple(self._s["synonyms"][start:end])

    def _list(self, which: str, number: int) -> tuple[str, ...]:
        joined = str(self._s[which][number])
        return tuple(joined.split("\x1f")) if joined else ()

    def _row(self, which: str, number: int) -> list[int]:
        start, end = self._c[f"{which}_offsets"][number : number + 2].tolist()
        return self._c[which][start:end].tolist()  # type: ignore[no-any-return]

    def lookup(self, name: str) -> list[str]:
        """Ids of the entities that bear a name, in whatever case, number or word order of commas;
        those whose preferred name it is come first, then by id."""
        form = normal_name(name)
        key = np.uint64(hashed(" ".join(form)))
        keys = self._c["name_keys"]
        start, end = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        numbers: dict[int, int] = {}
        for number in self._c["name_numbers"][start:end].tolist():
            preferred = normal_name(str(self._s["names"][number])) == form
            if preferred or any(normal_name(other) == form for other in self._synonyms(number)):
                numbers[number] = 0 if preferred else 1
        return [self.id(number) for number in sorted(numbers, key=lambda n: (numbers[n], n))]

    # Hierarchy --------------------------------------------------------------------------------

    def parents(self, id: str) -> list[str]:
        return [self.id(number) for number in self._row("parent", self.number(id))]

    def children(self, id: str) -> list[str]:
        return [self.id(number) for number in self._row("child", self.number(id))]

    def ancestors(self, id: str, depth: int | None = None) -> dict[str, int]:
        """All entities above, nearest first, each with its distance (1 for a parent)."""
        return self._closure(id, "parent", depth)

    def descendants(self, id: str, depth: int | None = None) -> dict[str, int]:
        """All entities below by is-a, nearest first, each with its distance."""
        return self._closure(id, "child", depth)

    def above(self, number: int, depth: int | None = None) -> dict[int, int]:
        """``ancestors`` by numbers, without a look at anybody's id."""
        return self._closure_of(number, "parent", depth)

    def _closure(self, id: str, which: str, depth: int | None) -> dict[str, int]:
        closure = self._closure_of(self.number(id), which, depth)
        return {self.id(number): far for number, far in closure.items()}

    def _closure_of(self, start: int, which: str, depth: int | None) -> dict[int, int]:
        seen = {start: 0}
        level, distance = [start], 0
        while level and (depth is None or distance < depth):
            distance += 1
            following = {other for number in level for other in self._row(which, number)}
            level = sorted(following - seen.keys())
            seen.update(dict.fromkeys(level, distance))
        del seen[start]
        return seen

    def branch(self, id: str) -> list[str]:
        """The entity and all below it, as a heading explodes: by tree numbers where it has them
        (a descriptor counts below only at the places that are), by is-a otherwise."""
        number = self.number(id)
        members = {number}
        own = self._list("places", number)
        for place in own:
            members.update(self._below(place))
        if not own:
            return sorted([id, *self.descendants(id)])
        return [self.id(other) for other in sorted(members)]

    def under(self, place: str) -> list[str]:
        """All entities at or below a place in a tree: ``C``, ``F03``, ``C08.381``."""
        return [self.id(other) for other in sorted(set(self._below(place)))]

    def _below(self, place: str) -> list[int]:
        # A bare category letter takes all of its trees; otherwise a dot must follow.
        exact = place if len(place) == 1 else f"{place}."
        tree = self._s["tree"]
        low, high = _bisect(tree, place), _bisect(tree, exact + "\U0010ffff")
        numbers = self._c["tree_numbers"][low:high].tolist()
        return [
            number
            for number, at in zip(numbers, tree[low:high], strict=True)
            if at == place or at.startswith(exact)
        ]

    def same(self, id: str) -> list[str]:
        """The same thing in other terminologies, through xrefs."""
        return [self.id(number) for number in self._row("same", self.number(id))]

    # Edges ------------------------------------------------------------------------------------

    @property
    def adjacency(self) -> tuple[Array, Array, Array]:
        """Offsets, neighbours and labels, for those that walk many edges at once."""
        return self._c["adjacent_offsets"], self._c["adjacent"], self._c["label"]

    def edges_of(self, number: int) -> tuple[Array, Array]:
        start, end = self._c["adjacent_offsets"][number : number + 2].tolist()
        return self._c["adjacent"][start:end], self._c["label"][start:end]

    def degree(self, id: str) -> int:
        """How many edges an entity has, both ways."""
        start, end = self._c["adjacent_offsets"][self.number(id) :][:2].tolist()
        return int(end - start)

    def neighbours(
        self, id: str, *, relation: str | None = None, direction: str = "both"
    ) -> list[Step]:
        """The steps that lead away from an entity. ``direction``: ``out``, ``in`` or ``both``."""
        steps = []
        for other, label in zip(*self.edges_of(self.number(id)), strict=True):
            step = self.step(int(label), int(other))
            if relation is not None and step.relation != relation:
                continue
            if direction == "both" or (direction == "in") == step.inverse:
                steps.append(step)
        return steps

    def step(self, label: int, number: int) -> Step:
        return Step(self.relations[label >> 1], self.id(number), bool(label & 1))


def _bisect(strings: Strings, value: str) -> int:
    low, high = 0, len(strings)
    while low < high:
        middle = (low + high) // 2
        if strings[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
