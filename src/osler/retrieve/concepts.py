"""Documents by the concepts they hold: postings with idf, and decay over two levels of parents.

A document's concept weighs by how often it is named (saturating as in BM25) and counts for its
parents and grandparents too, each level at ``ancestors.DECAY`` of the one below; so does a query's.
They meet at every concept that both sides reach, weighted by its idf: "statin" in the question
meets "simvastatin" in the paper at their common parent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from osler.knowledge import arrays
from osler.knowledge.graph import Graph
from osler.knowledge.linker import Linker
from osler.retrieve.ancestors import LEVELS, Ancestors
from osler.retrieve.channel import Candidates, each_once
from osler.retrieve.mentions import DENIED, HEADING, MAJOR, Mentions, ranges
from osler.text import bm25

B = 0.5
"""The part that a paper's length plays in the saturation of a concept's count."""
MAJOR_WEIGHT = 2.0
"""A main heading counts as two mentions, another heading as one."""
FEEDBACK_CONCEPTS = 40
COMMON, BROAD, FEW = 0.2, 0.05, 20
"""A concept that so large a share of the documents holds is no reason to show one of them; nor is a
parent that two different concepts meet at, where so many stand below it. In a few documents nothing
is common."""

Array = npt.NDArray[Any]


class Meeting(NamedTuple):
    """Where a query's concept and a document's meet: ``at`` is one of the two or a parent."""

    query: int
    document: int
    at: int
    weight: float


class ConceptIndex:
    """Postings of concepts over documents; made from mentions, saved as plain arrays."""

    def __init__(
        self, mentions: Mentions, postings: Mapping[str, Array], graph: Graph, *, version: str = ""
    ) -> None:
        self.mentions = mentions
        self.graph = graph
        self.version = version
        self.ancestors = Ancestors(graph)
        # A memory map's own class makes every small slice dear; a plain view of it does not.
        self._p = {name: np.asarray(column) for name, column in postings.items()}
        self._idf: dict[int, float] = {}
        self._last: tuple[int, list[tuple[int, int, int, int]]] | None = None

    # -- making, keeping -------------------------------------------------------------------------

    @classmethod
    def build(
        cls,
        mentions: Mentions,
        graph: Graph,
        *,
        version: str = "",
        former: ConceptIndex | None = None,
    ) -> ConceptIndex:
        """``former`` is an index over the same graph: what stands above its concepts is taken from
        there, since walking the graph is most of the work of making an index."""
        index = cls(mentions, {}, graph, version=version)
        index._p = index._postings(former)
        return index

    def save(self, folder: Path) -> None:
        columns = {f"mention_{name}": column for name, column in self.mentions.columns.items()}
        arrays.save(folder, "concepts", {**columns, **self._p}, {}, {"version": self.version})

    @classmethod
    def load(cls, folder: Path, graph: Graph, *, check: bool = True) -> ConceptIndex:
        loaded = arrays.load(folder, "concepts", check=check)
        columns = {
            name.removeprefix("mention_"): array
            for name, array in loaded.arrays.items()
            if name.startswith("mention_")
        }
        postings = {k: v for k, v in loaded.arrays.items() if not k.startswith("mention_")}
        version = str(loaded.notes.get("version", ""))
        plain = {name: np.asarray(column) for name, column in columns.items()}
        return cls(Mentions(**plain), postings, graph, version=version)

    def updated(self, newer: Mentions, gone: Sequence[int] = ()) -> ConceptIndex:
        mentions = self.mentions.updated(newer, gone)
        return ConceptIndex.build(mentions, self.graph, version=self.version, former=self)

    @cached_property
    def without_headings(self) -> ConceptIndex:
        """The same documents by what their texts name alone."""
        held = self.mentions
        kept = held.kind < HEADING
        counts = np.add.reduceat(np.concatenate([kept, [False]]), held.offsets[:-1])
        counts = np.where(np.diff(held.offsets) > 0, counts, 0)
        columns = {
            name: getattr(held, name)[kept] for name in ("concept", "start", "end", "score", "kind")
        }
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        bare = Mentions(rows=held.rows, seqs=held.seqs, offsets=offsets, **columns)
        return ConceptIndex.build(bare, self.graph, version=self.version, former=self)

    def _climbed(self, concepts: Array, former: ConceptIndex | None) -> tuple[Array, Array, Array]:
        """What some concepts reach, themselves first: how much each reaches, what, and the share
        that is left there."""
        known = np.zeros(len(concepts), np.bool_)
        if former is not None:
            known = np.isin(concepts, former._p["named"])
        counts = np.zeros(len(concepts), np.int64)
        new = [self.ancestors(int(one)) for one in concepts[~known]]
        counts[~known] = [len(one) for one in new]
        if former is not None:
            at = np.searchsorted(former._p["named"], concepts[known])
            starts = former._p["above_offsets"][at]
            counts[known] = former._p["above_offsets"][at + 1] - starts
        reached = np.zeros(int(counts.sum()), np.int64)
        share = np.zeros(len(reached), np.float64)
        old = np.repeat(known, counts)
        reached[~old] = [c for one in new for c in one]
        share[~old] = [s for one in new for s in one.values()]
        if former is not None:
            taken = ranges(starts, counts[known])
            reached[old] = former._p["above"][taken]
            # Kept in 32 bits, but only a power of the decay: the power itself is as exact as new.
            powers = np.array([self.ancestors.decay**level for level in range(LEVELS + 1)])
            kept = former._p["above_share"][taken]
            share[old] = powers[np.abs(powers[:, None] - kept[None]).argmin(axis=0)]
        return counts, reached, share

    def _postings(self, former: ConceptIndex | None = None) -> dict[str, Array]:
        held = self.mentions
        count = len(held)
        document = np.repeat(np.arange(count, dtype=np.int64), np.diff(held.offsets))
        weight = np.where(held.kind == MAJOR, MAJOR_WEIGHT, held.score).astype(np.float64)
        concept, document, weight = _merged(held.concept, document, weight, count, np.add)
        length = np.bincount(document, weight, minlength=count)
        usual = float(length.mean()) if count and length.any() else 1.0
        weight = bm25.saturated(weight, length[document], usual, b=B)
        # Each entry again for every concept above it.
        distinct, which = np.unique(concept, return_inverse=True)
        counts, reached, share = self._climbed(distinct, former)
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        taken = ranges(offsets[:-1][which], counts[which])
        times = counts[which]
        concept, document, weight = _merged(
            reached[taken],
            np.repeat(document, times),
            np.repeat(weight, times) * share[taken],
            count,
            np.maximum,
        )
        concepts, starts = np.unique(concept, return_index=True)
        postings: dict[str, Array] = {
            "concepts": concepts.astype(np.int32),
            "posting_offsets": np.concatenate([starts, [len(concept)]]).astype(np.int64),
            "posting_document": document.astype(np.int32),
            "posting_weight": weight.astype(np.float32),
            "usual_length": np.array([usual]),
            "named": distinct.astype(np.int32),
            "above_offsets": offsets,
            "above": reached.astype(np.int32),
            "above_share": share.astype(np.float32),
        }
        frequency = np.diff(postings["posting_offsets"])
        idf = bm25.idf(frequency, count)
        value = weight * np.repeat(idf, frequency)
        squares = np.bincount(document, value * value, minlength=count)
        postings["norm"] = np.sqrt(squares).astype(np.float32)
        return postings

    # -- searching -------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.mentions)

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {concept: at for at, concept in enumerate(self._p["concepts"].tolist())}

    def frequency(self, concept: int) -> int:
        """In how many documents a concept stands, those below it counted."""
        at = self._numbers.get(concept)
        if at is None:
            return 0
        low, high = self._p["posting_offsets"][at : at + 2].tolist()
        return int(high - low)

    def holding(self, concepts: Iterable[int]) -> Array:
        """Rows of the documents that hold any of some concepts, or one below it; rising."""
        offsets, documents = self._p["posting_offsets"], self._p["posting_document"]
        places = [self._numbers[concept] for concept in concepts if concept in self._numbers]
        parts = [documents[int(offsets[at]) : int(offsets[at + 1])] for at in places]
        if not parts:
            return np.zeros(0, np.int64)
        rows: Array = each_once(self.mentions.rows[each_once(np.concatenate(parts))])
        return rows

    def idf(self, concept: int) -> float:
        value = self._idf.get(concept)
        if value is None:
            frequency, count = self.frequency(concept), len(self)
            value = float(bm25.idf(frequency, count))
            self._idf[concept] = value
        return value

    def scores(self, query: Mapping[int, float]) -> Array:
        """Every document's score for a query's concepts, by position."""
        reached = self.ancestors.expand(query)
        return self._sum({concept: w * self.idf(concept) for concept, w in reached.items()})

    def feedback(
        self, rows: Sequence[int], shares: Sequence[float], *, most: int = FEEDBACK_CONCEPTS
    ) -> Array:
        """Every document's likeness to some documents, over the concepts that mark these most."""
        above: list[Array] = []
        gains: list[Array] = []
        places = self.mentions.places(rows)
        for place, share in zip(places.tolist(), shares, strict=True):
            norm = float(self._p["norm"][place]) if place >= 0 else 0.0
            if norm > 0:
                reached, weight = self._reached(place)
                above.append(reached)
                gains.append(weight * (share / norm))
        if not above:
            return np.zeros(len(self))
        distinct, which = np.unique(np.concatenate(above), return_inverse=True)
        profile = np.bincount(which, np.concatenate(gains)) * self._idfs(distinct)
        best = np.lexsort((distinct, -profile))[:most]
        kept = list(zip(distinct[best].tolist(), profile[best].tolist(), strict=True))
        total = self._sum({concept: weight * self.idf(concept) for concept, weight in kept})
        norms = self._p["norm"]
        likeness: Array = np.divide(total, norms, out=np.zeros(len(total)), where=norms > 0)
        return likeness

    def candidates(self, scores: Array, rows: Array | None = None, k: int = 0) -> Candidates:
        """Scores by position as candidates: of some rows, or the best k of all."""
        if rows is not None:
            places = self.mentions.places(rows)
            places = places[places >= 0]
        else:
            places = np.flatnonzero(scores > 0)
            if 0 < k < len(places):
                least = np.partition(scores[places], len(places) - k)[len(places) - k]
                places = places[scores[places] >= least]
        held = self.mentions
        return Candidates(held.rows[places], scores[places], held.seqs[places])

    def _sum(self, weights: Mapping[int, float]) -> Array:
        total = np.zeros(len(self))
        offsets, documents = self._p["posting_offsets"], self._p["posting_document"]
        values = self._p["posting_weight"]
        for concept, weight in weights.items():
            at = self._numbers.get(concept)
            if at is not None and weight:
                low, high = int(offsets[at]), int(offsets[at + 1])
                # A document stands once in a posting, so this adds up right.
                total[documents[low:high]] += weight * values[low:high]
        return total

    # -- explaining ------------------------------------------------------------------------------

    def weights_of(self, row: int) -> dict[int, float]:
        """A document's own concepts with their weights."""
        place = self.mentions.place(row)
        if place < 0:
            return {}
        concepts, weights = self._own(place)
        return dict(zip(concepts.tolist(), weights.tolist(), strict=True))

    def _own(self, place: int) -> tuple[Array, Array]:
        """A document's own concepts, rising, and their weights."""
        held = self.mentions
        part = slice(*held.offsets[place : place + 2].tolist())
        weight = np.where(held.kind[part] == MAJOR, MAJOR_WEIGHT, held.score[part])
        concepts, which = np.unique(held.concept[part], return_inverse=True)
        count = np.bincount(which, weight, minlength=len(concepts))
        usual = float(self._p["usual_length"][0])
        return concepts, bm25.saturated(count, count.sum(), usual, b=B)

    def _above(self, concepts: Array, weights: Array) -> tuple[Array, Array, Array]:
        """All concepts that some reach, with the weight left there and who reached it."""
        at = np.searchsorted(self._p["named"], concepts)
        starts = self._p["above_offsets"][at]
        counts = self._p["above_offsets"][at + 1] - starts
        taken = ranges(starts, counts)
        left = np.repeat(weights, counts) * self._p["above_share"][taken]
        return self._p["above"][taken], left, np.repeat(concepts, counts)

    def _reached(self, place: int) -> tuple[Array, Array]:
        """A document's concepts and those above them, each with its best weight."""
        above, left, _ = self._above(*self._own(place))
        distinct, which = np.unique(above, return_inverse=True)
        best = np.zeros(len(distinct))
        np.maximum.at(best, which, left)
        return distinct, best

    def _idfs(self, concepts: Array) -> Array:
        return np.array([self.idf(concept) for concept in concepts.tolist()])

    def meetings(self, query: Mapping[int, float], row: int) -> list[Meeting]:
        """For each of the query's concepts the best place where the document meets it."""
        place = self.mentions.place(row)
        if place < 0 or not query:
            return []
        wanted = {above for concept in query for above in self.ancestors(concept)}
        above, left, source = self._above(*self._own(place))
        kept = np.isin(above, np.fromiter(wanted, np.int64, len(wanted)))
        best: dict[int, tuple[float, int]] = {}
        for at, weight, concept in zip(
            above[kept].tolist(), left[kept].tolist(), source[kept].tolist(), strict=True
        ):
            if weight > best.get(at, (0.0, 0))[0]:
                best[at] = (weight, concept)
        meetings = []
        for concept, weight in query.items():
            chosen = max(
                (
                    (weight * share * self.idf(at) * best[at][0], -at)
                    for at, share in self.ancestors(concept).items()
                    if at in best
                ),
                default=None,
            )
            if chosen is not None:
                at = -chosen[1]
                meetings.append(Meeting(concept, best[at][1], at, chosen[0]))
        return sorted(meetings, key=lambda meeting: (-meeting.weight, meeting.query))

    def named_in(self, row: int) -> list[tuple[int, int, int]]:
        """The concepts that a document holds, each with its place; what only its headings have
        stands at -1."""
        place = self.mentions.place(row)
        if place < 0:
            return []
        return [
            (concept, -1, -1) if kind >= HEADING else (concept, start, end)
            for concept, start, end, kind in self._listed(place)
        ]

    def _listed(self, place: int) -> list[tuple[int, int, int, int]]:
        """(concept, start, end, kind) of a document's entries. Those of the last one are kept: a
        hit is asked for one concept after the other."""
        kept = self._last
        if kept is None or kept[0] != place:
            held = self.mentions
            part = slice(*held.offsets[place : place + 2].tolist())
            columns = (held.concept, held.start, held.end, held.kind)
            entries = list(zip(*(column[part].tolist() for column in columns), strict=True))
            kept = self._last = (place, entries)
        return kept[1]

    def informs(self, meeting: Meeting) -> bool:
        """Whether a meeting tells something of the document: most of them hold "persons"."""
        both = meeting.query == meeting.at or meeting.document == meeting.at
        return self.frequency(meeting.at) <= max(FEW, (COMMON if both else BROAD) * len(self))

    def spans(self, row: int, concept: int, *, denied: bool = False) -> tuple[tuple[int, int], ...]:
        """Where a document names a concept; empty for one that only its headings have. ``denied``
        gives the places alone where the text says that it is not so."""
        place = self.mentions.place(row)
        if place < 0:
            return ()
        return tuple(
            sorted(
                {
                    (start, end)
                    for named, start, end, kind in self._listed(place)
                    if named == concept and (kind == DENIED if denied else kind < HEADING)
                }
            )
        )


