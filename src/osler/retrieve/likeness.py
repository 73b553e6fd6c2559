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
from threading import Lock
from typing import Protocol

import numpy as np
import numpy.typing as npt

from osler.text.model_folder import STATIC, shipped
from osler.text.stopwords import FUNCTION_WORDS
from osler.text.word_rows import load_word_rows

Array = npt.NDArray[np.float32]
TYPICAL = 0.08
"""The length of the row of a word that is neither a name nor in every text."""
_FIRST = 1_024
KEPT = 20_000
"""Words whose rows are kept: papers of one library use the same ones."""
_WORD = re.compile(r"[a-z]{3,}")


class Table(Protocol):
    """What has a row for each word."""

    dimension: int

    def rows_of(self, words: Sequence[str]) -> Array: ...


class _Rows:
    """Words with their rows at unit length, and how long each row was. Rows are only ever added:
    who looked a word up finds its row there whatever other threads add meanwhile."""

    def __init__(self, dimension: int) -> None:
        self.places: dict[str, int] = {}
        self.unit = np.zeros((_FIRST, dimension), np.float32)
        self.lengths = np.zeros(_FIRST, np.float32)

    def __len__(self) -> int:
        return len(self.places)

    def add(self, words: Sequence[str], rows: Array) -> None:
        first, end = len(self.places), len(self.places) + len(words)
        if end > len(self.lengths):
            more = max(end, 2 * len(self.lengths)) - len(self.lengths)
            self.unit = np.pad(self.unit, ((0, more), (0, 0)))
            self.lengths = np.pad(self.lengths, (0, more))
        lengths = np.linalg.norm(rows, axis=1)
        self.unit[first:end] = rows / np.maximum(lengths, 1e-12)[:, None]
        self.lengths[first:end] = lengths
        self.places.update(zip(words, range(first, end), strict=True))


class Likeness:
    """Words by the rows of a table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows = _Rows(table.dimension)
        self._adding = Lock()

    def tells(self, words: str) -> float:
        """How much words tell, about 1; words that are not English tell as much as any."""
        rows, places = self._found(words_of(words))
        lengths = rows.lengths[places]
        return float(lengths.mean()) / TYPICAL if lengths.any() else 1.0

    def alike(self, asked: Sequence[str], text: Iterable[str]) -> list[float]:
        """For each of some phrases how alike the text is that has these words, from 0 to 1."""
        phrases = [words_of(phrase) for phrase in asked]
        rows, places = self._found(sorted(set(text)))
        if not places:
            return [0.0] * len(phrases)
        held = rows.unit[places].T
        return [self._nearest(words, held) if words else 0.0 for words in phrases]

    def _nearest(self, words: Sequence[str], held: Array) -> float:
        """The largest cosine of each word with those of a text, and of these the least."""
        rows, places = self._found(words)
        return max(0.0, float((rows.unit[places] @ held).max(axis=1).min()))

    def _found(self, words: Sequence[str]) -> tuple[_Rows, list[int]]:
        """The rows, and where each word has its own among them."""
        rows = self._rows
        places = rows.places
        try:
            return rows, [places[word] for word in words]
        except KeyError:
            return self._added(words)

    def _added(self, words: Sequence[str]) -> tuple[_Rows, list[int]]:
        with self._adding:
            rows = self._rows
            new = [word for word in words if word not in rows.places]
            if len(rows) + len(new) > KEPT:
                # Another thread may still read the former ones: they are left, not emptied.
                rows = self._rows = _Rows(self._table.dimension)
                new = list(words)
            if new:
                rows.add(new, self._table.rows_of(new))
            return rows, [rows.places[word] for word in words]


def words_of(text: str) -> list[str]:
    """The English words of a text that tell something, in small letters, each once."""
    words = dict.fromkeys(_WORD.findall(text.lower()))
    return [word for word in words if word not in FUNCTION_WORDS]


@lru_cache(maxsize=1)
def shipped_likeness() -> Likeness | None:
    """By the table that came with the package; None in a checkout that lacks it."""
    folder = shipped(STATIC)
    if folder is None:
        return None
    rows = load_word_rows(folder)
    if rows is not None:
        return Likeness(rows)
    from osler.text.encoder import load_encoder
    from osler.text.static_table import StaticTable

    table = load_encoder(STATIC)
    return Likeness(table) if isinstance(table, StaticTable) else None
