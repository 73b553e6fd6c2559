"""From entities and triples to the graph's arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from osler.kinds import Entity, Triple
from osler.knowledge.arrays import Strings
from osler.knowledge.hierarchy import cycles
from osler.knowledge.ids import terminology
from osler.knowledge.normalise import normal_name

Array = NDArray[Any]
HUBS = frozenset({"UMLS", "SCTID", "MESH", "OMIM", "ORPHA"})
"""Terminologies that others are mapped to."""
MOST_SAME = 6
"""An xref that more entities share is too broad to join them."""


def hashed(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


class Builder:
    """Reads entities and triples once; ``arrays`` gives columns, strings and what was counted."""

    def __init__(self, entities: Iterable[Entity], triples: Iterable[Triple], is_a: str) -> None:
        self.is_a = is_a
        self.entities: dict[str, Entity] = {}
        self.merged = 0
        for entity in entities:
            if entity.id in self.entities:
                self.merged += 1
            self.entities[entity.id] = entity
        # Ends of triples are numbered as they come, and renumbered once all ids are known.
        self.met: dict[str, int] = {id: number for number, id in enumerate(self.entities)}
        self.relations: dict[str, int] = {}
        self.heads, self.tails, self.labels = array("I"), array("I"), array("I")
        for triple in triples:
            self.heads.append(self.met.setdefault(triple.head, len(self.met)))
            self.tails.append(self.met.setdefault(triple.tail, len(self.met)))
            self.labels.append(self.relations.setdefault(triple.relation, len(self.relations)))
        self.bare = len(self.met) - len(self.entities)

    def arrays(self) -> tuple[dict[str, Array], dict[str, Strings], dict[str, Any]]:
        ids = sorted(self.met)
        numbers = {id: number for number, id in enumerate(ids)}
        places = np.zeros(len(ids), np.uint32)
        for id, met in self.met.items():
            places[met] = numbers[id]
        self.met = {}
        listed = [self.entities.get(id) or Entity(id=id, name=_bare_name(id)) for id in ids]
        columns, strings = self._names(ids, listed)
        dangling, broken = self._hierarchy(ids, numbers, listed, columns)
        xrefs = ((numbers[e.id], xref) for e in listed for xref in e.xrefs)
        _rows("same", same(numbers, xrefs), len(ids), columns)
        # The edges need the room that the names took.
        del listed, numbers, xrefs
        self.entities = {}
        relations = sorted(self.relations)
        heads = places[np.frombuffer(self.heads, np.uint32)]
        tails = places[np.frombuffer(self.tails, np.uint32)]
        self.heads, self.tails = array("I"), array("I")
        sorted_at = {name: number for number, name in enumerate(relations)}
        order = np.array([sorted_at[name] for name in self.relations] or [0], np.uint32)
        labels = order[np.frombuffer(self.labels, np.uint32)]
        self.labels = array("I")
        if self.is_a and len(columns["parent"]):
            if self.is_a not in relations:
                relations.append(self.is_a)
            child = np.repeat(
                np.arange(len(ids), dtype=np.uint32), np.diff(columns["parent_offsets"])
            )
            heads = np.concatenate([heads, child])
            tails = np.concatenate([tails, columns["parent"]])
            kind = np.full(len(child), relations.index(self.is_a), np.uint32)
            labels = np.concatenate([labels, kind])
        edges = [labels, tails, heads]
        del heads, tails, labels
        doubles = _adjacency(edges, len(ids), len(relations), columns)
        strings["relations"] = Strings.of(relations)
        notes = {
            "entities": len(ids),
            "edges": len(columns["adjacent"]) // 2,
            "repeated entities": self.merged,
            "bare entities": self.bare,
            "dangling parents": dangling,
            "cycles broken": broken,
            "repeated triples": doubles,
        }
        return columns, strings, notes

    def _names(
        self, ids: Sequence[str], listed: Sequence[Entity]
    ) -> tuple[dict[str, Array], dict[str, Strings]]:
        types = sorted({entity.type for entity in listed} | {""})
        languages = sorted({entity.language for entity in listed} | {""})
        type_of = {name: number for number, name in enumerate(types)}
        language_of = {name: number for number, name in enumerate(languages)}
        tree = sorted(
            (place, number) for number, entity in enumerate(listed) for place in entity.places
        )
        synonyms = [entity.synonyms for entity in listed]
        columns: dict[str, Array] = {
            "type": np.array([type_of[entity.type] for entity in listed], np.uint16),
            "language": np.array([language_of[entity.language] for entity in listed], np.uint16),
            "synonym_offsets": _offsets(list(map(len, synonyms))),
            "tree_numbers": np.array([number for _, number in tree], np.uint32),
        }
        columns["id_keys"], columns["id_numbers"] = _keys(
            (hashed(id), number) for number, id in enumerate(ids)
        )
        columns["name_keys"], columns["name_numbers"] = _keys(
            (hashed(" ".join(form)), number)
            for number, entity in enumerate(listed)
            for form in {normal_name(name) for name in entity.names}
        )
        strings = {
            "ids": Strings.of(ids),
            "names": Strings.of([entity.name for entity in listed]),
            "synonyms": Strings.of([name for names in synonyms for name in names]),
            "definitions": Strings.of([entity.definition for entity in listed]),
            "types": Strings.of(types),
            "languages": Strings.of(languages),
            "places": Strings.of(["\x1f".join(entity.places) for entity in listed]),
            "xrefs": Strings.of(["\x1f".join(entity.xrefs) for entity in listed]),
            "images": Strings.of(["\x1f".join(entity.images) for entity in listed]),
            "tree": Strings.of([place for place, _ in tree]),
        }
        return columns, strings

    def _hierarchy(
        self,
        ids: Sequence[str],
        numbers: dict[str, int],
        listed: Sequence[Entity],
        columns: dict[str, Array],
    ) -> tuple[int, int]:
        """Parents and children; how many parents were not there, how many cycles were broken."""
        parents: dict[str, list[str]] = {}
        dangling = 0
        for entity in listed:
            if entity.parents:
                unique = dict.fromkeys(entity.parents)
                known = [parent for parent in unique if parent in numbers and parent != entity.id]
                dangling += len(unique) - len(known)
                parents[entity.id] = known
        closing = cycles(parents)
        for child, parent in closing:
            parents[child].remove(parent)
        pairs = [
            (numbers[child], numbers[parent])
            for child, above in parents.items()
            for parent in above
        ]
        _rows("parent", pairs, len(ids), columns)
        _rows("child", sorted((parent, child) for child, parent in pairs), len(ids), columns)
        return dangling, len(closing)


def _adjacency(edges: list[Array], count: int, relations: int, columns: dict[str, Array]) -> int:
    """Each edge with both of its ends, by (entity, neighbour, label). Repeats are dropped.

    ``edges`` are labels, tails and heads; they are taken out of the list, so that they can go.
    """
    heads, tails, labels = edges.pop(), edges.pop(), edges.pop()
    if not len(heads):
        columns["adjacent_offsets"] = np.zeros(count + 1, np.int64)
        columns["adjacent"] = np.zeros(0, np.uint32)
        columns["label"] = np.zeros(0, np.uint16)
        return 0
    small = np.uint16 if relations * 2 <= 65_536 else np.uint32
    bits = max(1, int(count - 1).bit_length())
    kinds = max(1, int(relations * 2 - 1).bit_length())
    if 2 * bits + kinds <= 63:
        # One whole number holds an edge: sorting it is sorting by entity, neighbour, label.
        mask, kind_mask = (1 << bits) - 1, (1 << kinds) - 1
        both = np.empty(2 * len(heads), np.int64)
        left = both[: len(heads)]
        left[:] = heads
        left <<= bits
        left |= tails
        left <<= kinds - 1
        left |= labels
        left <<= 1
        left.sort()
        fresh = np.ones(len(left), bool)
        np.not_equal(left[1:], left[:-1], out=fresh[1:])
        kept = int(fresh.sum())
        doubles = len(heads) - kept
        if doubles:
            left[:kept] = left[fresh]
        del heads, tails, labels, fresh
        # The other end of each edge, in slices: a whole one would need four times the room.
        for begin in range(0, kept, 1 << 20):
            piece = both[begin : min(kept, begin + (1 << 20))]
            turned = (piece >> kinds & mask) << (bits + kinds)
            turned |= (piece >> (bits + kinds)) << kinds
            turned |= (piece & kind_mask) | 1
            both[kept + begin : kept + begin + len(piece)] = turned
        both = both[: 2 * kept]
        both.sort()
        owners = (both >> (bits + kinds)).astype(np.uint32)
        columns["adjacent"] = (both >> kinds & mask).astype(np.uint32)
        columns["label"] = (both & kind_mask).astype(small)
    else:
        stacked = np.unique(np.stack([heads, tails, labels]), axis=1)
        doubles = len(heads) - stacked.shape[1]
        heads, tails, labels = stacked
        owners = np.concatenate([heads, tails])
        others = np.concatenate([tails, heads])
        walked = np.concatenate([labels * 2, labels * 2 + 1])
        order = np.lexsort((walked, others, owners))
        owners = owners[order]
        columns["adjacent"] = others[order].astype(np.uint32)
        columns["label"] = walked[order].astype(small)
    columns["adjacent_offsets"] = np.searchsorted(owners, np.arange(count + 1)).astype(np.int64)
    return doubles


def _rows(
    name: str, pairs: Sequence[tuple[int, int]], count: int, columns: dict[str, Array]
) -> None:
    """Pairs (row, value), in the order of rows, as offsets and values."""
    sizes = np.zeros(count, np.int64)
    rows = np.fromiter((row for row, _ in pairs), np.int64, len(pairs))
    np.add.at(sizes, rows, 1)
    columns[f"{name}_offsets"] = _offsets(sizes)
    columns[name] = np.fromiter((value for _, value in pairs), np.uint32, len(pairs))


def _offsets(sizes: Any) -> Array:
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, np.int64))]).astype(np.int64)


def _keys(pairs: Iterable[tuple[int, int]]) -> tuple[Array, Array]:
    """Hash keys in order, with what each stands for."""
    keys, numbers = array("Q"), array("I")
    for key, number in pairs:
        keys.append(key)
        numbers.append(number)
    values = np.frombuffer(keys, np.uint64) if keys else np.zeros(0, np.uint64)
    order = np.argsort(values, kind="stable")
    packed = np.frombuffer(numbers, np.uint32) if numbers else np.zeros(0, np.uint32)
    return values[order], packed[order]


def _bare_name(id: str) -> str:
    """What to call an entity that only triples name: Hetionet's ``Gene::10062`` is ``10062``."""
    return id.rpartition("::")[2] or id


def same(ids: dict[str, int], xrefs: Iterable[tuple[int, str]]) -> list[tuple[int, int]]:
    """Which entities are the same thing in different terminologies: pairs of numbers (each both
    ways, in order) out of (number, xref) pairs.

    Two are the same when one xrefs the other, or when both xref the same concept of a hub (a UMLS
    CUI, a SNOMED CT id), even one that the graph does not hold.
    """
    pairs: set[tuple[int, int]] = set()
    through: dict[str, list[int]] = {}
    terms: dict[int, str] = {}
    names = {number: id for id, number in ids.items()}
    for number, xref in xrefs:
        other = ids.get(xref)
        if other is not None:
            if other != number:
                pairs.add((number, other))
                pairs.add((other, number))
        elif terminology(xref) in HUBS:
            through.setdefault(xref, []).append(number)
            terms[number] = terminology(names[number])
    for numbers in through.values():
        if 2 <= len(numbers) <= MOST_SAME:
            for a in numbers:
                for b in numbers:
                    if terms[a] != terms[b]:
                        pairs.add((a, b))
    return sorted(pairs)
