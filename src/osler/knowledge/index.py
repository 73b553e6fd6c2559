"""The token trie: names in, longest matches out.

A trie over numbered tokens, kept as one flat table: key ``node * WIDTH + token`` gives the next
node (already multiplied). Walking a token is one dictionary look-up, so matching is linear in the
text for names of bounded length (``MAX_TOKENS``). On disk it is two arrays and a word list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from osler.errors import LimitError

WIDTH = 1 << 22
MAX_TOKENS = 24
UNKNOWN = -1
# A node from which no step leads, whatever the token.
NOWHERE = -(1 << 60)


class Trie:
    """``step`` maps ``node + token`` to the next node, ``final`` a node to its number of name."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.step: dict[int, int] = {}
        self.final: dict[int, int] = {}
        self._nodes = 1

    def token(self, word: str) -> int:
        """The number of a word, a new one if it has none."""
        number = self.words.setdefault(word, len(self.words))
        if number >= WIDTH - 1:
            raise LimitError(f"the names hold more than {WIDTH} different words")
        return number

    def add(self, tokens: Sequence[int]) -> int:
        """The number of a name; the same one when the name is there already."""
        step = self.step
        node = 0
        for token in tokens:
            key = node + token
            following = step.get(key)
            if following is None:
                following = self._nodes * WIDTH
                self._nodes += 1
                step[key] = following
            node = following
        return self.final.setdefault(node, len(self.final))

    def find(self, tokens: Iterable[int]) -> int | None:
        """The number of a name, or None."""
        node = 0
        for token in tokens:
            if token == UNKNOWN:
                return None
            following = self.step.get(node + token)
            if following is None:
                return None
            node = following
        return self.final.get(node)

    def openings(self) -> tuple[list[int], list[int | None]]:
        """For each token, the node that it leads to from the root (``NOWHERE`` if none) and the
        name that it is alone; one entry more, the last, for an unknown token (number -1)."""
        nodes = [self.step.get(token, NOWHERE) for token in range(len(self.words))]
        names = [self.final.get(node) for node in nodes]
        return [*nodes, NOWHERE], [*names, None]

    def arrays(self) -> dict[str, NDArray[np.int64]]:
        return {
            "step_keys": np.fromiter(self.step.keys(), np.int64, len(self.step)),
            "step_nodes": np.fromiter(self.step.values(), np.int64, len(self.step)),
            "final_nodes": np.fromiter(self.final.keys(), np.int64, len(self.final)),
            "final_names": np.fromiter(self.final.values(), np.int64, len(self.final)),
        }

    @classmethod
    def of(cls, words: Iterable[str], arrays: dict[str, NDArray[np.int64]]) -> Trie:
        trie = cls()
        trie.words = {word: number for number, word in enumerate(words)}
        trie.step = dict(
            zip(arrays["step_keys"].tolist(), arrays["step_nodes"].tolist(), strict=True)
        )
        trie.final = dict(
            zip(arrays["final_nodes"].tolist(), arrays["final_names"].tolist(), strict=True)
        )
        trie._nodes = len(trie.step) + 1
        return trie
