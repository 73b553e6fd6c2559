"""``graph``: entities by id or name, what stands around them, paths between two; the graph's
numbers, its pictures, its trained embeddings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from osler.errors import InputError, UnknownId
from osler.kinds import Entity, Path
from osler.knowledge.graph import IS_A, Graph
from osler.verbs.limits import Count, Name, Skipped, VerbRequest

if TYPE_CHECKING:
    from osler.knowledge.embeddings import Embeddings, NumberedTriples
    from osler.knowledge.images import Images
    from osler.library import Library
    from osler.store.ingest import Summary

MODEL = "graph"
"""The name of the embeddings that a library uses when none is named."""
PICTURES = "images"
HUB = 1_000
"""Neighbours above which a path does not go through an entity."""

Vectors = dict[str, NDArray[np.float32]]


class EntityRequest(VerbRequest, frozen=True, kw_only=True):
    """An entity by id or name; ``k`` and ``skip`` choose a page of what stands around it."""

    entity: Name
    k: Count = 50
    skip: Skipped = 0


class PathsRequest(VerbRequest, frozen=True, kw_only=True):
    """Two entities by id or name; ``length`` is how many entities a path has at most."""

    source: Name
    target: Name
    length: Annotated[int, Meta(ge=2, le=5)] = 3
    k: Count = 50


class Concept(msgspec.Struct, kw_only=True):
    """An entity in short."""

    id: str
    name: str
    type: str


class Edge(msgspec.Struct, kw_only=True):
    """An edge as it is walked; ``inverse`` when against its direction."""

    relation: str
    inverse: bool
    entity: Concept


class WholeEntity(msgspec.Struct, kw_only=True):
    """An entity and what stands around it; ``namesakes`` are others that bear its name."""

    entity: Entity
    namesakes: list[Concept]
    parents: list[Concept]
    children: list[Concept]
    neighbours: list[Edge]
    degree: int


class Paths(msgspec.Struct, kw_only=True):
    """Paths, shortest first; ``names`` of all entities on them, ``cut`` says what was left out."""

    paths: list[Path]
    names: dict[str, str]
    cut: list[str]


# -- entities and paths ----------------------------------------------------------------------------


def concept(graph: Graph, id: str) -> Concept:
    """An entity in short; one that the graph does not know goes by its id."""
    if id not in graph:
        return Concept(id=id, name=id, type="")
    return Concept(id=id, name=graph.name(id), type=graph.type(id))


def _concepts(graph: Graph, ids: Iterable[str], limit: int) -> list[Concept]:
    return [concept(graph, id) for _, id in zip(range(limit), ids, strict=False)]


def meant(graph: Graph, given: str) -> list[str]:
    """The entities that an id or a name means, those with the most edges first."""
    if given in graph:
        return [given]
    ids = sorted(graph.lookup(given), key=lambda id: (-graph.degree(id), id))
    if not ids:
        raise UnknownId(
            f"the graph holds no entity {given[:100]!r}", cure="give an id or one of its names"
        )
    return ids


def entity(library: Library, request: EntityRequest) -> WholeEntity:
    """An entity with parents, children and a page of its neighbours."""
    graph = library.graph
    ids = meant(graph, request.entity)
    # Two terminologies may hold the same thing: both are told, whichever was asked for.
    ids += [other for other in graph.lookup(graph.name(ids[0])) if other not in ids]
    id, k, skip = ids[0], request.k, request.skip
    # is-a is told by parents and children already.
    steps = [step for step in graph.neighbours(id) if step.relation != IS_A]
    return WholeEntity(
        namesakes=_concepts(graph, (other for other in ids if other != id), k),
        entity=graph.entity(id),
        parents=_concepts(graph, graph.parents(id), k),
        children=_concepts(graph, graph.children(id)[skip:], k),
        neighbours=[
            Edge(relation=s.relation, inverse=s.inverse, entity=concept(graph, s.entity))
            for s in steps[skip : skip + k]
        ],
        degree=graph.degree(id),
    )


def paths(library: Library, request: PathsRequest) -> Paths:
    """The shortest paths between two entities."""
    graph = library.graph
    result = library.paths(
        meant(graph, request.source),
        meant(graph, request.target),
        max_length=request.length,
        hub=HUB,
        limit=request.k,
    )
    listed = result.paths[: request.k]
    names = {id: graph.name(id) for path in listed for id in path.entities}
    return Paths(paths=listed, names=names, cut=list(result.cut))


class Completion:
    """All names of a graph in order, each with its entity."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        pairs: set[tuple[str, int]] = set()
        for number in range(len(graph)):
            for name in graph.names(graph.id(number)):
                pairs.add((name.casefold(), number))
        ordered = sorted(pairs)
        self._names = [name for name, _ in ordered]
        self._numbers = [number for _, number in ordered]

    def starting(self, text: str, limit: int) -> list[Concept]:
        """Entities one of whose names begins so; the shortest names first, then by id."""
        key = text.strip().casefold()
        if not key:
            return []
        best: dict[int, int] = {}
        low = bisect_left(self._names, key)
        # Enough to rank by length; "a" alone would begin half of a terminology.
        for at in range(low, min(low + 2_000, len(self._names))):
            name = self._names[at]
            if not name.startswith(key):
                break
            number = self._numbers[at]
            best[number] = min(best.get(number, len(name)), len(name))
        chosen = sorted(best, key=lambda number: (best[number], number))[:limit]
        return [concept(self.graph, self.graph.id(number)) for number in chosen]