class Knowledge:
    """What a library knows: its graph, the linker over it, and its documents by concept."""

    def __init__(self, graph: Graph, linker: Linker, index: ConceptIndex) -> None:
        self.graph = graph
        self.linker = linker
        self.index = index

    def concepts(self, text: str) -> dict[int, float]:
        """The concepts of a question, each with how sure the linker is of it."""
        return self.read(text)[0]

    def read(self, text: str) -> tuple[dict[int, float], list[str]]:
        """The concepts of a question, and the parts of it that name them."""
        weights: dict[int, float] = {}
        named = []
        for mention in self.linker.link(text):
            for id, score in mention.entities:
                number = self.graph.find(id)
                if number is not None:
                    weights[number] = weights.get(number, 0.0) + score
                    named.append(text[mention.start : mention.end])
        return self._twins_once(weights), named

    def _twins_once(self, concepts: dict[int, float]) -> dict[int, float]:
        """A name that two terminologies have, joined by an xref, is one thing asked for: its
        concepts share the weight of one."""
        shared = {}
        for number, weight in concepts.items():
            twins = map(self.graph.find, self.graph.same(self.graph.id(number)))
            shared[number] = weight / (1 + sum(twin in concepts for twin in set(twins)))
        return shared

    def branch(self, heading: str) -> tuple[str, ...]:
        """Names and ids of a heading and all below it, as PubMed explodes it."""
        ids = [heading] if heading in self.graph else self.graph.lookup(heading)
        if not ids and f"MESH:{heading}" in self.graph:
            ids = [f"MESH:{heading}"]
        members: dict[str, None] = {}
        for id in ids:
            for below in self.graph.branch(id):
                members[below] = None
                members[below.partition(":")[2] or below] = None
                members[self.graph.name(below)] = None
        return tuple(members)


def _merged(
    concept: Array, document: Array, weight: Array, count: int, how: Callable[..., Any]
) -> tuple[Array, Array, Array]:
    """Entries sorted by concept, then document; equal pairs made one by ``how`` (add, maximum)."""
    key = concept.astype(np.int64) * max(count, 1) + document
    order = np.argsort(key, kind="stable")
    key = key[order]
    if not len(key):
        empty = np.zeros(0, np.int64)
        return empty, empty, np.zeros(0)
    first = np.concatenate([[0], np.flatnonzero(np.diff(key)) + 1])
    summed = how.reduceat(weight[order], first)  # type: ignore[attr-defined]
    return key[first] // max(count, 1), key[first] % max(count, 1), summed
