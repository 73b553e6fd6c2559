"""The facts of the graph that a paper speaks of: what ``grade`` looks at from the paper's side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from osler.errors import InputError
from osler.grade.pair import Fact, Pair
from osler.grade.places import Place, TextNames
from osler.kinds import Document, Triple
from osler.verbs.fact_ends import MOST_NAMES
from osler.verbs.grade_candidates import with_headings

if TYPE_CHECKING:
    from osler.library import Library
    from osler.retrieve.concepts import Knowledge

MOST_FACTS = 5_000
HIERARCHY = "is a"


def paper_pairs(
    library: Library, document: Document, *, most: int = MOST_FACTS, others: bool = False
) -> tuple[list[Pair], list[Triple]]:
    """All triples of the graph whose two ends a paper names, as pairs with it; with ``others``
    each pair knows where the paper's other entities stand."""
    known = library.knowledge
    if known is None:
        raise InputError(
            "the library holds no graph", cure="osler add one: a terminology or triples"
        )
    graph = known.graph
    full = with_headings(document)
    places = _named(known, full)
    pairs: list[Pair] = []
    triples: list[Triple] = []
    for head, relation, tail in _edges(known, places):
        if len(pairs) >= most:
            break
        if _same_thing(known, head, tail) or places[head] == places[tail]:
            continue
        head_names, tail_names = graph.names(head), graph.names(tail)
        fact = Fact(
            head=head_names[0],
            relation=relation,
            tail=tail_names[0],
            head_names=head_names[1:MOST_NAMES],
            tail_names=tail_names[1:MOST_NAMES],
            head_ids=(head,),
            tail_ids=(tail,),
        )
        rest = [spots for id, spots in places.items() if others and id not in (head, tail)]
        pairs.append(
            Pair.of(fact, full, head_places=places[head], tail_places=places[tail], others=rest)
        )
        triples.append(Triple(head, relation, tail))
    return pairs, triples


def _same_thing(known: Knowledge, head: str, tail: str) -> bool:
    """Whether a triple joins a thing with itself, as two terminologies call it."""
    graph = known.graph
    return graph.name(head).casefold() == graph.name(tail).casefold() or tail in graph.same(head)


def _named(known: Knowledge, document: Document) -> dict[str, list[Place]]:
    """Entities that a paper names, with their places in its text; an entity is named too where
    another terminology's entry of the same thing is."""
    by_name: dict[str, dict[Place, None]] = {}
    for mention in known.linker.link(document.text):
        for id, _ in mention.entities:
            if id in known.graph:
                for one in (id, *known.graph.same(id)):
                    by_name.setdefault(one, {})[mention.start, mention.end] = None
    looked = TextNames(document.text)
    for keyword in document.keywords:
        for id in known.graph.lookup(keyword):
            if id not in by_name:
                by_name[id] = dict.fromkeys(looked.find(known.graph.names(id)[:MOST_NAMES]))
    return {id: sorted(places) for id, places in by_name.items()}


def _edges(known: Knowledge, places: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """The graph's triples among some entities, without is-a, by head."""
    graph = known.graph
    numbers = {n: id for id in places if (n := graph.find(id)) is not None}
    wanted = np.fromiter(numbers, np.int64, len(numbers))
    for number in sorted(numbers):
        others, labels = graph.edges_of(number)
        inside = np.isin(others, wanted) & (labels % 2 == 0)
        for other, label in sorted(
            zip(others[inside].tolist(), labels[inside].tolist(), strict=True)
        ):
            relation = graph.relations[label >> 1]
            if relation != HIERARCHY and other != number:
                yield numbers[number], relation, numbers[other]