def complete(library: Library, text: str, limit: int) -> list[Concept]:
    """Entities whose name begins with a text; the index is made when it is first asked for."""
    graph = library.graph
    names = library.keep("completion", library.graph_stamp(), lambda: Completion(graph))
    return names.starting(text, limit)


# -- the whole graph -------------------------------------------------------------------------------


def graph_of(library: Library) -> Graph:
    """The library's graph, with at least one edge."""
    known = library.knowledge
    if known is None or not known.graph.edges:
        raise InputError(
            "the library's graph is empty: there is no triple to learn from",
            cure="add triples: osler add LIB triples.tsv",
        )
    return known.graph


def triples_of(library: Library) -> NumberedTriples:
    """The triples of the library's graph as numbers, is-a edges included."""
    from osler.knowledge.embeddings import NumberedTriples

    numbered: NumberedTriples = NumberedTriples.of(graph_of(library))
    return numbered


def add_images(
    library: Library,
    table: str | FilePath,
    *,
    folder: str | FilePath | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> Summary:
    """Give entities of the library their pictures, copied into it.

    A name belongs to every entity that bears it. Rows that cannot be used are rejects.
    """
    from osler.knowledge.images.table import table_in

    graph = graph_of(library)

    def name(id: str) -> str:
        return graph.name(id) if id in graph else ""

    place = table_in(FilePath(table))
    return library.add(
        [place],
        format="images",
        # A table that was read before may stand beside new pictures.
        again=True,
        progress=progress,
        lookup=graph.lookup,
        name=name,
        keep=library.path / PICTURES,
        folder=folder,
    )


def images_of(library: Library, table: str | FilePath | None = None) -> Images:
    """The pictures of the library's entities, or of a table that names them."""
    from osler.knowledge.images import Images

    graph = graph_of(library)
    if table is not None:
        return Images.read(table, lookup=graph.lookup)
    home = library.path / PICTURES
    by_entity: dict[str, list[FilePath]] = {}
    for entity in graph.entities():
        for name in entity.images:
            # Only bare names below the library's own folder.
            if FilePath(name).name == name and (home / name).is_file():
                by_entity.setdefault(entity.id, []).append(home / name)
    return Images(by_entity)


def texts_of(library: Library, vectors: str | FilePath | None, ids: list[str]) -> Vectors:
    """Linguistic features of entities' names: of word vectors in a file or folder, or of the
    library's encoder for those names that it reads."""
    from osler.knowledge.embeddings.modal_features import name_features

    graph = graph_of(library)
    names = {id: graph.name(id) for id in ids}
    if vectors is not None:
        from osler.text.word_vectors import WordVectors

        return name_features(names, WordVectors.load(vectors))
    encoder = library.encoder
    read = {id: name for id, name in names.items() if encoder.reads(name)}
    return name_features(read, encoder)


def embeddings_of(library: Library, model: str | FilePath | None = None) -> Embeddings:
    """Embeddings that were trained before: a folder, or a name among the library's models."""
    from osler.knowledge.embeddings import Embeddings

    return Embeddings.load(model_folder(library, model))


def model_folder(library: Library, model: str | FilePath | None) -> FilePath:
    """Where a model stands: a path as it is, a bare name below the library's models."""
    given = FilePath(model or MODEL)
    if given.parent == FilePath() and not given.exists():
        return library.models.place(str(given))
    return given


def statistics(library: Library) -> dict[str, Any]:
    """Table 1 of seed 001: types, relations, entities, triples and images, and each one's parts."""
    graph = graph_of(library)
    offsets, _, labels = graph.adjacency
    forward = np.asarray(labels)[(np.asarray(labels) & 1) == 0] >> 1
    relations = np.bincount(forward, minlength=len(graph.relations))
    degrees = np.diff(offsets)
    types: dict[str, int] = {}
    pictured: dict[str, int] = {}
    files: set[str] = set()
    for entity in graph.entities():
        type = entity.type or "(none)"
        types[type] = types.get(type, 0) + 1
        files.update(entity.images)
        if entity.images:
            pictured[type] = pictured.get(type, 0) + 1
    return {
        "types": len(types),
        "relations": int((relations > 0).sum()),
        "entities": len(graph),
        "entities in a triple": int((degrees > 0).sum()),
        "triples": int(graph.edges),
        "images": len(files),
        "entities with an image": sum(pictured.values()),
        "by type": {
            name: {"entities": count, "with an image": pictured.get(name, 0)}
            for name, count in sorted(types.items(), key=lambda pair: (-pair[1], pair[0]))
        },
        "by relation": {
            graph.relations[int(kind)]: int(relations[kind])
            for kind in np.argsort(-relations, kind="stable")
            if relations[kind]
        },
    }
