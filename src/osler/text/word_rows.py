"""The rows of a static table for single words, out of its two files alone.

A verdict holds a question's words against the few thousand words of the papers that it looks at.

    rows(word) = the sum of t_p over its pieces p, as ``StaticTable`` has them
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from osler.errors import FormatError, InputError
from osler.text.bert import Array
from osler.text.model_folder import TABLE
from osler.text.plain_pieces import PlainPieces, load_plain_pieces


class WordRows:
    """Words of small letters with their rows, as :class:`StaticTable` gives them."""

    def __init__(self, pieces: PlainPieces, table: npt.NDArray[np.int8], scales: Array) -> None:
        self._pieces = pieces
        self._table = table
        self._scales = scales
        self.dimension = table.shape[1]

    def rows_of(self, words: Sequence[str]) -> Array:
        """(words, dimension): of each word the sum of its pieces' rows, in their order."""
        # Most words are pieces themselves.
        piece, longest = self._pieces.vocabulary.get, self._pieces.longest
        whole = [piece(word) if len(word) <= longest else None for word in words]
        cut = {at: self._pieces.word(words[at]) for at, n in enumerate(whole) if n is None}
        rows = self._rows([cut[at][0] if n is None else n for at, n in enumerate(whole)])
        nth = 1
        while more := [at for at, numbers in cut.items() if len(numbers) > nth]:
            rows[more] += self._rows([cut[at][nth] for at in more])
            nth += 1
        return rows

    def _rows(self, numbers: list[int]) -> Array:
        return np.asarray(self._table[numbers] * self._scales[numbers, None], np.float32)


def load_word_rows(folder: Path) -> WordRows | None:
    """The rows of a folder's table; None where only its own encoder can tell how words are cut."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    pieces = load_plain_pieces(folder)
    if pieces is None:
        return None
    try:
        tensors = load_file(str(folder / TABLE))
        table, scales = tensors["pieces"], tensors["scales"].astype(np.float32)
    except (OSError, SafetensorError, KeyError, ValueError):
        raise FormatError(f"{TABLE} of {folder.name} is damaged", cure="install it again") from None
    if len(table) < len(pieces.vocabulary) or len(scales) < len(table):
        raise InputError(f"{folder.name} has fewer vectors than word pieces")
    return WordRows(pieces, table, scales)
