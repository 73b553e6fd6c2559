"""The token trie: names in, longest matches out.

A trie over numbered tokens, kept as one flat table: key ``node * WIDTH + token`` gives the next
node (already multiplied). Walking a token is one dictionary look-up, so matching is linear in the
text for names of bounded length (``MAX_TOKENS``). On disk it is sorted arrays and a word list.

Who opens a library to put one question links one short text: half a million dictionary entries
would take most of that time. So a trie from disk is looked up in its arrays, and turned into
dictionaries once it has been asked for more than a few hundred abstracts: a server that answers
questions all day never is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from osler.errors import LimitError

WIDTH = 1 << 22
MAX_TOKENS = 24
UNKNOWN = -1
# A node from which no step leads, whatever the token.
NOWHERE = -(1 << 60)


# So many tokens are looked up in the arrays before dictionaries are made of them: what it takes to
# make these is saved again after about as many.
FEW_TOKENS = 50_000


class Steps(Protocol):
    """What a walk needs of a table: a dictionary has it, and so have two arrays."""

    def get(self, key: int, /) -> int | None: ...


class SortedSteps:
    """Keys and what each leads to, as sorted arrays: nothing is made before it is asked for."""

    def __init__(self, keys: NDArray[np.int64], values: NDArray[np.int64]) -> None:
        if not bool(np.all(keys[1:] > keys[:-1])):
            # Arrays from before they were saved in order.
            order = np.argsort(keys, kind="stable")
            keys, values = keys[order], values[order]
        self.keys = keys
        self.values = values

    def get(self, key: int, /) -> int | None:
        at = int(self.keys.searchsorted(key))
        return int(self.values[at]) if at < len(self.keys) and self.keys[at] == key else None

    def many(self, keys: NDArray[np.int64], missing: int) -> NDArray[np.int64]:
        """What many keys lead to; ``missing`` where one leads nowhere."""
        if not len(self.keys):
            return np.full(len(keys), missing, np.int64)
        at = np.minimum(self.keys.searchsorted(keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.values[at], missing)

    def whole(self) -> dict[int, int]:
        return dict(zip(self.keys.tolist(), self.values.tolist(), strict=True))


class Trie:
    """``step`` maps ``node + token`` to the next node, ``final`` a node to its number of name."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.step: dict[int, int] = {}
        self.final: dict[int, int] = {}
        self._nodes = 1
        # Of a trie from disk, until it was made whole.
        self._sorted: tuple[SortedSteps, SortedSteps] | None = None
        self._looked_up = 0

    def tables(self, tokens: int) -> tuple[Steps, Steps]:
        """``step`` and ``final`` for walking a text of so many tokens."""
        arrays = self._sorted
        if arrays is not None:
            self._looked_up += tokens
            if self._looked_up <= FEW_TOKENS:
                return arrays
        return self.whole()

    def whole(self) -> tuple[dict[int, int], dict[int, int]]:
        """Both tables as dictionaries, made of the arrays where they were not yet."""
        arrays = self._sorted
        if arrays is not None:
            # Several threads may be here at once: each makes the same dictionaries.
            self.step, self.final = arrays[0].whole(), arrays[1].whole()
            self._sorted = None
        return self.step, self.final

    def token(self, word: str) -> int:
        """The number of a word, a new one if it has none."""
        number = self.words.setdefault(word, len(self.words))
        if number >= WIDTH - 1:
            raise LimitError(f"the names hold more than {WIDTH} different words")
        return number

    def add(self, tokens: Sequence[int]) -> int:
        """The number of a name; the same one when the name is there already."""
        step, final = self.whole()
        node = 0
        for token in tokens:
            key = node + token
            following = step.get(key)
            if following is None:
                following = self._nodes * WIDTH
                self._nodes += 1
                step[key] = following
            node = following
        return final.setdefault(node, len(final))

    def find(self, tokens: Iterable[int]) -> int | None:
        """The number of a name, or None."""
        step, final = self._sorted or (self.step, self.final)
        node = 0
        for token in tokens:
            if token == UNKNOWN:
                return None
            following = step.get(node + token)
            if following is None:
                return None
            node = following
        return final.get(node)

    def openings(self) -> tuple[list[int], list[int | None]]:
        """For each token, the node that it leads to from the root (``NOWHERE`` if none) and the
        name that it is alone; one entry more, the last, for an unknown token (number -1)."""
        step, final = self._sorted or (_in_order(self.step), _in_order(self.final))
        nodes = step.many(np.arange(len(self.words)), NOWHERE)
        names = final.many(nodes, UNKNOWN).tolist()
        return [*nodes.tolist(), NOWHERE], [None if n == UNKNOWN else n for n in names] + [None]

    def arrays(self) -> dict[str, NDArray[np.int64]]:
        step, final = self._sorted or (_in_order(self.step), _in_order(self.final))
        return {
            "step_keys": step.keys,
            "step_nodes": step.values,
            "final_nodes": final.keys,
            "final_names": final.values,
        }

    @classmethod
    def of(cls, words: Iterable[str], arrays: dict[str, NDArray[np.int64]]) -> Trie:
        trie = cls()
        trie.words = dict(zip(words, count()))
        trie._sorted = (
            SortedSteps(arrays["step_keys"], arrays["step_nodes"]),
            SortedSteps(arrays["final_nodes"], arrays["final_names"]),
        )
        trie._nodes = len(arrays["step_keys"]) + 1
        return trie


def _in_order(table: dict[int, int]) -> SortedSteps:
    keys = np.fromiter(table.keys(), np.int64, len(table))
    return SortedSteps(keys, np.fromiter(table.values(), np.int64, len(table)))
