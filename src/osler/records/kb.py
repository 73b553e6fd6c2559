"""The clinical knowledge base: entities and triples of records as compact arrays.

Nodes are numbered; edges stand in one CSR table that is walked both ways. An edge's code is
``2 * relation`` along its direction and ``2 * relation + 1`` against it. Names are looked up in a
normalised form. Nothing here knows any relation by name: a hospital's own triples work alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from osler.kinds import Entity, Triple
from osler.records.ids import PREFIX
from osler.records.schema import PATIENT, date_of, date_span, number_of, patient_rank

# A step that walks a relation either way: this and the relation's number.
BOTH = 1 << 20

Ints = npt.NDArray[np.int64]
# The files of a copy on disk.
COPY = ("names.msgpack", "arrays.npz")

_OPAQUE = re.compile(r"^(?:[A-Za-z_]*[-_:#/]?\d+|[0-9a-f]{8}-[0-9a-f-]{20,}|\w*[:#/_-]\w*\d\w*)$")
_NUMERIC = frozenset("0123456789-<>=~≤≥ ")
_WORD = re.compile(r"[㐀-鿿豈-﫿]|[^\W_㐀-鿿豈-﫿]+(?:\.\d+)?", re.UNICODE)


def words(text: str) -> list[str]:
    """Lower-case words; each Chinese character is a word, 7.5 is one, hyphens and slashes split."""
    return _WORD.findall(text.lower().replace("’", "'").replace("'s ", " ").removesuffix("'s"))


def normalise(name: str) -> str:
    return " ".join(words(name))


class ClinicalKB:
    """Entities and triples as arrays. Build with ``ClinicalKB.build``; order of input is kept."""

    def __init__(
        self,
        *,
        ids: list[str],
        names: list[str],
        synonyms: dict[int, tuple[str, ...]],
        types: list[str],
        type_of: Ints,
        relations: list[str],
        triples: Ints,
        sources: list[str],
    ) -> None:
        self.ids = ids
        self.names = names
        self.synonyms = synonyms
        self.types = types
        self.type_of = type_of
        self.relations = relations
        self.triples = triples
        self.sources = sources
        self._index_edges()

    # building

    @classmethod
    def build(cls, entities: Iterable[Entity], triples: Iterable[Triple]) -> ClinicalKB:
        """From what the readers yielded; an end that no entity describes is read off its id."""
        number: dict[str, int] = {}
        ids: list[str] = []
        names: list[str] = []
        synonyms: dict[int, tuple[str, ...]] = {}
        types: dict[str, int] = {}
        type_of: list[int] = []

        def node(id: str, name: str, type: str, others: tuple[str, ...] = ()) -> int:
            at = number.get(id)
            if at is None:
                at = number[id] = len(ids)
                ids.append(id)
                names.append(name)
                type_of.append(types.setdefault(type, len(types)))
            else:
                names[at] = name
                type_of[at] = types.setdefault(type, len(types))
            if others:
                synonyms[at] = others
            return at

        for entity in entities:
            node(entity.id, entity.name, entity.type, entity.synonyms)
        relations: dict[str, int] = {}
        rows: dict[tuple[int, int, int], str] = {}
        for triple in triples:
            ends = []
            for id in (triple.head, triple.tail):
                at = number.get(id)
                ends.append(node(id, *_described(id)) if at is None else at)
            relation = relations.setdefault(triple.relation, len(relations))
            rows.setdefault((ends[0], relation, ends[1]), triple.source)
        return cls(
            ids=ids,
            names=names,
            synonyms=synonyms,
            types=list(types),
            type_of=np.asarray(type_of, dtype=np.int64),
            relations=list(relations),
            triples=np.asarray(list(rows), dtype=np.int64).reshape(-1, 3),
            sources=list(rows.values()),
        )

    @classmethod
    def read(cls, path: str | Path, *, format: str | None = None) -> ClinicalKB:
        """Straight from a file or folder that a record reader knows; rejects are passed over."""
        from osler.files.reader import recognise
        from osler.files.source import Source

        source = Source(path)
        entities: list[Entity] = []
        triples: list[Triple] = []
        for item in recognise(source, format=format).read(source):
            if isinstance(item, Entity):
                entities.append(item)
            elif isinstance(item, Triple):
                triples.append(item)
        return cls.build(entities, triples)

    def _index_edges(self) -> None:
        heads, relations, tails = self.triples[:, 0], self.triples[:, 1], self.triples[:, 2]
        count = len(self.triples)
        ends = np.concatenate([heads, tails])
        order = np.lexsort(
            (
                np.concatenate([tails, heads]),
                np.concatenate([2 * relations, 2 * relations + 1]),
                ends,
            )
        )
        self.neighbour = np.concatenate([tails, heads])[order].astype(np.int32)
        self.code = np.concatenate([2 * relations, 2 * relations + 1])[order].astype(np.int32)
        self.edge = (order % max(count, 1)).astype(np.int32)
        self.start = np.zeros(len(self.ids) + 1, dtype=np.int64)
        np.cumsum(np.bincount(ends, minlength=len(self.ids)), out=self.start[1:])

    # reading

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def number_of(self) -> dict[str, int]:
        return {id: at for at, id in enumerate(self.ids)}

    @cached_property
    def patient_type(self) -> int:
        """The number of the type that stands for patients; -1 where there is none."""
        ranks = [(patient_rank(t), at) for at, t in enumerate(self.types)]
        return min((r for r in ranks if r[0] >= 0), default=(0, -1))[1]

    @cached_property
    def patients(self) -> Ints:
        return np.flatnonzero(self.type_of == self.patient_type)

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """Nodes by normalised name or synonym."""
        index: dict[str, list[int]] = {}
        # The same few thousand names stand at most nodes: normalise each string once.
        seen: dict[str, str] = {}
        for at, name in enumerate(self.names):
            key = seen.get(name)
            if key is None:
                key = seen[name] = normalise(name)
            if key:
                index.setdefault(key, []).append(at)
        for at, others in self.synonyms.items():
            for other in others:
                key = normalise(other)
                if key:
                    nodes = index.setdefault(key, [])
                    if not nodes or nodes[-1] != at:
                        nodes.append(at)
        return index

    @cached_property
    def longest_name(self) -> int:
        return max((key.count(" ") + 1 for key in self.by_name if len(key) < 200), default=0)

    @cached_property
    def vocabulary(self) -> Counter[str]:
        """How many distinct names hold each word."""
        counts: Counter[str] = Counter()
        for name in self.by_name:
            counts.update(set(name.split()[:30]))
        return counts

    @cached_property
    def schema(self) -> dict[tuple[int, int, int], int]:
        """Edges by (type, code, type of the other end), counted; both directions."""
        n = len(self.types)
        if not len(self.triples):
            return {}
        head = self.type_of[self.triples[:, 0]]
        tail = self.type_of[self.triples[:, 2]]
        relation = self.triples[:, 1]
        keys, counts = np.unique((relation * n + head) * n + tail, return_counts=True)
        result: dict[tuple[int, int, int], int] = {}
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            rest, t = divmod(key, n)
            r, h = divmod(rest, n)
            result[h, 2 * r, t] = count
            result[t, 2 * r + 1, h] = count
        return result

    @cached_property
    def schema_from(self) -> dict[int, list[tuple[int, int, int]]]:
        """For a type: (code, type of the other end, count), most frequent first."""
        result: dict[int, list[tuple[int, int, int]]] = {}
        for (a, code, b), count in self.schema.items():
            result.setdefault(a, []).append((code, b, count))
        for edges in result.values():
            edges.sort(key=lambda e: (-e[2], e[0], e[1]))
        return result

    @cached_property
    def numbers(self) -> npt.NDArray[np.float64]:
        """The number that each name starts with; NaN where there is none."""
        result = np.full(len(self), np.nan)
        for at, name in enumerate(self.names):
            value = number_of(name) if name[:1] in _NUMERIC else None
            if value is not None:
                result[at] = value
        # A patient's number is who it is, not how much of anything.
        result[self.type_of == self.patient_type] = np.nan
        return result

    @cached_property
    def dates(self) -> tuple[Ints, Ints]:
        """First and last day of each name that is a date, as yyyymmdd; 0 where it is none."""
        low, high = np.zeros(len(self), dtype=np.int64), np.zeros(len(self), dtype=np.int64)
        for at, names in self._all_names():
            for name in names:
                date = date_of(name) if name[:1].isdigit() else ""
                if date:
                    low[at], high[at] = date_span(date)
                    break
        return low, high

    def _all_names(self) -> Iterable[tuple[int, tuple[str, ...]]]:
        return ((at, (name, *self.synonyms.get(at, ()))) for at, name in enumerate(self.names))

    @cached_property
    def value_like(self) -> dict[str, npt.NDArray[np.bool_]]:
        """For numbers and dates: the types most of whose names are such."""
        shares = {}
        total = np.maximum(np.bincount(self.type_of, minlength=len(self.types)), 1)
        for kind, has in (("number", ~np.isnan(self.numbers)), ("date", self.dates[0] > 0)):
            share = np.bincount(self.type_of[has], minlength=len(self.types)) / total
            shares[kind] = share > 0.5
        return shares

    @cached_property
    def opaque(self) -> list[bool]:
        """Types whose names are numbers of things rather than names (``rx1``, a UUID)."""
        types = []
        for type in range(len(self.types)):
            some = np.flatnonzero(self.type_of == type)[:100].tolist()
            hits = sum(bool(_OPAQUE.match(self.names[n])) for n in some)
            types.append(bool(some) and hits > 0.8 * len(some))
        return types

    @cached_property
    def hubs(self) -> list[bool]:
        """Opaque types that hold facts together (a prescription with its drug, dose and route)."""
        out: dict[int, set[int]] = {}
        for (type, code, _), _count in self.schema.items():
            if code % 2 == 0:
                out.setdefault(type, set()).add(code)
        return [
            opaque and type != self.patient_type and len(out.get(type, ())) > 1
            for type, opaque in enumerate(self.opaque)
        ]

    @cached_property
    def owner(self) -> Ints:
        """The patient that each node belongs to alone; -1 for what is shared or nobody's.

        A node beside one patient is that patient's; a node beside none is the patient's to whom all
        its neighbours belong, two rounds deep.
        """
        count = len(self)
        owner = np.full(count, -1, dtype=np.int64)
        is_patient = self.type_of == self.patient_type
        owner[is_patient] = np.flatnonzero(is_patient)
        ends = np.repeat(np.arange(count), np.diff(self.start))
        settled = is_patient.copy()
        for _ in range(3):
            theirs = owner[self.neighbour]
            # Beside patients themselves first, then beside what is already somebody's.
            use = is_patient[self.neighbour] if _ == 0 else theirs >= 0
            low = np.full(count, np.iinfo(np.int64).max)
            high = np.full(count, -1, dtype=np.int64)
            np.minimum.at(low, ends[use], theirs[use])
            np.maximum.at(high, ends[use], theirs[use])
            shared = np.zeros(count, dtype=bool)
            if _:
                np.logical_or.at(shared, ends[~use], settled[self.neighbour[~use]])
            touched = (high >= 0) & ~settled
            owner[touched & (low == high) & ~shared] = high[touched & (low == high) & ~shared]
            settled |= touched
        return owner

    def may_see(self, patient: int, nodes: Ints) -> npt.NDArray[np.bool_]:
        """Nodes that a question about a patient may touch: the patient's own, and what is
        shared."""
        whose = self.owner[nodes]
        return np.asarray((whose == patient) | (whose < 0))

    def edges_of(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Rows of the edge table that leave the nodes: (position in ``nodes``, row)."""
        first, last = self.start[nodes], self.start[nodes + 1]
        counts = last - first
        total = int(counts.sum())
        if not total:
            empty = np.zeros(0, dtype=np.int64)
            return empty, empty
        position = np.repeat(np.arange(len(nodes)), counts)
        offset = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        return position, first[position] + offset

    def step(self, nodes: Ints, code: int, type: int = -1) -> tuple[Ints, Ints, Ints]:
        """One hop: (position in ``nodes``, reached node, triple) along one code, to one type."""
        position, rows = self.edges_of(nodes)
        keep = self.code[rows] == code if code < BOTH else self.code[rows] // 2 == code - BOTH
        if type >= 0:
            keep &= self.type_of[self.neighbour[rows]] == type
        rows = rows[keep]
        return (
            position[keep],
            self.neighbour[rows].astype(np.int64),
            self.edge[rows].astype(np.int64),
        )

    def neighbours(self, node: int) -> list[tuple[int, int, int]]:
        """(code, node, triple) around one node."""
        rows = slice(int(self.start[node]), int(self.start[node + 1]))
        return list(
            zip(
                self.code[rows].tolist(),
                self.neighbour[rows].tolist(),
                self.edge[rows].tolist(),
                strict=True,
            )
        )

    def relation_of(self, code: int) -> tuple[str, bool]:
        """Name, and whether the edge is walked against its direction."""
        if code >= BOTH:
            return self.relations[code - BOTH], False
        return self.relations[code // 2], bool(code % 2)

    def triple(self, at: int) -> Triple:
        head, relation, tail = self.triples[at].tolist()
        return Triple(self.ids[head], self.relations[relation], self.ids[tail], self.sources[at])

    def named(self, name: str, *, type: str | None = None) -> list[int]:
        nodes = self.by_name.get(normalise(name), [])
        if type is None:
            return nodes
        return [n for n in nodes if self.types[self.type_of[n]] == type]

    # derived copies on disk

    def save(self, folder: str | Path) -> None:
        """The arrays and names as two files that ``load`` reads without the readers."""
        import msgspec

        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        text = {
            "ids": self.ids,
            "names": self.names,
            "synonyms": {str(k): list(v) for k, v in self.synonyms.items()},
            "types": self.types,
            "relations": self.relations,
            "sources": self.sources,
        }
        for name, data in (("names.msgpack", msgspec.msgpack.encode(text)),):
            partial = folder / f"{name}.part"
            partial.write_bytes(data)
            partial.replace(folder / name)
        partial = folder / "arrays.part.npz"
        np.savez(
            partial, type_of=self.type_of.astype(np.int32), triples=self.triples.astype(np.int32)
        )
        partial.replace(folder / "arrays.npz")

    @classmethod
    def load(cls, folder: str | Path) -> ClinicalKB:
        import msgspec

        folder = Path(folder)
        text = msgspec.msgpack.decode((folder / "names.msgpack").read_bytes())
        with np.load(folder / "arrays.npz", allow_pickle=False) as arrays:
            type_of, triples = arrays["type_of"], arrays["triples"]
        return cls(
            ids=text["ids"],
            names=text["names"],
            synonyms={int(k): tuple(v) for k, v in text["synonyms"].items()},
            types=text["types"],
            type_of=type_of.astype(np.int64),
            relations=text["relations"],
            triples=triples.astype(np.int64),
            sources=text["sources"],
        )


def _described(id: str) -> tuple[str, str]:
    """Name and type of an entity that is only known by its id."""
    if id.startswith(PREFIX):
        parts = id.removeprefix(PREFIX).split("/")
        if len(parts) <= 2:
            return parts[-1], PATIENT
        return parts[-1].replace("-", " "), parts[2].replace("-", " ")
    type, separator, name = id.partition(":")
    return (name, type) if separator else (id, "")


def merge(parts: Sequence[ClinicalKB]) -> ClinicalKB:
    """Several knowledge bases as one; entities of one id become one node."""
    entities = (
        Entity(
            id=kb.ids[n],
            name=kb.names[n],
            type=kb.types[kb.type_of[n]],
            synonyms=kb.synonyms.get(n, ()),
        )
        for kb in parts
        for n in range(len(kb))
    )
    triples = (kb.triple(at) for kb in parts for at in range(len(kb.triples)))
    return ClinicalKB.build(entities, triples)
