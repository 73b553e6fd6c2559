"""Corrupted triples: a true one with its head or its tail replaced, and never another true one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from osler.knowledge.embeddings.triples import Ints

TRIES = 8
"""How often a replacement that makes a true triple is drawn again: a hub may leave no other."""


class Known:
    """The set of true triples, asked for many at once: each is one whole number in a sorted list.

    A table of bits answers for most that are not there; only the rest are looked for.
    """

    def __init__(self, parts: Sequence[Ints], entities: int, relations: int) -> None:
        self.entities, self.relations = entities, relations
        keys = [self._keys(rows[:, 0], rows[:, 1], rows[:, 2]) for rows in parts]
        self.keys = np.unique(np.concatenate(keys)) if keys else np.zeros(0, np.int64)
        bits = max(16, int(len(self.keys) * 16).bit_length())
        self._shift = np.uint64(64 - bits)
        self._maybe = np.zeros(1 << bits, bool)
        self._maybe[self._slots(self.keys)] = True

    def _keys(self, heads: Ints, relations: Ints, tails: Ints) -> Ints:
        # Below 2^63 up to two billion entities with a few relations: no graph here is near it.
        return (heads * self.relations + relations) * self.entities + tails

    def _slots(self, keys: Ints) -> NDArray[np.uint64]:
        spread: NDArray[np.uint64] = keys.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return spread >> self._shift

    def holds(self, heads: Ints, relations: Ints, tails: Ints) -> NDArray[np.bool_]:
        """Which of the triples are true; the three broadcast against each other."""
        keys = self._keys(heads, relations, tails)
        flat = np.ascontiguousarray(keys).ravel()
        maybe = self._maybe[self._slots(flat)]
        unsure = np.flatnonzero(maybe)
        if len(unsure):
            asked = flat[unsure]
            at = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
            maybe[unsure] = self.keys[at] == asked
        return maybe.reshape(keys.shape)


class Corruptor:
    """Draws replacements for heads and tails.

    ``typed`` draws from the entities that stand on that side of the relation somewhere in the
    triples, which makes harder negatives; otherwise every entity can come. With ``known`` a
    replacement that makes a true triple is drawn again, up to ``TRIES`` times (eq. 7 of seed 001).
    """

    def __init__(
        self,
        rows: Ints,
        entities: int,
        relations: int,
        *,
        known: Known | None,
        typed: bool = False,
    ) -> None:
        self.entities = entities
        self.known = known
        self._pools = (
            tuple(_pools(rows[:, side], rows[:, 1], relations) for side in (0, 2))
            if typed
            else None
        )

    def _draw(self, relations: Ints, side: int, rng: np.random.Generator) -> Ints:
        if self._pools is None:
            return rng.integers(0, self.entities, size=relations.shape)
        values, starts, sizes = self._pools[side]
        picks = (rng.random(relations.shape) * sizes[relations]).astype(np.int64)
        drawn: Ints = values[starts[relations] + picks]
        return drawn

    def corrupt(self, batch: Ints, count: int, rng: np.random.Generator, *, tails: bool) -> Ints:
        """For each triple of the batch ``count`` replacements of its tail, or of its head."""
        heads, kinds, ends = (batch[:, [column]] for column in range(3))
        wide = np.broadcast_to(kinds, (len(batch), count))
        side = 1 if tails else 0
        drawn = self._draw(np.ascontiguousarray(wide), side, rng)
        if self.known is None:
            return drawn
        for _ in range(TRIES):
            true = (
                self.known.holds(heads, kinds, drawn)
                if tails
                else self.known.holds(drawn, kinds, ends)
            )
            if not true.any():
                break
            drawn[true] = self._draw(wide[true], side, rng)
        return drawn


def _pools(ends: Ints, kinds: Ints, relations: int) -> tuple[Ints, Ints, Ints]:
    """The distinct entities on one side of each relation, one after the other."""
    pairs = np.unique(np.stack([kinds, ends], 1), axis=0)
    sizes = np.bincount(pairs[:, 0], minlength=relations)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return pairs[:, 1], starts, sizes
