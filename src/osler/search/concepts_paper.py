"""Semantic enrichment as in the paper: cosines, multiplied by the number of shared concepts.

"Semantic Enrichment of Pretrained Embedding Output for Unsupervised IR" (AAAI-MAKE 2021):

- eq. 1: score(q, d) = q . d / (|q| |d|), over the encoder's vectors.
- eq. 2: concepts(q, d) = |C_q intersect C_d|, where each set holds the linked concepts, their
  parents one level up, and the terms of the concepts' descriptions (names and definition).
  Concepts of two terminologies that an xref joins are one element.
- eq. 3: score(q, d) * concepts(q, d); where the count falls below the threshold the factor is 1.

How it is read: a negative cosine times a count would turn the order round, so cosines are clipped
at 0. The paper links by MetaMap to SNOMED CT; here the library's own linker and terminologies do.
``context`` is section 4.2's concept (coronavirus there) that is added to questions that lack it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from osler.errors import InputError, UnknownId
from osler.kinds import Document, Reason
from osler.knowledge.graph import Graph
from osler.retrieve.channel import Candidates, Fused, Scores
from osler.retrieve.concepts import ConceptIndex, Knowledge
from osler.retrieve.expansion import index_terms
from osler.retrieve.mentions import HEADING, ranges
from osler.retrieve.view import Request, View
from osler.search.concepts import shared_concepts
from osler.search.ranker import SearchRanker, rankers

THRESHOLD = 5
"""The paper's optimum on OHSUMED; queries and documents of another length want another."""

Array = npt.NDArray[Any]


class Enriched:
    """Each concept's enriched set: itself, its parents, and its descriptions' terms, by number."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._terms: dict[str, int] = {}
        self._sets: dict[int, Array] = {}

    def of(self, concept: int) -> Array:
        members = self._sets.get(concept)
        if members is None:
            entity = self.graph.entity(self.graph.id(concept))
            parents = [self.one_of(self.graph.number(id)) for id in entity.parents]
            text = " . ".join((*entity.names, entity.definition))
            # Terms share the number line with concepts, on its other side.
            terms = [
                -1 - self._terms.setdefault(term, len(self._terms)) for term in index_terms(text)
            ]
            members = self._sets[concept] = np.unique(
                np.array([self.one_of(concept), *parents, *terms], np.int64)
            )
        return members

    def one_of(self, concept: int) -> int:
        """One number for a concept and its twins in other terminologies: they count once."""
        return min([concept, *map(self.graph.number, self.graph.same(self.graph.id(concept)))])

    def union(self, concepts: Sequence[int]) -> Array:
        parts = [self.of(concept) for concept in concepts]
        return np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)

    def counts(self, query: Sequence[int], index: ConceptIndex, rows: Array) -> Array:
        """Eq. 2 for some documents: how many elements their sets share with the query's."""
        shared = np.zeros(len(rows), np.int64)
        wanted = self.union(query)
        places = index.mentions.places(rows)
        held = np.flatnonzero(places >= 0)
        if not len(wanted) or not len(held):
            return shared
        mentions = index.mentions
        starts = mentions.offsets[:-1][places[held]]
        lengths = np.diff(mentions.offsets)[places[held]]
        taken = ranges(starts, lengths)
        document = np.repeat(held, lengths)
        # The paper reads texts: headings that an indexer gave play no part.
        named = mentions.kind[taken] < HEADING
        distinct, which = np.unique(mentions.concept[taken][named], return_inverse=True)
        common = [np.intersect1d(self.of(int(c)), wanted, assume_unique=True) for c in distinct]
        sizes = np.array([len(one) for one in common], np.int64)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        elements = np.concatenate(common) if common else np.zeros(0, np.int64)
        chosen = elements[ranges(offsets[:-1][which], sizes[which])]
        owner = np.repeat(document[named], sizes[which])
        pairs = np.unique(np.stack([owner, chosen], axis=1), axis=0)
        np.add.at(shared, pairs[:, 0].astype(np.int64), 1)
        return shared


_enriched: WeakKeyDictionary[Graph, Enriched] = WeakKeyDictionary()


def enriched(graph: Graph) -> Enriched:
    """The enriched sets of a graph, remembered while it is there."""
    sets = _enriched.get(graph)
    if sets is None:
        sets = _enriched[graph] = Enriched(graph)
    return sets


def product(cosines: Scores, counts: Array, threshold: int) -> Scores:
    """Eq. 3."""
    factor = np.where(counts >= threshold, counts, 1)
    result: Scores = np.maximum(cosines, 0.0) * factor
    return result


@rankers.register("concepts-paper")
class ConceptsPaper(SearchRanker):
    """The paper's product score."""

    name = "concepts-paper"
    help = "cosine times the number of shared concepts, as in the semantic enrichment paper"
    needs: ClassVar[frozenset[str]] = frozenset({"vectors", "concepts"})

    def __init__(self, *, threshold: int = THRESHOLD, context: Sequence[str] = ()) -> None:
        if threshold < 1:
            raise InputError("the threshold counts shared concepts: at least 1")
        self.threshold = threshold
        self.context = tuple(context)

    def rank(self, request: Request, view: View) -> Fused:
        candidates, counts = self.parts(request, view)
        cosines = np.maximum(np.round(candidates.scores, 6), 0.0)
        scores = product(cosines, counts, self.threshold)
        return Fused(
            candidates.rows,
            candidates.seqs,
            np.round(scores, 9),
            {"vectors": cosines, "concepts": counts.astype(np.float64)},
            {"vectors": cosines, "concepts": scores - cosines},
        )

    def parts(self, request: Request, view: View) -> tuple[Candidates, Array]:
        """The nearest documents with eq. 1's cosines, and eq. 2's counts: what a sweep of
        thresholds needs once."""
        known: Knowledge | None = view.knowledge
        if not view.reads(request.text, otherwise="there are no cosines to enrich"):
            return Candidates.none(), np.zeros(0, np.int64)
        vector = view.encode(request.text)
        nearest = view.vectors(vector, request.depth, request.filter)
        if known is None:
            view.note("no terminology in this library: ranked by cosine alone (osler add one)")
            return nearest, np.zeros(len(nearest), np.int64)
        concepts = self.concepts(request.text, known)
        return nearest, enriched(known.graph).counts(concepts, known.index, nearest.rows)

    def concepts(self, text: str, known: Knowledge) -> list[int]:
        """The question's concepts, and the context's where it has none of them."""
        concepts = set(known.concepts(text))
        for name in self.context:
            ids = [name] if name in known.graph else known.graph.lookup(name)
            if not ids:
                raise UnknownId(
                    f"no terminology of this library knows {name!r}", cure="osler link LIB TEXT"
                )
            concepts.add(known.graph.number(ids[0]))
        return sorted(concepts)

    def reasons(
        self, request: Request, view: View, rows: Sequence[int], documents: Sequence[Document]
    ) -> list[tuple[Reason, ...]]:
        known: Knowledge | None = view.knowledge
        if known is None:
            return [() for _ in rows]
        query = dict.fromkeys(self.concepts(request.text, known), 1.0)
        return [shared_concepts(known, query, row) for row in rows]
