"""Vectors in Milvus: one collection for each encoder, searched by HNSW."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xxhash

from osler.errors import RefusedError
from osler.kinds import Document
from osler.store.milvus.connection import Connection
from osler.store.milvus.filters import conjunction
from osler.store.milvus.ledger import Ledger, VectorState
from osler.store.milvus.rows import attributes
from osler.store.milvus.schema import NO_YEAR, Names, create_vectors
from osler.store.vectors import Nearest
from osler.store.words import entry

Floats = npt.NDArray[np.float32]
MOST = 16_384
_SAMPLE = 4_000
_RANGE = 1 << 31
_KEPT = 8
FLUSH = 500


class Vectors:
    """The vectors of a library's documents."""

    def __init__(self, connection: Connection, names: Names, ledger: Ledger) -> None:
        self.connection = connection
        self.names = names
        self.ledger = ledger
        self._states: dict[str, VectorState | None] = {}
        self._samples: dict[tuple[str, int, str], Floats] = {}
        self._counts: dict[str, tuple[int, int]] = {}
        self._unflushed = 0
        self._guard = threading.Lock()

    def state(self, encoder: str, *, fresh: bool = False) -> VectorState | None:
        if fresh or encoder not in self._states:
            self._states[encoder] = self.ledger.vector_state(encoder)
        return self._states[encoder]

    def forget(self) -> None:
        """Look again: a writer may have added some."""
        with self._guard:
            self._states.clear()
            self._samples.clear()
            self._counts.clear()

    def applied(self, encoder: str, dimension: int) -> int:
        state = self.state(encoder, fresh=True)
        if state is None:
            return 0
        if state.dimension != dimension:
            raise RefusedError(
                f"the vectors in Milvus have {state.dimension} numbers, the encoder makes "
                f"{dimension}: they were made by another one of the same name",
                cure="name another collection, or drop that one and osler rebuild",
            )
        return state.applied

    def add(
        self,
        encoder: str,
        rows: Sequence[int],
        seqs: Sequence[int],
        vectors: Floats,
        *,
        applied: int,
        documents: Sequence[Document | None] | None,
        mark: str = "",
    ) -> None:
        dimension = int(vectors.shape[1])
        self.applied(encoder, dimension)
        name = self.names.vectors(encoder)
        if self.state(encoder) is None:
            create_vectors(self.connection, name, dimension)
        kept: list[dict[str, Any]] = []
        gone: list[int] = []
        known = documents or [None] * len(rows)
        for row, seq, vector, document in zip(rows, seqs, vectors, known, strict=True):
            if seq < 0:
                gone.append(row)
                continue
            fields: dict[str, Any] = {"year": NO_YEAR, "labels": []}
            if document is not None:
                fields = attributes(document, entry(row, seq, document))
            kept.append(
                {
                    "row": row,
                    "seq": seq,
                    "chance": xxhash.xxh3_64_intdigest(row.to_bytes(8, "big")) % _RANGE,
                    "vector": np.asarray(vector, np.float32),
                    **fields,
                }
            )
        if kept:
            self.connection.insert(name, kept)
        if gone:
            self.connection.delete(name, f"row in [{', '.join(map(str, gone))}]")
        self.ledger.write_vector_state(VectorState(encoder, dimension, applied, mark))
        self.forget()
        self._unflushed += len(kept)
        if self._unflushed >= 10 * FLUSH:
            self.flush(encoder)

    def flush(self, encoder: str) -> None:
        """Let Milvus index what has come in."""
        if self._unflushed >= FLUSH:
            self.connection.call("flush", self.names.vectors(encoder))
            self._unflushed = 0

    def count(self, encoder: str) -> int:
        state = self.state(encoder)
        if state is None:
            return 0
        known = self._counts.get(encoder)
        if known is None or known[0] != state.applied:
            known = (state.applied, self.connection.count(self.names.vectors(encoder)))
            self._counts[encoder] = known
        return known[1]

    # -- search --------------------------------------------------------------------------------

    def search(self, encoder: str, vector: Floats, k: int, within: str) -> Nearest:
        """The best k by cosine among what the expression lets through, ties with the last in."""
        empty = np.zeros(0, np.int64)
        state = self.state(encoder)
        if state is None:
            return Nearest(empty, empty, np.zeros(0, np.float32), 0.0, 0.0)
        limit = min(MOST, k + 8)
        while True:
            hits = self._hits(encoder, vector, limit, within)
            scores = np.array([round(float(hit["distance"]), 6) for hit in hits], np.float32)
            if len(hits) < limit or limit == MOST or scores[-1] < scores[min(k, len(hits)) - 1]:
                break
            limit = min(MOST, 2 * limit)
        if not len(scores):
            return Nearest(empty, empty, np.zeros(0, np.float32), 0.0, 0.0)
        least = scores[min(k, len(scores)) - 1]
        kept = np.flatnonzero(scores >= least)
        rows = np.array([int(hits[at]["row"]) for at in kept], np.int64)
        seqs = np.array([int(hits[at]["entity"]["seq"]) for at in kept], np.int64)
        mean, spread = self._background(encoder, vector, within, state)
        return Nearest(rows, seqs, scores[kept], mean, spread)

    def _hits(self, encoder: str, vector: Floats, limit: int, within: str) -> list[Any]:
        answer = self.connection.call(
            "search",
            self.names.vectors(encoder),
            data=[np.asarray(vector, np.float32)],
            anns_field="vector",
            limit=limit,
            filter=within,
            output_fields=["seq"],
            search_params={"metric_type": "IP", "params": {"ef": max(256, 2 * limit)}},
        )
        return list(answer[0])

    def _background(
        self, encoder: str, vector: Floats, within: str, state: VectorState
    ) -> tuple[float, float]:
        """Mean and deviation of the cosines over all vectors, or over a sample of them."""
        key = (encoder, state.applied, within)
        sample = self._samples.get(key)
        if sample is None:
            sample = self._draw(encoder, within)
            with self._guard:
                while len(self._samples) >= _KEPT:
                    self._samples.pop(next(iter(self._samples)))
                self._samples[key] = sample
        if not len(sample):
            return 0.0, 0.0
        scores = sample @ np.asarray(vector, np.float32)
        return float(scores.mean(dtype=np.float64)), float(scores.std(dtype=np.float64))

    def _draw(self, encoder: str, within: str) -> Floats:
        """A sample that chance chose when the vectors came in: the same for every replica."""
        name = self.names.vectors(encoder)
        total = self.connection.count(name, within) if within else self.count(encoder)
        chosen = within
        if total > _SAMPLE:
            chosen = conjunction([within, f"chance < {int(_RANGE * _SAMPLE / total)}"])
        rows = self.connection.query(name, chosen or "row >= 0", ["vector"], limit=MOST)
        return np.array([row["vector"] for row in rows], np.float32)

    def vectors_of(self, encoder: str, rows: Sequence[int]) -> tuple[list[int], Floats]:
        state = self.state(encoder)
        if state is None or not len(rows):
            return [], np.zeros((0, state.dimension if state else 0), np.float32)
        name = self.names.vectors(encoder)
        wanted = list(dict.fromkeys(int(row) for row in rows))
        entities = self.connection.get(name, wanted, ["vector"])
        held = {int(row["row"]): row["vector"] for row in entities}
        kept = [row for row in (int(row) for row in rows) if row in held]
        matrix = np.array([held[row] for row in kept], np.float32).reshape(-1, state.dimension)
        return kept, matrix
