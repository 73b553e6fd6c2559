"""What ``osler serve`` serves: a library's folder, or that of a replica."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from osler.cli.default_library import default_library, say_which
from osler.errors import ChoiceError, InputError


@contextlib.contextmanager
def served(
    lib: Path | None,
    engine: str | None,
    uri: str | None,
    collection: str | None,
    snapshot: Path | None,
) -> Iterator[Path]:
    """The folder to serve for as long as the block lasts."""
    if engine not in (None, "embedded", "milvus"):
        raise ChoiceError("engine", engine, ("embedded", "milvus"))
    if lib is None and not uri and engine != "milvus":
        lib, why = default_library()
        say_which(lib, why)
    if lib is not None:
        if uri or collection or snapshot or engine == "milvus":
            raise InputError(
                "a library's own card says where it is",
                cure="name either LIB, or --engine milvus --uri URI for a replica",
            )
        yield lib
        return
    if not uri:
        raise InputError(
            "there is nothing to serve", cure="name a library, or --engine milvus --uri URI"
        )
    from osler.replica import replica_folder
    from osler.store.milvus.place import COLLECTION

    with replica_folder(
        uri, collection=collection or COLLECTION, graph_snapshot=snapshot
    ) as folder:
        yield folder
