"""Candidates as they were indexed, remembered: a version never changes, so nothing goes stale."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from osler.store.milvus.connection import Connection
from osler.store.milvus.place import Place
from osler.store.milvus.tokens import LETTERS, field_of

Array = npt.NDArray[Any]
FIELDS = tuple(LETTERS)
MOST = 50_000
"""Versions that are remembered: some 5 kB each."""
_VOCABULARY = 5_000_000


class Held(NamedTuple):
    """One version: its tokens as text and as numbers with their counts, lengths of its fields."""

    key: int
    row: int
    seq: int
    words: str
    numbers: Array
    counts: Array
    lengths: Array
    year: int
    labels: frozenset[int]
    place: tuple[int, int, int]


class Memory:
    """The versions of one collection, fetched when they are first asked for. All who search a
    collection in one process share it: a server has several threads."""

    _all: ClassVar[WeakValueDictionary[tuple[str, str, str], Memory]] = WeakValueDictionary()
    _choosing: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def of(cls, place: Place, collection: str, created: str, fields: Sequence[str]) -> Memory:
        """The memory of a collection as it was made: one made anew gets another."""
        key = (place.uri, collection, created)
        with cls._choosing:
            memory = cls._all.get(key)
            if memory is None:
                memory = cls._all[key] = cls(collection, fields)
            return memory

    def __init__(self, collection: str, fields: Sequence[str]) -> None:
        self.collection = collection
        self.fields = list(fields)
        self._held: OrderedDict[int, Held] = OrderedDict()
        self._numbers: dict[str, int] = {}
        self._guard = threading.Lock()

    def get(
        self, connection: Connection, keys: Sequence[int], tokens: Sequence[str] = ()
    ) -> tuple[list[Held], Array]:
        """Versions by key, those that are there, in the order asked for; and the numbers that
        tokens have in them (-1: none)."""
        with self._guard:
            if len(self._numbers) > _VOCABULARY:
                self._held.clear()
                self._numbers.clear()
            missing = [key for key in keys if key not in self._held]
        rows = connection.get(self.collection, missing, self.fields) if missing else []
        with self._guard:
            for row in rows:
                held = self._of(row)
                self._held[held.key] = held
            entities = []
            for key in keys:
                if key in self._held:
                    self._held.move_to_end(key)
                    entities.append(self._held[key])
            while len(self._held) > max(MOST, len(entities)):
                self._held.popitem(last=False)
            numbers = np.array([self._numbers.get(token, -1) for token in tokens], np.int64)
        return entities, numbers

    def _of(self, row: dict[str, Any]) -> Held:
        key = int(row["seq"] if "key" not in row else row["key"])
        counts = Counter(row["words"].split())
        lengths = np.zeros(len(FIELDS), np.int64)
        known = self._numbers
        numbers = np.empty(len(counts), np.int64)
        for place, (token, times) in enumerate(counts.items()):
            numbers[place] = known.setdefault(token, len(known))
            lengths[_PLACES[token[0]]] += times
        return Held(
            key,
            int(row["row"]),
            int(row["seq"]),
            row["words"],
            numbers,
            np.fromiter(counts.values(), np.int32, len(counts)),
            lengths,
            int(row.get("year", 0)),
            frozenset(row.get("labels") or ()),
            (int(row.get("section", 0)), int(row.get("start", 0)), int(row.get("stop", 0))),
        )


_PLACES = {
    letter: FIELDS.index(field_of(letter))
    for plain in LETTERS.values()
    for letter in (plain, chr(ord(plain) + 1))
}
