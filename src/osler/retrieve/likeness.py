"""How alike two words are, and how much a word tells, by the static table that ships.

A lay question and its paper say the same in different words: "fat" and "obesity", "torn" and
"injured". Their rows of the table (``text/static_table.py``) point the same way. A row's length is
learned too: words that stand in any text ("goes", "badly") have short ones, names long ones.

- alike(p, text) = the least over the words of p of its largest cosine with a word of the text;
- tells(p) = the mean length of the rows of p's words, beside ``TYPICAL``.

The table reads English. Where it is missing, or a word is of another script, nothing is alike and
every word tells the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from osler.text.encoder import load_encoder
from osler.text.shipped import STATIC, shipped
from osler.text.static_table import StaticTable
from osler.text.stopwords import FUNCTION_WORDS

Array = npt.NDArray[np.float32]
TYPICAL = 0.08
"""The length of the row of a word that is neither a name nor in every text."""
KEPT = 20_000
"""Words whose rows are kept: papers of one library use the same ones."""
_WORD = re.compile(r"[a-z]{3,}")


class Likeness:
    """Words by the rows of a table."""

    def __init__(self, table: StaticTable) -> None:
        self._table = table
        self._rows: dict[str, Array] = {}

    def tells(self, words: str) -> float:
        """How much words tell, about 1; words that are not English tell as much as any."""
        rows = self._vectors(words_of(words))
        lengths = np.linalg.norm(rows, axis=1)
        return float(lengths.mean()) / TYPICAL if lengths.any() else 1.0

    def alike(self, asked: Sequence[str], text: Iterable[str]) -> list[float]:
        """For each of some phrases how alike the text is that has these words, from 0 to 1."""
        phrases = [words_of(phrase) for phrase in asked]
        held = _unit(self._vectors(sorted(set(text))))
        if not len(held):
            return [0.0] * len(phrases)
        return [
            max(0.0, float((_unit(self._vectors(words)) @ held.T).max(axis=1).min()))
            if words
            else 0.0
            for words in phrases
        ]

    def _vectors(self, words: Sequence[str]) -> Array:
        rows = self._rows
        new = [word for word in words if word not in rows]
        if len(rows) + len(new) > KEPT:
            # Another thread may still read the former ones: they are left, not emptied.
            rows = self._rows = {}
            new = list(words)
        for word, (_, pieces) in zip(new, self._table.token_vectors(new), strict=True):
            rows[word] = pieces.sum(axis=0, dtype=np.float32)
        return np.array([rows[word] for word in words], np.float32).reshape(
            -1, self._table.dimension
        )


def words_of(text: str) -> list[str]:
    """The English words of a text that tell something, in small letters, each once."""
    words = dict.fromkeys(_WORD.findall(text.lower()))
    return [word for word in words if word not in FUNCTION_WORDS]


def _unit(rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12), np.float32)


@lru_cache(maxsize=1)
def shipped_likeness() -> Likeness | None:
    """By the table that came with the package; None in a checkout that lacks it."""
    if shipped(STATIC) is None:
        return None
    table = load_encoder(STATIC)
    return Likeness(table) if isinstance(table, StaticTable) else None
