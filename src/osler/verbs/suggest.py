"""``suggest``: facts that the graph does not hold and that look like those it holds, with reasons.

A suggestion is no fact: it is what a curator may look at next. The reasons are kinds of paths with
one example each, nearness in the graph's embedding, the heads that the tail already has, and the
papers of the library that name both ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np
from msgspec import Meta

from osler.errors import InputError, UnknownId
from osler.knowledge.plausible import Plausible, Suggested, TooFewFacts
from osler.verbs.fact_ends import one_entity
from osler.verbs.limits import Name, VerbRequest

if TYPE_CHECKING:
    from osler.library import Library
    from osler.retrieve.concepts import Knowledge

METHOD = "plausible"
MOST_PAPERS = 5


class SuggestRequest(VerbRequest, frozen=True, kw_only=True):
    """A head and a relation: which tails may belong to it?"""

    head: Name
    relation: Name
    k: Annotated[int, Meta(ge=1, le=100)] = 10


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for it and how much: ``weight`` is its share of the log odds."""

    what: str
    weight: float


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that may hold. ``score`` is a probability among pairs such as the ones that taught
    it, of which one in ``NEGATIVES`` + 1 was a fact: good for an order, not for a belief."""

    head: str
    relation: str
    tail: str
    head_name: str
    tail_name: str
    score: float
    reasons: tuple[Reason, ...]
    papers: tuple[str, ...]
    co_mentions: int


class Suggestions(msgspec.Struct, frozen=True, kw_only=True):
    """Best first."""

    head: str
    relation: str
    suggestions: tuple[Suggestion, ...]
    method: str = METHOD
    notes: tuple[str, ...] = ()


def suggest(library: Library, request: SuggestRequest) -> Suggestions:
    """Tails that may belong to a head by a relation, known ones left out."""
    known = library.knowledge
    if known is None:
        raise InputError("the library has no graph", cure="osler add LIB triples.tsv")
    head = one_entity(library, request.head, part="head")
    if head is None:
        raise UnknownId(f"the graph holds no entity {request.head}")
    papers = _Papers(known)
    stamp = (request.relation, library.stamp("documents"), library.knowledge_stamp())
    try:
        learned = library.keep(
            "plausible",
            stamp,
            lambda: Plausible(known.graph, request.relation, counted=papers.together),
        )
    except TooFewFacts as error:
        why = f"nothing is suggested: {error.message}"
        return Suggestions(head=head, relation=request.relation, suggestions=(), notes=(why,))
    number = known.graph.number(head)
    told = learned.suggest(number, most=request.k)
    notes = ("a suggestion is no fact: it looks like the facts of this relation in the graph",)
    return Suggestions(
        head=head,
        relation=request.relation,
        suggestions=tuple(_told(library, known, learned, one, papers, request) for one in told),
        notes=notes,
    )


class _Papers:
    """Rows of the papers that name an entity, kept for the next who asks."""

    def __init__(self, known: Knowledge) -> None:
        held = known.index.mentions
        self.concepts = np.asarray(held.concept)
        self.order = np.argsort(self.concepts, kind="stable")
        self.sorted = self.concepts[self.order]
        self.offsets, self.rows = held.offsets, held.rows
        self.kept: dict[int, set[int]] = {}

    def of(self, number: int) -> set[int]:
        if number not in self.kept:
            first, last = np.searchsorted(self.sorted, [number, number + 1])
            places = np.searchsorted(self.offsets, self.order[first:last], side="right") - 1
            self.kept[number] = set(self.rows[places].tolist())
        return self.kept[number]

    def together(self, head: int, tail: int) -> float:
        return float(len(self.of(head) & self.of(tail)))


def _told(
    library: Library,
    known: Knowledge,
    learned: Plausible,
    one: Suggested,
    papers: _Papers,
    request: SuggestRequest,
) -> Suggestion:
    graph = known.graph
    head, tail = graph.id(one.head), graph.id(one.tail)
    both = sorted(papers.of(one.head) & papers.of(one.tail))
    named = library.by_rows(both[:MOST_PAPERS])
    return Suggestion(
        head=head,
        relation=request.relation,
        tail=tail,
        head_name=graph.name(head),
        tail_name=graph.name(tail),
        score=one.score,
        reasons=tuple(
            Reason(what=_said(known, learned, kind, one), weight=weight)
            for kind, weight in one.reasons
        ),
        papers=tuple(named[row].id for row in both[:MOST_PAPERS] if row in named),
        co_mentions=len(both),
    )


def _said(known: Knowledge, learned: Plausible, kind: str, one: Suggested) -> str:
    """A witness in words; a kind of path with an example."""
    graph = known.graph
    if kind == "near":
        return "near each other in the graph's embedding"
    if kind == "papers":
        return "papers name both"
    heads = [n for n in learned.held_by.get(one.tail, []) if n != one.head]
    if kind == "popular":
        return f"known of {len(heads)} others"
    if kind == "kin":
        nearest = max(heads, key=lambda n: float(learned.vectors[n] @ learned.vectors[one.head]))
        return f"like {graph.name(graph.id(nearest))}, of which it is known"
    example = learned.example(kind, one.head, one.tail)
    names = " - ".join(graph.name(graph.id(number)) for number in example)
    return f"{learned.said(kind)}: {names}" if names else learned.said(kind)
