"""An index of question-answer pairs: pieces of words and quick vectors, read once and kept.

Each pair is a row: the pieces of its question and of its answer's beginning with how often they
stand there, those of its question alone, and the vector of its question. A library of a hundred
thousand pairs is read once; what was added or changed since is read when the index is next opened.
On disk it is one file that is replaced as a whole; a damaged one is made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from osler.kinds import Pair
from osler.match.own_names import Names, names_in
from osler.match.splits import key
from osler.match.texts import Texts
from osler.stopping import check_stopped
from osler.store.layout import write_bytes

VERSION = 2
"""Raised when texts are cut or counted in another way, or more is kept of them."""
BEGIN = 1_500
"""Characters of an answer that are indexed: what it is about stands at its begin."""
SIDES = ("whole", "asked")
_DIGEST = 16
Encode = Callable[[Sequence[str]], NDArray[Any]]


class IndexState(msgspec.Struct, frozen=True):
    """What an index was made of: the last change of the pairs, and whose vectors it has."""

    applied: int = 0
    mark: str = ""
    encoder: str = ""
    version: int = VERSION


@dataclass(frozen=True)
class Counts:
    """Pieces of texts behind one another: text ``i`` has ``terms[offsets[i]:offsets[i + 1]]``;
    ``lengths`` count all pieces of a text."""

    offsets: NDArray[np.int64]
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: NDArray[np.int32]

    @classmethod
    def of(cls, rows: Sequence[tuple[list[int], list[int], int]]) -> Self:
        sizes = np.array([len(terms) for terms, _, _ in rows], np.int64)
        return cls(
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.array([term for terms, _, _ in rows for term in terms], np.int32),
            np.array([count for _, counts, _ in rows for count in counts], np.int32),
            np.array([length for _, _, length in rows], np.int32),
        )

    def __len__(self) -> int:
        return len(self.lengths)

    def joined(self, other: Counts) -> Counts:
        return Counts(
            np.concatenate([self.offsets, self.offsets[-1] + other.offsets[1:]]),
            np.concatenate([self.terms, other.terms]),
            np.concatenate([self.counts, other.counts]),
            np.concatenate([self.lengths, other.lengths]),
        )

    def taken(self, rows: NDArray[np.int64]) -> Counts:
        """Some of the texts."""
        sizes = np.diff(self.offsets)[rows]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], sizes)
        return Counts(offsets, self.terms[places], self.counts[places], self.lengths[rows])


NONE = Counts(
    np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int32)
)


@dataclass(frozen=True)
class PairIndex:
    """``answers`` tell equal answers by a hash; ``vectors`` has a row a pair, of length one or
    zero, and no column where no encoder read the questions; ``names`` are what the pairs say that
    what they are about is called."""

    state: IndexState
    vocabulary: list[str]
    ids: list[str]
    answers: NDArray[np.uint64]
    whole: Counts
    asked: Counts
    vectors: NDArray[np.float16]
    names: Names

    @classmethod
    def empty(cls, encoder: str = "") -> Self:
        nothing = np.zeros((0, 0), np.float16)
        answers = np.zeros(0, np.uint64)
        return cls(IndexState(encoder=encoder), [], [], answers, NONE, NONE, nothing, {})

    def __len__(self) -> int:
        return len(self.ids)

    def grown(
        self,
        pairs: Iterable[Pair],
        texts: Texts,
        *,
        encode: Encode | None = None,
        applied: int = 0,
        mark: str = "",
    ) -> PairIndex:
        """With some pairs more; one whose id is known takes the other's place."""
        fresh = list({pair.id: pair for pair in pairs}.values())
        numbers = {term: at for at, term in enumerate(self.vocabulary)}
        sides: dict[str, list[tuple[list[int], list[int], int]]] = {side: [] for side in SIDES}
        for pair in fresh:
            check_stopped()
            asked = texts.grams(pair.question)
            told = texts.grams(pair.answer[:BEGIN])
            for side, terms in (("whole", (*asked, *told)), ("asked", asked)):
                seen = Counter(terms)
                known = [numbers.setdefault(term, len(numbers)) for term in seen]
                sides[side].append((known, list(seen.values()), len(terms)))
        replaced = {pair.id for pair in fresh}
        kept = np.array([at for at, id in enumerate(self.ids) if id not in replaced], np.int64)
        vectors = _vectors([pair.question for pair in fresh], encode)
        if len(kept):
            vectors = np.concatenate([self.vectors[kept], vectors]) if len(fresh) else self.vectors
        return PairIndex(
            msgspec.structs.replace(self.state, applied=applied, mark=mark),
            list(numbers),
            [*(self.ids[at] for at in kept.tolist()), *(pair.id for pair in fresh)],
            np.concatenate([self.answers[kept], _hashes(pair.answer for pair in fresh)]),
            self.whole.taken(kept).joined(Counts.of(sides["whole"])),
            self.asked.taken(kept).joined(Counts.of(sides["asked"])),
            vectors,
            names_in(fresh, self.names),
        )

    # On disk ----------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        from safetensors.numpy import save

        tensors = {
            "vocabulary": _packed(self.vocabulary),
            "ids": _packed(self.ids),
            "answers": self.answers,
            "vectors": self.vectors,
            "names": _bytes(msgspec.msgpack.encode(self.names)),
        }
        for side, counts in (("whole", self.whole), ("asked", self.asked)):
            tensors |= {
                f"{side}.{name}": np.ascontiguousarray(getattr(counts, name))
                for name in Counts.__dataclass_fields__
            }
        told = {"state": msgspec.json.encode(self.state).decode()}
        body = save(tensors, metadata=told)
        write_bytes(path, xxhash.xxh3_128_digest(body) + body)

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """The index of a file; None where there is none that is whole."""
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            raw = path.read_bytes()
            body = raw[_DIGEST:]
            if xxhash.xxh3_128_digest(body) != raw[:_DIGEST]:
                return None
            size = int.from_bytes(body[:8], "little")
            head = msgspec.json.decode(body[8 : 8 + size])
            state = msgspec.json.decode(head["__metadata__"]["state"], type=IndexState)
            tensors: Mapping[str, Any] = load(body)
            whole, asked = (
                Counts(*(tensors[f"{side}.{name}"] for name in Counts.__dataclass_fields__))
                for side in SIDES
            )
            return cls(
                state,
                _unpacked(tensors["vocabulary"]),
                _unpacked(tensors["ids"]),
                tensors["answers"],
                whole,
                asked,
                tensors["vectors"],
                msgspec.msgpack.decode(tensors["names"].tobytes(), type=Names),
            )
        except (OSError, ValueError, KeyError, TypeError, SafetensorError):
            return None


def _hashes(answers: Iterable[str]) -> NDArray[np.uint64]:
    told = [xxhash.xxh3_64_intdigest(key(answer).encode()) for answer in answers]
    return np.array(told, np.uint64)


def _vectors(questions: Sequence[str], encode: Encode | None) -> NDArray[np.float16]:
    if encode is None or not questions:
        return np.zeros((len(questions), 0), np.float16)
    return np.asarray(encode(questions)).astype(np.float16)


def _packed(texts: Sequence[str]) -> NDArray[np.uint8]:
    return _bytes(msgspec.msgpack.encode(list(texts)))


def _bytes(raw: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(raw, np.uint8)


def _unpacked(raw: NDArray[np.uint8]) -> list[str]:
    return msgspec.msgpack.decode(raw.tobytes(), type=list[str])
