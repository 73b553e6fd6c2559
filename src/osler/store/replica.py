"""A replica's folder: what a library's folder is to a library, for one that is only searched.

It holds a card that names the Milvus, an empty truth, and the snapshot of a graph. Documents come
from Milvus, which stores what a hit needs; nothing in the folder is worth keeping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from osler.errors import MissingLibrary, UnknownId
from osler.kinds import Entity, Triple
from osler.store.graph_rows import KNOWLEDGE, GraphRows
from osler.store.layout import Layout
from osler.store.milvus.place import Place
from osler.store.truth import Truth

if TYPE_CHECKING:
    from osler.knowledge.graph import Graph


def make_folder(folder: Path, place: Place, snapshot: Path | None) -> None:
    """Make a replica's folder. ``snapshot`` is read where it lies."""
    layout = Layout(folder)
    engine = {"name": "milvus", "uri": place.uri, "collection": place.collection, "library": ""}
    layout.create(engine=engine)
    Truth.create(layout.truth).close()
    if snapshot is not None:
        if not (snapshot / "state.json").is_file():
            raise MissingLibrary(
                f"{snapshot} holds no snapshot of a graph",
                cure="make one with osler snapshot LIB FOLDER",
            )
        layout.knowledge.symlink_to(snapshot.resolve(), target_is_directory=True)
    layout.write_card(engine=engine)


class SnapshotGraph(GraphRows):
    """Entities out of the snapshot's graph; a replica has no rows of its own."""

    def __init__(self, truth: Truth, load: Callable[[], Graph | None]) -> None:
        super().__init__(truth)
        self._load = load

    def entities(self, graph: str = KNOWLEDGE) -> Iterator[Entity]:
        held = self._load() if graph == KNOWLEDGE else None
        return held.entities() if held is not None else iter(())

    def entity(self, id: str, graph: str = KNOWLEDGE) -> Entity:
        held = self._load() if graph == KNOWLEDGE else None
        if held is None:
            raise UnknownId(f"the graph holds no entity {id}")
        return held.entity(id)

    def triples(self, graph: str = KNOWLEDGE) -> Iterator[Triple]:
        """None: paths are walked in the graph's arrays."""
        return iter(())
