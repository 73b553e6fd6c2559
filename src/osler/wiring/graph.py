"""What graph embeddings take out of a library: triples, pictures, names; where they are kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from osler.errors import InputError

if TYPE_CHECKING:
    from osler.knowledge.embeddings import Embeddings, NumberedTriples
    from osler.knowledge.graph import Graph
    from osler.knowledge.images import Images
    from osler.library import Library
    from osler.store.ingest import Summary

MODEL = "graph"
"""The name of the embeddings that a library uses when none is named."""
PICTURES = "images"

Vectors = dict[str, NDArray[np.float32]]


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

    made: NumberedTriples = NumberedTriples.of(graph_of(library))
    return made


def add_images(
    library: Library,
    table: str | Path,
    *,
    folder: str | Path | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> Summary:
    """Give entities of the library their pictures, copied into it.

    A name belongs to every entity that bears it. Rows that cannot be used are rejects.
    """
    from osler.knowledge.images.table import table_in

    graph = graph_of(library)

    def name(id: str) -> str:
        return graph.name(id) if id in graph else ""

    place = table_in(Path(table))
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


def images_of(library: Library, table: str | Path | None = None) -> Images:
    """The pictures of the library's entities, or of a table that names them."""
    from osler.knowledge.images import Images

    graph = graph_of(library)
    if table is not None:
        return Images.read(table, lookup=graph.lookup)
    home = library.path / PICTURES
    found: dict[str, list[Path]] = {}
    for entity in graph.entities():
        for name in entity.images:
            # Only bare names below the library's own folder.
            if Path(name).name == name and (home / name).is_file():
                found.setdefault(entity.id, []).append(home / name)
    return Images(found)


def texts_of(library: Library, vectors: str | Path | None, ids: list[str]) -> Vectors:
    """Linguistic features of entities' names: of word vectors in a file or folder, or of the
    library's encoder for those names that it reads."""
    from osler.knowledge.embeddings.features import name_features

    graph = graph_of(library)
    names = {id: graph.name(id) for id in ids}
    if vectors is not None:
        from osler.text.word_vectors import WordVectors

        return name_features(names, WordVectors.load(vectors))
    encoder = library.encoder
    read = {id: name for id, name in names.items() if encoder.reads(name)}
    return name_features(read, encoder)


def embeddings_of(library: Library, model: str | Path | None = None) -> Embeddings:
    """Embeddings that were trained before: a folder, or a name among the library's models."""
    from osler.knowledge.embeddings import Embeddings

    return Embeddings.load(model_folder(library, model))


def model_folder(library: Library, model: str | Path | None) -> Path:
    """Where a model stands: a path as it is, a bare name below the library's models."""
    given = Path(model or MODEL)
    if given.parent == Path() and not given.exists():
        return library.path / "models" / given
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
