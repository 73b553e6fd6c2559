"""Which engine a library has: its card says it. The two that Osler brings."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from osler.errors import DamageError, InputError
from osler.store.documents import Documents
from osler.store.embedded import EmbeddedEngine
from osler.store.engine import Engine
from osler.store.engine_kind import EngineKind, engines
from osler.store.graph_rows import GraphRows
from osler.store.layout import Layout
from osler.store.truth import Truth

if TYPE_CHECKING:
    from osler.knowledge.graph import Graph


@engines.register("embedded")
class Embedded(EngineKind):
    """Tantivy and a matrix of vectors, in the library's own folder."""

    name = "embedded"
    help = "in the library's folder, no server; the default"

    def card(
        self, layout: Layout, *, uri: str | None = None, collection: str | None = None
    ) -> dict[str, str]:
        if uri or collection:
            raise InputError("the embedded engine has no address", cure="--engine milvus has")
        return {"name": self.name}

    def open(self, layout: Layout, card: Mapping[str, Any]) -> Engine:
        return EmbeddedEngine(layout)


@engines.register("milvus")
class Milvus(EngineKind):
    """A Milvus server, or a file of Milvus Lite."""

    name = "milvus"
    help = "a Milvus server by its address, or a file of Milvus Lite"

    def card(
        self, layout: Layout, *, uri: str | None = None, collection: str | None = None
    ) -> dict[str, str]:
        from osler.store.milvus.place import COLLECTION, kept_uri, place_of

        root = None if uri else layout.root
        place = place_of(uri or "milvus.db", collection or COLLECTION, root=root)
        return {
            "name": self.name,
            "uri": kept_uri(place, layout.root),
            "collection": place.collection,
            "library": uuid.uuid4().hex,
        }

    def open(self, layout: Layout, card: Mapping[str, Any]) -> Engine:
        from osler.store.milvus.engine import MilvusEngine
        from osler.store.milvus.place import place_of

        place = place_of(card["uri"], card["collection"], root=layout.root)
        return MilvusEngine(place, library=card["library"], layout=layout)


def new_card(
    layout: Layout, name: str, *, uri: str | None = None, collection: str | None = None
) -> dict[str, str]:
    """What the card of a new library says of its engine."""
    return engines.resolve(name).card(layout, uri=uri, collection=collection)


def engine_of(layout: Layout, card: dict[str, Any]) -> Engine:
    """The engine that a library's card names."""
    said = card.get("engine") or {"name": "embedded"}
    try:
        engine = engines.resolve(str(said["name"])).open(layout, said)
    except (KeyError, TypeError):
        raise DamageError(f"{layout.card.name} of the library is damaged") from None
    return whole(engine)


def whole(engine: Any) -> Engine:
    """An engine that keeps the protocol, or an error that names what it lacks."""
    wanted = {name for name in dir(Engine) if not name.startswith("_")}
    wanted |= set(Engine.__annotations__)
    lacking = sorted(name for name in wanted if not hasattr(engine, name))
    # Set by whoever has the truth, so that an engine need not have it before.
    lacking = [name for name in lacking if name != "mark_of"]
    if lacking:
        raise InputError(
            f"the engine {getattr(engine, 'name', type(engine).__name__)} lacks "
            f"{', '.join(lacking)}",
            cure="derive it from osler.plugins.PlainEngine, which has what can be left out",
        )
    kept: Engine = engine
    return kept


def reach(layout: Layout, said: dict[str, str]) -> None:
    """Raises where an engine cannot be reached or used: better before the library counts as one."""
    engine = engine_of(layout, {"engine": said})
    try:
        engine.settled()
    finally:
        engine.close()


def is_replica(engine: Engine) -> bool:
    """Whether an engine only reads what another library has written."""
    return bool(getattr(engine, "read_only", False))


def stored(
    engine: Engine, truth: Truth, graph: Callable[[], Graph | None]
) -> tuple[Documents, GraphRows]:
    """A replica's documents and entities: out of its engine, and out of its snapshot's graph."""
    from osler.store.milvus.documents import MilvusDocuments
    from osler.store.milvus.engine import MilvusEngine
    from osler.store.replica import SnapshotGraph

    assert isinstance(engine, MilvusEngine)
    return MilvusDocuments(engine, truth), SnapshotGraph(truth, graph)


def check_files(layout: Layout) -> Iterator[str]:
    """What is damaged of an engine that does not open."""
    yield from EmbeddedEngine.check_files(layout)
