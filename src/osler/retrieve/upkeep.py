"""Looking after what is derived: that it follows this truth and no other, and making it again.

Everything here is done by whoever holds the writer's lock. Readers see the old until the new is
whole: indexes are made beside the old ones and swapped at the end.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Sequence

from osler.errors import DamageError, NeedsError, OslerError
from osler.retrieve.knowing import Knowing
from osler.store.embedding import Embedding
from osler.store.engine import Engine
from osler.store.layout import Layout
from osler.store.truth import Truth
from osler.store.verify import ASTRAY

log = logging.getLogger(__name__)


def astray(engine: Engine, knowing: Knowing) -> dict[str, int]:
    """What was derived from another state of the truth, each with the last change that it knows:
    the truth was restored from a copy, or went its own way somewhere else."""
    return {**engine.astray(), **knowing.astray()}


def refusal(names: dict[str, int]) -> DamageError:
    """For a library whose derived indexes are astray and cannot be put right here and now."""
    listed = ", ".join(names)
    return DamageError(
        f"{listed}: {ASTRAY}", cure="osler rebuild, where the library can be written"
    )


def put_right(layout: Layout, truth: Truth, engine: Engine, knowing: Knowing) -> list[str]:
    """Begin a new epoch of the truth, and drop or begin anew what is astray; what it was. The
    caller catches up afterwards. A kill in between leaves it astray for the next opening."""
    names = astray(engine, knowing)
    if not names:
        return []
    log.warning("%s: %s; it is made again", ", ".join(names), ASTRAY)
    truth.leap(max(names.values()))
    engine.put_right(names)
    if knowing.astray():
        knowing.erase()
    shutil.rmtree(layout.derived / "records", ignore_errors=True)
    return list(names)


def rebuild_vectors(
    layout: Layout, engine: Engine, make: Callable[[], Sequence[Embedding]]
) -> None:
    """Make the vectors of each encoder again out of the cache, beside the old ones. Where the cache
    does not reach as far, or an encoder is missing, the old ones stay."""
    if not layout.vector_cache.exists():
        return
    try:
        embeddings = make()
    except NeedsError as error:
        log.warning("vectors were not rebuilt: %s", error)
        return
    for embedding in embeddings:
        name, dimension = embedding.encoder.fingerprint, embedding.encoder.dimension
        try:
            engine.begin_vectors(name, dimension)
            embedding.from_cache()
            if not engine.end_vectors(name):
                log.warning("the cache has not all vectors: the old ones stay")
        except OslerError:
            engine.abandon()
            raise
