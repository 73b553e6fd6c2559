"""Which concepts each document holds, and where: the mentions of a library as arrays.

One entry is a concept (its number in the graph) in a document, with its place in
``Document.text``, the linker's score, and how it came there: named in the text, denied in it, or
given as a heading by an indexer. Entries of one document stand together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from osler.kinds import Document, Heading, Mention
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.retrieve.channel import each_once
from osler.stopping import check_stopped

NAMED, DENIED, HEADING, MAJOR = range(4)
"""How a concept came into a document."""

Array = npt.NDArray[Any]


class Entry(NamedTuple):
    """One concept at one place; headings have no place (start = end = 0)."""

    concept: int
    start: int
    end: int
    score: float
    kind: int


def entries_of(
    document: Document, graph: Graph, linker: Linker, headings: Headings | None = None
) -> list[Entry]:
    """A document's concepts: what the linker finds in title and abstract, and its headings."""
    entries = []
    for mention in linker.link(document.text):
        check_stopped()
        kind = DENIED if mention.negated else NAMED
        for id, score in mention.entities:
            number = graph.find(id)
            if number is not None:
                entries.append(Entry(number, mention.start, mention.end, score, kind))
    headings = headings or Headings(graph)
    for heading in document.headings:
        number = headings(heading)
        if number is not None:
            entries.append(Entry(number, 0, 0, 1.0, MAJOR if heading.major else HEADING))
    return entries


class Headings:
    """Headings as concepts of a graph: by id, else by name; remembered, as they recur."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._known: dict[tuple[str, str], int | None] = {}

    def __call__(self, heading: Heading) -> int | None:
        key = (heading.id, heading.name)
        if key not in self._known:
            self._known[key] = self._find(heading)
        return self._known[key]

    def _find(self, heading: Heading) -> int | None:
        if heading.id:
            for id in (heading.id, f"MESH:{heading.id}"):
                number = self.graph.find(id)
                if number is not None:
                    return number
        # MEDLINE of the 1970s writes "CHILD-PRESCHOOL" for today's "Child, Preschool".
        for name in (heading.name, heading.name.replace("-", " "), heading.name.replace("-", ", ")):
            ids = self.graph.lookup(name)
            if ids:
                return self.graph.find(ids[0])
        return None


@dataclass(frozen=True)
class Mentions:
    """All entries, by document. ``rows`` rise; ``offsets`` has one more."""

    rows: Array
    seqs: Array
    offsets: Array
    concept: Array
    start: Array
    end: Array
    score: Array
    kind: Array

    @classmethod
    def of(cls, linked: Iterable[tuple[int, int, Sequence[Entry]]]) -> Mentions:
        """From (row, seq, entries); a row that comes twice counts as it came last."""
        last = {row: (seq, entries) for row, seq, entries in linked}
        rows = sorted(last)
        counts = [len(last[row][1]) for row in rows]
        flat = [entry for row in rows for entry in last[row][1]]
        columns = list(zip(*flat, strict=True)) if flat else [()] * 5
        return cls(
            rows=np.array(rows, np.int64),
            seqs=np.array([last[row][0] for row in rows], np.int64),
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            concept=np.array(columns[0], np.int32),
            start=np.array(columns[1], np.int32),
            end=np.array(columns[2], np.int32),
            score=np.array(columns[3], np.float32),
            kind=np.array(columns[4], np.uint8),
        )

    @classmethod
    def joined(cls, parts: Sequence[Mentions]) -> Mentions:
        """Several as one; of a row that stands in two, the later part counts."""
        if not parts:
            return cls.of(())
        # Halving keeps the copying at n log n instead of n times the number of parts.
        if len(parts) == 1:
            return parts[0]
        middle = len(parts) // 2
        return cls.joined(parts[:middle]).updated(cls.joined(parts[middle:]))

    def __len__(self) -> int:
        return len(self.rows)

    def concepts_of(self, rows: Mapping[str, int]) -> dict[str, list[int]]:
        """The concepts of documents, each once and in order; what a text denies is left out."""
        by_id: dict[str, list[int]] = {}
        for id, row in rows.items():
            at = int(np.searchsorted(self.rows, row))
            if at < len(self.rows) and self.rows[at] == row:
                part = slice(int(self.offsets[at]), int(self.offsets[at + 1]))
                named = self.concept[part][self.kind[part] != DENIED]
                by_id[id] = each_once(named).tolist()
        return by_id

    @property
    def columns(self) -> dict[str, Array]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def updated(self, newer: Mentions, gone: Sequence[int] = ()) -> Mentions:
        """With documents replaced or added by ``newer``, and without those that are gone."""
        keep = ~np.isin(self.rows, newer.rows) & ~np.isin(self.rows, np.asarray(gone, np.int64))
        rows = np.concatenate([self.rows[keep], newer.rows])
        order = np.argsort(rows, kind="stable")
        counts = np.concatenate([np.diff(self.offsets)[keep], np.diff(newer.offsets)])
        starts = np.concatenate([self.offsets[:-1][keep], newer.offsets[:-1] + len(self.concept)])
        taken = ranges(starts[order], counts[order])
        columns = {
            name: np.concatenate([getattr(self, name), getattr(newer, name)])[taken]
            for name in ("concept", "start", "end", "score", "kind")
        }
        return Mentions(
            rows=rows[order],
            seqs=np.concatenate([self.seqs[keep], newer.seqs])[order],
            offsets=np.concatenate([[0], np.cumsum(counts[order])]).astype(np.int64),
            **columns,
        )

    def places(self, rows: Sequence[int] | Array) -> Array:
        """The positions of rows, -1 for those that are not there."""
        wanted = np.asarray(rows, np.int64)
        if not len(self.rows):
            return np.full(len(wanted), -1)
        at = np.minimum(np.searchsorted(self.rows, wanted), len(self.rows) - 1)
        return np.where(self.rows[at] == wanted, at, -1)

    def place(self, row: int) -> int:
        """The position of one row, -1 where it is not there."""
        at = int(self.rows.searchsorted(row))
        return at if at < len(self.rows) and int(self.rows[at]) == row else -1

    def entries(self, row: int) -> Iterator[Entry]:
        """The entries of one document."""
        place = self.place(row)
        if place < 0:
            return
        low, high = self.offsets[place : place + 2].tolist()
        for values in zip(
            self.concept[low:high].tolist(),
            self.start[low:high].tolist(),
            self.end[low:high].tolist(),
            self.score[low:high].tolist(),
            self.kind[low:high].tolist(),
            strict=True,
        ):
            yield Entry(*values)

    def mentions(self, row: int, text: str, name: Callable[[int], str]) -> list[Mention]:
        """The mentions of one document as the linker gave them; ``name`` turns numbers to ids."""
        spans: dict[tuple[int, int, int], list[tuple[str, float]]] = {}
        for entry in self.entries(row):
            if entry.kind <= DENIED:
                place = (entry.start, entry.end, entry.kind)
                spans.setdefault(place, []).append((name(entry.concept), round(entry.score, 4)))
        return [
            Mention(
                start=start,
                end=end,
                text=text[start:end],
                entities=tuple(entities),
                negated=kind == DENIED,
            )
            for (start, end, kind), entities in sorted(spans.items())
        ]


def ranges(starts: Array, counts: Array) -> Array:
    """The numbers starts[0] .. starts[0]+counts[0]-1, starts[1] .., in one array."""
    total = int(counts.sum())
    if not total:
        return np.zeros(0, np.int64)
    shifts = np.repeat(starts - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    steps: Array = np.arange(total, dtype=np.int64) + shifts
    return steps
