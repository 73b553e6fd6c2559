"""Papers that may be about a fact, with the places of its two ends as the linker found them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from osler.grade.pair import Fact, Pair
from osler.grade.places import Place
from osler.kinds import Document

if TYPE_CHECKING:
    from osler.library import Library
    from osler.retrieve.concepts import Knowledge

MOST_OTHERS = 60
"""Other entities of a paper that are looked at."""
NARROWER = 2
"""Steps down the hierarchy that still name an end: "type 2 diabetes" names diabetes."""


def candidates(
    library: Library, fact: Fact, most: int, notes: list[str]
) -> list[tuple[Document, Pair]]:
    """Papers with their pairs: those that name both entities, then one, then share words."""
    ids = _co_mentions(library, fact, most)
    if len(ids) < most:
        ids |= dict.fromkeys(library.view.best_by_words(f"{fact.head} {fact.tail}", most))
    kept = list(ids)[:most]
    held = {document.id: document for document in library.documents(kept)}
    named = linked_places(library, fact, [id for id in kept if id in held])
    pairs = [
        (held[id], Pair.of(fact, with_headings(held[id]), **named.get(id, {})))
        for id in kept
        if id in held
    ]
    bare = sum(not paper.abstract.strip() for paper, _ in pairs)
    if bare:
        notes.append(f"{bare:,} of {len(pairs):,} candidates have no abstract: graded by title")
    return pairs


def with_headings(document: Document) -> Document:
    """Subject headings count as keywords: an indexer's word on what a paper is about."""
    if not document.headings:
        return document
    joined = dict.fromkeys((*document.keywords, *(h.name for h in document.headings)))
    return msgspec.structs.replace(document, keywords=tuple(joined))


def _co_mentions(library: Library, fact: Fact, most: int) -> dict[str, None]:
    """Ids of papers by the linker's mentions: how often both are named, the rarer one first."""
    known = library.knowledge
    if known is None or not (fact.head_ids or fact.tail_ids):
        return {}
    held = known.index.mentions
    counts = []
    for ids in (fact.head_ids, fact.tail_ids):
        numbers = [n for n in map(known.graph.find, ids) if n is not None]
        named = np.isin(held.concept, np.asarray(numbers, np.int32))
        places = np.searchsorted(held.offsets, np.flatnonzero(named), side="right") - 1
        counts.append(np.bincount(places, minlength=len(held.rows)))
    least, total = np.minimum(*counts), np.add(*counts)
    some = np.flatnonzero(total)
    order = some[np.lexsort((held.rows[some], -total[some], -least[some]))][:most]
    rows = held.rows[order].tolist()
    named_rows = library.by_rows(rows)
    return {named_rows[row].id: None for row in rows if row in named_rows}


def linked_places(library: Library, fact: Fact, ids: Sequence[str]) -> dict[str, Any]:
    """Where the linker found the two ends, narrower concepts of theirs, and all others, by paper.
    An end that it did not find is looked for by its names."""
    known = library.knowledge
    if known is None or not (fact.head_ids or fact.tail_ids):
        return {}
    rows = library.view.documents.rows_of(ids)
    heads, tails = (_numbers(known, given) for given in (fact.head_ids, fact.tail_ids))
    heads, tails = heads - tails, tails - heads
    placed = {}
    for id in ids:
        if id not in rows:
            continue
        where: dict[str, list[Place]] = {"head": [], "tail": []}
        others: dict[int, list[Place]] = {}
        for entry in known.index.mentions.entries(rows[id]):
            place = (int(entry.start), int(entry.end))
            if not entry.end:
                continue
            if entry.concept in heads:
                where["head"].append(place)
            elif entry.concept in tails:
                where["tail"].append(place)
            else:
                others.setdefault(int(entry.concept), []).append(place)
        ends = {*where["head"], *where["tail"]}
        apart = (tuple(p for p in one if p not in ends) for one in others.values())
        placed[id] = {
            "head_places": sorted(set(where["head"])) or None,
            "tail_places": sorted(set(where["tail"])) or None,
            "others": tuple(one for one in apart if one)[:MOST_OTHERS],
        }
    return placed


def _numbers(known: Knowledge, ids: Sequence[str]) -> set[int]:
    """The graph's numbers of some entities and of what is narrower."""
    wide = dict.fromkeys(ids)
    for id in ids:
        wide |= dict.fromkeys(known.graph.descendants(id, NARROWER))
    return {n for id in wide if (n := known.graph.find(id)) is not None}
