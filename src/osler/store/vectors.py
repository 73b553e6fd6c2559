"""Vectors: the matrix that is searched.

It is derived: rows of the truth, the change each was made at, and 32-bit vectors, appended in the
order of changes. A small state file, replaced as a whole, says how many of them count, so an
append that was cut off is never read. It also says which generation of files counts: a matrix that
is made anew stands beside the old one until the state file names it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from osler.errors import DamageError
from osler.files.removal import remove_folder
from osler.settings import EXACT_VECTORS, threads
from osler.store.layout import Count, sync_folder, write_json
from osler.store.truth import storage_errors

Floats = npt.NDArray[np.float32]


_SAMPLE = 4_000
_BREADTH = 512
"""Vectors that the graph keeps in view while it looks for the nearest: ``near_vectors`` of the
benchmarks prints what that finds and costs."""
_COPIED = 20_000
"""Vectors that are copied together."""
STATE, NEXT = "state.json", "next.json"
FILES = ("rows.i64", "seqs.i64", "matrix.f32", "graph.usearch")


class Nearest(NamedTuple):
    """Rows, the changes they were embedded at, their cosines, and how the question's cosines are
    spread over all vectors."""

    rows: npt.NDArray[np.int64]
    seqs: npt.NDArray[np.int64]
    scores: Floats
    mean: float
    spread: float


def _spread_over(live: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Places of a fixed sample that stands for the whole: every n-th vector that counts."""
    places = np.flatnonzero(live)
    return places[:: max(1, len(places) // _SAMPLE)]


def _moments(scores: Floats) -> tuple[float, float]:
    return float(scores.mean(dtype=np.float64)), float(scores.std(dtype=np.float64))


class State(msgspec.Struct, frozen=True):
    """How far the truth was followed, and what was appended: (vectors, checksums by file)."""

    applied: Count
    count: Count
    dimension: Count
    blocks: tuple[tuple[Count, dict[str, str]], ...]
    mark: str = ""
    """The truth's mark at ``applied`` (see ``marks``)."""
    generation: Count = 0

    def __post_init__(self) -> None:
        if sum(length for length, _ in self.blocks) != self.count:
            raise ValueError("the blocks do not make up the count")


NOTHING = State(applied=0, count=0, dimension=0, blocks=())


class VectorIndex:
    """The vectors of a library's documents under one encoder."""

    def __init__(self, folder: Path, *, dimension: int, state: str = STATE) -> None:
        self.folder = folder
        self.dimension = dimension
        self._state_path = folder / state
        self._token: object = None
        self._hnsw: Any = None
        self._sample: Floats | None = None
        self.reload()

    # -- files ---------------------------------------------------------------------------------

    def _file(self, name: str, generation: int | None = None) -> Path:
        """A file of a generation; the first has plain names."""
        number = self.state.generation if generation is None else generation
        stem, _, kind = name.partition(".")
        return self.folder / (f"{stem}-{number}.{kind}" if number else name)

    def reload(self) -> None:
        """Look again: a writer may have appended, or put another generation in its place."""
        while not self._reload():
            pass

    def _reload(self) -> bool:
        try:
            raw: bytes | None = self._state_path.read_bytes()
        except FileNotFoundError:
            raw = None
        except OSError as error:
            raise DamageError(f"the vector index cannot be read: {error.strerror}") from None
        if (raw,) == self._token:
            return True
        before, self._token = self._token, (raw,)
        try:
            self.state = NOTHING if raw is None else msgspec.json.decode(raw, type=State)
            self.count = self.state.count
            self._map()
        except (msgspec.DecodeError, ValueError, OSError):
            self._token = before
            # A generation may have gone while it was being read: then another one counts by now.
            if raw is not None and self._raw() != raw:
                return False
            raise DamageError("the vector index is damaged", cure="osler rebuild") from None
        return True

    def _raw(self) -> bytes | None:
        try:
            return self._state_path.read_bytes()
        except OSError:
            return None

    def _map(self) -> None:
        count, width = self.count, self.dimension
        if count == 0:
            self.rows = np.zeros(0, np.int64)
            self.seqs = np.zeros(0, np.int64)
            self.matrix: Floats = np.zeros((0, width), np.float32)
            self.live = np.zeros(0, bool)
            self._places = self._sorted = np.zeros(0, np.int64)
            self.size = 0
            return
        self.rows = np.fromfile(self._file("rows.i64"), np.int64, count)
        self.seqs = np.fromfile(self._file("seqs.i64"), np.int64, count)
        self.matrix = np.memmap(
            self._file("matrix.f32"), np.float32, mode="r", shape=(count, width)
        )
        if len(self.rows) != count or len(self.seqs) != count:
            raise ValueError
        # A row that was appended again counts where it stands last; a negative seq is a deletion.
        self.live = np.zeros(count, bool)
        _, last = np.unique(self.rows[::-1], return_index=True)
        self.live[count - 1 - last] = True
        self.live &= self.seqs > 0
        # Live rows in rising order, and where each stands: a row is found by bisection.
        living = np.flatnonzero(self.live)
        self.size = len(living)
        self._places = living[np.argsort(self.rows[living], kind="stable")]
        self._sorted = self.rows[self._places]
        self._hnsw = self._sample = None

    @property
    def applied(self) -> int:
        return self.state.applied

    def append(
        self,
        rows: Sequence[int],
        seqs: Sequence[int],
        vectors: Floats,
        *,
        applied: int,
        mark: str = "",
    ) -> None:
        """Add vectors and note how far the truth has been followed, and its mark there."""
        with storage_errors("the vector index"):
            self.folder.mkdir(parents=True, exist_ok=True)
            parts: tuple[tuple[str, npt.NDArray[Any]], ...] = (
                ("rows.i64", np.asarray(rows, np.int64)),
                ("seqs.i64", np.asarray(seqs, np.int64)),
                (
                    "matrix.f32",
                    np.ascontiguousarray(vectors, np.float32).reshape(-1, self.dimension),
                ),
            )
            digests: dict[str, str] = {}
            for name, data in parts:
                width = data.dtype.itemsize * (self.dimension if data.ndim == 2 else 1)
                with self._file(name).open("ab") as stream:
                    stream.truncate(self.count * width)
                    stream.seek(self.count * width)
                    stream.write(data.tobytes())
                    stream.flush()
                    os.fsync(stream.fileno())
                digests[name] = xxhash.xxh3_64_hexdigest(data.tobytes())
            blocks = [*self.state.blocks, (len(rows), digests)]
            write_json(
                self._state_path,
                {
                    "applied": applied,
                    "count": self.count + len(rows),
                    "dimension": self.dimension,
                    "blocks": blocks,
                    "mark": mark,
                    "generation": self.state.generation,
                },
            )
        self.reload()

    def anew(self) -> VectorIndex:
        """An empty index in the next generation, beside this one; ``take_over`` puts it in force.
        One that was left unfinished is begun again."""
        with storage_errors("the vector index"):
            self.folder.mkdir(parents=True, exist_ok=True)
            number = self.state.generation + 1
            for name in FILES:
                self._file(name, number).unlink(missing_ok=True)
            empty = msgspec.structs.replace(NOTHING, dimension=self.dimension, generation=number)
            write_json(self.folder / NEXT, msgspec.to_builtins(empty))
        return VectorIndex(self.folder, dimension=self.dimension, state=NEXT)

    def drop(self) -> None:
        """Take away what ``anew`` began."""
        for path in (self._state_path, *(self._file(name) for name in FILES)):
            path.unlink(missing_ok=True)

    def take_over(self, newer: VectorIndex) -> None:
        """Put what ``anew`` began in this one's place; its files go."""
        old = [self._file(name) for name in FILES]
        with storage_errors("the vector index"):
            newer._state_path.replace(self._state_path)
            sync_folder(self.folder)
            self.reload()
            for path in old:
                path.unlink(missing_ok=True)

    def compact(self, without: Sequence[int] = ()) -> int:
        """Leave out what no longer counts: vectors of deleted and of changed documents, and those
        of some rows. How many went; their bytes stand in no file any more."""
        living = np.flatnonzero(self.live & ~np.isin(self.rows, np.asarray(without, np.int64)))
        dropped = self.count - len(living)
        if dropped:
            newer = self.anew()
            for start in range(0, max(1, len(living)), _COPIED):
                part = living[start : start + _COPIED]
                newer.append(
                    self.rows[part].tolist(),
                    self.seqs[part].tolist(),
                    np.asarray(self.matrix[part], np.float32),
                    applied=self.applied,
                    mark=self.state.mark,
                )
            self.take_over(newer)
        return dropped

    def check(self) -> Iterator[str]:
        """What is damaged: every appended block has its own checksum."""
        at = 0
        for length, digests in self.state.blocks:
            for name, expected in digests.items():
                width = 4 * self.dimension if name == "matrix.f32" else 8
                try:
                    with self._file(name).open("rb") as stream:
                        stream.seek(at * width)
                        data = stream.read(length * width)
                except OSError:
                    yield f"vector index: {name} is missing"
                    continue
                if xxhash.xxh3_64_hexdigest(data) != expected:
                    yield f"vector index: {name} is damaged at vector {at}"
            at += length

    @staticmethod
    def erase(folder: Path) -> None:
        remove_folder(folder)

    # -- search --------------------------------------------------------------------------------

    def search(
        self, vector: Floats, k: int, allowed: npt.NDArray[np.int64] | None = None
    ) -> Nearest:
        """The best k among the allowed rows, all ties with the last in.

        Exact up to ``exact_vectors``; beyond, by a graph (HNSW) unless a filter leaves few.
        """
        live = self.live
        if allowed is not None:
            live = live & np.isin(self.rows, allowed)
        remaining = int(live.sum())
        if remaining == 0:
            empty = np.zeros(0, np.int64)
            return Nearest(empty, empty, np.zeros(0, np.float32), 0.0, 0.0)
        limit = EXACT_VECTORS.get()
        if self.count <= limit:
            scores = self.matrix @ vector
            mean, spread = _moments(scores[live])
            scores[~live] = -np.inf
            places = np.arange(self.count)
        elif remaining <= limit:
            places = np.flatnonzero(live)
            scores = self.matrix[places] @ vector
            mean, spread = _moments(scores)
        else:
            places, scores = self._approximate(vector, k, live)
            sample = self._sampled() if allowed is None else self.matrix[_spread_over(live)]
            mean, spread = _moments(sample @ vector)
        # Block sizes move the last bits of a product: rounding keeps the order whatever the order
        # of insertion was.
        scores = np.round(scores, 6)
        if len(scores) > k:
            least = np.partition(scores, len(scores) - k)[len(scores) - k]
            chosen = np.flatnonzero((scores >= least) & np.isfinite(scores))
        else:
            chosen = np.flatnonzero(np.isfinite(scores))
        places = places[chosen]
        kept_scores = scores[chosen].astype(np.float32)
        return Nearest(self.rows[places], self.seqs[places], kept_scores, mean, spread)

    def _approximate(
        self, vector: Floats, k: int, live: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.int64], Floats]:
        index = self._graph()
        wanted = k
        while True:
            wanted = min(len(index), 2 * wanted)
            near = index.search(vector, wanted).keys.astype(np.int64)
            near = near[live[near]]
            if len(near) >= k or wanted == len(index):
                break
        tail = np.flatnonzero(live[len(index) :]) + len(index)
        places = np.concatenate([near, tail])
        return places, self.matrix[places] @ vector

    def _sampled(self) -> Floats:
        """Of all vectors, those that stand for the whole; kept, since reading them from all over
        the matrix costs more than comparing them."""
        if self._sample is None:
            self._sample = np.asarray(self.matrix[_spread_over(self.live)], np.float32)
        return self._sample

    def _graph(self) -> Any:
        """The HNSW graph, built to where the matrix was when it was last asked to be."""
        if self._hnsw is None:
            from usearch.index import Index

            path = self._file("graph.usearch")
            index = Index(ndim=self.dimension, metric="ip", dtype="f16", expansion_search=_BREADTH)
            if path.exists() and self.state.count:
                with contextlib.suppress(Exception):
                    index.load(str(path))
            if len(index) > self.count:
                index.clear()
            start = len(index)
            if self.count - start > EXACT_VECTORS.get() // 4 or start == 0:
                keys = np.arange(start, self.count)
                index.add(keys, self.matrix[start : self.count], threads=threads())
                temporary = path.with_suffix(".new")
                with contextlib.suppress(OSError):
                    index.save(str(temporary))
                    temporary.replace(path)
            self._hnsw = index
        return self._hnsw

    def vectors_of(self, rows: Sequence[int]) -> tuple[list[int], Floats]:
        """The vectors of some rows: those that have one, in the order asked for."""
        if not len(self._sorted) or not len(rows):
            return [], np.zeros((0, self.dimension), np.float32)
        wanted = np.asarray(rows, np.int64)
        at = np.minimum(np.searchsorted(self._sorted, wanted), len(self._sorted) - 1)
        held = self._sorted[at] == wanted
        matrix = np.asarray(self.matrix[self._places[at[held]]], np.float32)
        return wanted[held].tolist(), matrix
