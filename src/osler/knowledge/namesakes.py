"""What a name stands for: things, each with its ids in the graph's terminologies.

Two ids are one thing where xrefs join them. Terminologies that nobody mapped have no xrefs: there,
two ids of different terminologies are taken as one thing where each bears the other's preferred
name and both are of one kind ("Asthma" of HPO and "Asthma" of MeSH). "Epilepsy" is a synonym of
HPO's Seizure, and Seizure none of MeSH's Epilepsy: two things. Two ids of one terminology are two
things: it keeps them apart.
"""

from __future__ import annotations

from collections.abc import Callable

from osler.knowledge.graph import Graph
from osler.knowledge.ids import terminology
from osler.knowledge.normalise import normal_name

FINDINGS = frozenset({"disease", "phenotype"})
"""Kinds that terminologies divide differently: what one has as a disease is another's phenotype."""


def namesakes(graph: Graph, name: str, *, mapped_only: bool = False) -> list[list[str]]:
    """The things that a name stands for, each as its ids, in the order of ``Graph.lookup``; more
    than one where the name is ambiguous. An id stands for its own thing. ``mapped_only`` takes
    two ids for one thing by xrefs alone: for whatever keeps or hands on an id."""
    if name in graph:
        return [[name]]
    one_thing: Callable[[Graph, str, str], bool] = _mapped if mapped_only else _one_thing
    things: list[list[str]] = []
    for id in _as_written(graph, name, graph.lookup(name)):
        near = [ids for ids in things if any(one_thing(graph, id, other) for other in ids)]
        joined = [*(other for ids in near for other in ids), id]
        # The first of the things that it belongs to keeps its place.
        place = things.index(near[0]) if near else len(things)
        rest = [ids for ids in things if ids not in near]
        things = [*rest[:place], joined, *rest[place:]]
    return things


def _as_written(graph: Graph, name: str, ids: list[str]) -> list[str]:
    """Without those that bear the name in another number only, where their terminology has one
    that bears it as it is written: "insulin" is Insulin, not the class of Insulins."""
    written = " ".join(name.split()).casefold()
    exact = {id for id in ids if any(written == one.casefold() for one in graph.names(id))}
    decided = {terminology(id) for id in exact}
    return [id for id in ids if id in exact or terminology(id) not in decided]


def _mapped(graph: Graph, one: str, other: str) -> bool:
    return other in graph.same(one)


def _one_thing(graph: Graph, one: str, other: str) -> bool:
    if _mapped(graph, one, other):
        return True
    if terminology(one) == terminology(other) or not _alike(graph.type(one), graph.type(other)):
        return False
    return _bears(graph, one, graph.name(other)) and _bears(graph, other, graph.name(one))


def _alike(one: str, other: str) -> bool:
    kinds = {one.casefold(), other.casefold()}
    return len(kinds) == 1 or kinds <= FINDINGS


def _bears(graph: Graph, id: str, name: str) -> bool:
    """Whether it is one of the names, the order of words apart ("Carcinoma, Hepatocellular")."""
    form = sorted(normal_name(name))
    return any(sorted(normal_name(one)) == form for one in graph.names(id))
