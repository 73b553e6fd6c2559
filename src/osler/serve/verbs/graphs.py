"""The graph: entities by id or name, what stands around them, paths between two."""

from __future__ import annotations

from collections.abc import Iterable

from osler.errors import UnknownId
from osler.knowledge.graph import IS_A, Graph
from osler.serve.models import Concept, Edge, Paths, WholeEntity
from osler.serve.reader import Reader

HUB = 1_000


def concept(graph: Graph, id: str) -> Concept:
    return Concept(id=id, name=graph.name(id), type=graph.type(id))


def concepts(graph: Graph, ids: Iterable[str], limit: int) -> list[Concept]:
    return [concept(graph, id) for _, id in zip(range(limit), ids, strict=False)]


def meant(graph: Graph, given: str) -> list[str]:
    """The entities that an id or a name means, those with the most edges first."""
    if given in graph:
        return [given]
    found = sorted(graph.lookup(given), key=lambda id: (-graph.degree(id), id))
    if not found:
        raise UnknownId(
            f"the graph holds no entity {given[:100]!r}", cure="give an id or one of its names"
        )
    return found


def entity(reader: Reader, given: str, *, limit: int, offset: int = 0) -> WholeEntity:
    """An entity by id or name, with parents, children and a page of its neighbours."""
    graph = reader.graph
    ids = meant(graph, given)
    # Two terminologies may hold the same thing: both are told, whichever was asked for.
    ids += [other for other in graph.lookup(graph.name(ids[0])) if other not in ids]
    id = ids[0]
    # is-a is told by parents and children already.
    steps = [step for step in graph.neighbours(id) if step.relation != IS_A]
    return WholeEntity(
        namesakes=concepts(graph, (other for other in ids if other != id), limit),
        entity=graph.entity(id),
        parents=concepts(graph, graph.parents(id), limit),
        children=concepts(graph, graph.children(id)[offset:], limit),
        neighbours=[
            Edge(relation=s.relation, inverse=s.inverse, entity=concept(graph, s.entity))
            for s in steps[offset : offset + limit]
        ],
        degree=graph.degree(id),
    )


def paths(reader: Reader, source: str, target: str, *, length: int, limit: int) -> Paths:
    """The shortest paths between two entities, by id or name."""
    graph = reader.graph
    found = reader.paths(
        meant(graph, source), meant(graph, target), max_length=length, hub=HUB, limit=limit
    )
    listed = found.paths[:limit]
    names = {id: graph.name(id) for path in listed for id in path.entities}
    return Paths(paths=listed, names=names, cut=list(found.cut))
