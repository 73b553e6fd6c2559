"""The rows of a static table for single words, out of its two files alone.

A verdict holds a question's words against the few thousand words of the papers that it looks at.
For words of small letters BERT's tokenizer does nothing but cut: from the left, the longest piece
that the vocabulary has, until the word is used up. That takes a dictionary; to open a tokenizer
takes longer than the rest of the verdict.

    rows(word) = the sum of t_p over its pieces p, as ``StaticTable`` has them
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from osler.errors import FormatError, InputError
from osler.text.bert import Array
from osler.text.model_folder import TABLE

_LETTERS = re.compile("[a-z]+")


class _Model(msgspec.Struct):
    type: str
    vocab: dict[str, int] = {}
    unk_token: str = "[UNK]"  # noqa: S105
    continuing_subword_prefix: str = "##"
    max_input_chars_per_word: int = 100


class _Named(msgspec.Struct):
    type: str


class _Added(msgspec.Struct):
    content: str


class _File(msgspec.Struct):
    """What of a ``tokenizer.json`` says how a word of small letters is cut."""

    model: _Model
    normalizer: _Named | None = None
    pre_tokenizer: _Named | None = None
    added_tokens: list[_Added] = []


class WordRows:
    """Words of small letters with their rows, as :class:`StaticTable` gives them."""

    def __init__(self, model: _Model, pieces: npt.NDArray[np.int8], scales: Array) -> None:
        self._vocabulary = model.vocab
        self._prefix = model.continuing_subword_prefix
        self._unknown = [model.vocab[model.unk_token]]
        self._longest = model.max_input_chars_per_word
        self._pieces = pieces
        self._scales = scales
        self.dimension = pieces.shape[1]

    def rows_of(self, words: Sequence[str]) -> Array:
        """(words, dimension): of each word the sum of its pieces' rows, in their order."""
        # Most words are pieces themselves.
        piece, longest = self._vocabulary.get, self._longest
        whole = [piece(word) if len(word) <= longest else None for word in words]
        cut = {at: self.cut(words[at]) for at, number in enumerate(whole) if number is None}
        rows = self._rows([cut[at][0] if n is None else n for at, n in enumerate(whole)])
        nth = 1
        while more := [at for at, numbers in cut.items() if len(numbers) > nth]:
            rows[more] += self._rows([cut[at][nth] for at in more])
            nth += 1
        return rows

    def _rows(self, numbers: list[int]) -> Array:
        return np.asarray(self._pieces[numbers] * self._scales[numbers, None], np.float32)

    def cut(self, word: str) -> list[int]:
        """The pieces of a word, by number."""
        if not word or len(word) > self._longest:
            return self._unknown
        numbers: list[int] = []
        start, length = 0, len(word)
        while start < length:
            prefix = self._prefix if start else ""
            for end in range(length, start, -1):
                number = self._vocabulary.get(prefix + word[start:end])
                if number is not None:
                    numbers.append(number)
                    start = end
                    break
            else:
                return self._unknown
        return numbers


def load_word_rows(folder: Path) -> WordRows | None:
    """The rows of a folder's table; None where its tokenizer does more than cut a word, and only
    the table's own encoder can tell what."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        held = msgspec.json.decode((folder / "tokenizer.json").read_bytes(), type=_File)
    except (OSError, msgspec.DecodeError):
        return None
    if not _plain(held):
        return None
    try:
        tensors = load_file(str(folder / TABLE))
        pieces, scales = tensors["pieces"], tensors["scales"].astype(np.float32)
    except (OSError, SafetensorError, KeyError, ValueError):
        raise FormatError(f"{TABLE} of {folder.name} is damaged", cure="install it again") from None
    if len(pieces) < len(held.model.vocab) or len(scales) < len(pieces):
        raise InputError(f"{folder.name} has fewer vectors than word pieces")
    return WordRows(held.model, pieces, scales)


def _plain(held: _File) -> bool:
    """Whether a word of small letters is cut into pieces and nothing else is done to it."""
    model = held.model
    return (
        model.type == "WordPiece"
        and model.unk_token in model.vocab
        and held.normalizer is not None
        and held.normalizer.type == "BertNormalizer"
        and held.pre_tokenizer is not None
        and held.pre_tokenizer.type == "BertPreTokenizer"
        and not any(_LETTERS.fullmatch(added.content) for added in held.added_tokens)
    )
