"""A replica: search out of Milvus alone, without the library's folder.

Any number of them can run. Documents, words and vectors come from Milvus; concepts and paths from
a snapshot of the library's graph (``Library.snapshot``, ``osler snapshot LIB FOLDER``) that each
replica loads and only reads. What needs the library itself (adding, judging, records) is refused.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from osler.errors import RefusedError
from osler.library import Library
from osler.settings import DEFAULT_ENCODER
from osler.store.milvus.engine import MilvusEngine
from osler.store.milvus.place import COLLECTION, place_of
from osler.store.replica import make_folder

if TYPE_CHECKING:
    from osler.text.encoder import Encoder


class Replica(Library):
    """A library that is only searched. Its folder goes when it is closed."""

    _folder: tempfile.TemporaryDirectory[str]

    def check(self) -> None:
        """That Milvus holds a library, and vectors, if any, that this replica can read: of its
        encoder, or of one that stands in until all papers have those."""
        assert isinstance(self.engine, MilvusEngine)
        encoders = self.engine.encoders()
        if encoders and not self.team.vectors(lambda fingerprint: fingerprint in encoders):
            raise RefusedError(
                f"the vectors in Milvus were made by {', '.join(encoders)}, this replica's "
                f"encoder is {self.encoder.fingerprint}",
                cure="give the replica the encoder that the library was embedded with",
            )

    def close(self) -> None:
        super().close()
        self._folder.cleanup()


def open_replica(
    uri: str,
    *,
    collection: str = COLLECTION,
    graph_snapshot: str | Path | None = None,
    encoder: str | Encoder = DEFAULT_ENCODER,
) -> Replica:
    """A replica of the library that is in a Milvus. ``graph_snapshot`` is a folder that
    ``Library.snapshot`` made; without it search knows no concepts."""
    with contextlib.ExitStack() as stack:
        folder = tempfile.TemporaryDirectory(prefix="osler-replica-")
        stack.callback(folder.cleanup)
        snapshot = Path(graph_snapshot) if graph_snapshot is not None else None
        make_folder(Path(folder.name), place_of(uri, collection), snapshot)
        replica = Replica.open(folder.name, encoder=encoder)
        assert isinstance(replica, Replica)
        replica._folder = folder
        stack.pop_all()
        stack.callback(replica.close)
        replica.check()
        stack.pop_all()
    return replica


@contextlib.contextmanager
def replica_folder(
    uri: str, *, collection: str = COLLECTION, graph_snapshot: str | Path | None = None
) -> Iterator[Path]:
    """A folder that opens as a replica for as long as the block lasts: what ``serve`` is given."""
    with open_replica(uri, collection=collection, graph_snapshot=graph_snapshot) as replica:
        yield replica.path
