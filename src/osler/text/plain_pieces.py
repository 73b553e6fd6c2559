"""BERT's word pieces for plain English, out of the vocabulary alone.

For text of ASCII letters, digits and signs BERT's tokenizer sets small letters, parts words from
blanks and signs, and cuts each from the left into the longest pieces that the vocabulary has. That
takes a dictionary; opening a tokenizer takes as long as a question does. One vocabulary serves all
whose ``tokenizer.json`` is the same. Whatever else a text holds is left to the tokenizer itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from osler.text.wordpieces import load_tokenizer

FEW = 4
"""So many texts are cut here; more of them are quicker with the tokenizer, once it is open."""
SHORT = 400
"""Characters of a text that is cut here."""
_PLAIN = re.compile("[ -~]*")
_WORD = re.compile("[a-z0-9]+|[^ a-z0-9]")


class _Model(msgspec.Struct):
    type: str
    vocab: dict[str, int] = {}
    unk_token: str = "[UNK]"  # noqa: S105
    continuing_subword_prefix: str = "##"
    max_input_chars_per_word: int = 100


class _Step(msgspec.Struct):
    type: str
    lowercase: bool = True
    single: list[dict[str, dict[str, Any]]] = []
    special_tokens: dict[str, dict[str, Any]] = {}


class _Added(msgspec.Struct):
    content: str


class _File(msgspec.Struct):
    """What of a ``tokenizer.json`` says how plain text is cut."""

    model: _Model
    normalizer: _Step | None = None
    pre_tokenizer: _Step | None = None
    post_processor: _Step | None = None
    added_tokens: list[_Added] = []


class PlainPieces:
    """A vocabulary that cuts plain text; safe to use from several threads."""

    def __init__(self, held: _File) -> None:
        model = held.model
        self.vocabulary = model.vocab
        self.longest = model.max_input_chars_per_word
        self._prefix = model.continuing_subword_prefix
        self._unknown = [model.vocab[model.unk_token]]
        self._added = [added.content.lower() for added in held.added_tokens]
        self.frame = _frame(held.post_processor)

    def text(self, text: str) -> list[int] | None:
        """The pieces of a text, by number; None where it is not plain."""
        if len(text) > SHORT or not _PLAIN.fullmatch(text):
            return None
        text = text.lower()
        if any(added in text for added in self._added):
            return None
        return [number for word in _WORD.findall(text) for number in self.word(word)]

    def word(self, word: str) -> list[int]:
        """The pieces of a word of small letters, by number."""
        if not word or len(word) > self.longest:
            return self._unknown
        numbers: list[int] = []
        start, length = 0, len(word)
        while start < length:
            prefix = self._prefix if start else ""
            for end in range(length, start, -1):
                number = self.vocabulary.get(prefix + word[start:end])
                if number is not None:
                    numbers.append(number)
                    start = end
                    break
            else:
                return self._unknown
        return numbers


def load_plain_pieces(folder: Path) -> PlainPieces | None:
    """The vocabulary of a folder; None where its tokenizer does more than BERT's."""
    try:
        return _read((folder / "tokenizer.json").read_bytes())
    except OSError:
        return None


@lru_cache(maxsize=2)
def _read(data: bytes) -> PlainPieces | None:
    try:
        held = msgspec.json.decode(data, type=_File)
    except msgspec.DecodeError:
        return None
    model, vocabulary = held.model, held.model.vocab
    plain = (
        model.type == "WordPiece"
        and model.unk_token in vocabulary
        and held.normalizer is not None
        and held.normalizer.type == "BertNormalizer"
        and held.normalizer.lowercase
        and held.pre_tokenizer is not None
        and held.pre_tokenizer.type == "BertPreTokenizer"
        and all(
            added.content in vocabulary and not added.content.isalnum()
            for added in held.added_tokens
        )
    )
    return PlainPieces(held) if plain else None


def _frame(step: _Step | None) -> tuple[int, int] | None:
    """What stands before and after the pieces of one text; None where that is told otherwise."""
    try:
        if step is None or step.type != "TemplateProcessing":
            return None
        first, text, last = step.single
        assert text["Sequence"]["id"] == "A"
        ((before,), (after,)) = (
            step.special_tokens[mark["SpecialToken"]["id"]]["ids"] for mark in (first, last)
        )
        return int(before), int(after)
    except (AssertionError, KeyError, TypeError, ValueError):
        return None


class Cut(NamedTuple):
    """A text's pieces as the tokenizer would give them, by number."""

    ids: list[int]


class LateTokenizer:
    """A folder's tokenizer, opened when a text wants it."""

    def __init__(self, folder: Path, pieces: PlainPieces, *, max_tokens: int) -> None:
        self._folder = folder
        self._pieces = pieces
        self._most = max_tokens

    @cached_property
    def _whole(self) -> Any:
        return load_tokenizer(self._folder, max_tokens=self._most)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._whole, name)

    def get_vocab(self) -> dict[str, int]:
        return self._pieces.vocabulary

    def token_to_id(self, token: str) -> int | None:
        return self._pieces.vocabulary.get(token)

    def encode_batch_fast(
        self, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> Sequence[Any]:
        if len(texts) <= FEW and "_whole" not in self.__dict__:
            cut = [self._cut(text, add_special_tokens) for text in texts]
            if None not in cut:
                return cut
        return self._whole.encode_batch_fast(  # type: ignore[no-any-return]
            texts, add_special_tokens=add_special_tokens
        )

    def _cut(self, text: str, framed: bool) -> Cut | None:
        ids, frame = self._pieces.text(text), self._pieces.frame
        if ids is None or (framed and frame is None):
            return None
        if framed and frame is not None:
            ids = [frame[0], *ids, frame[1]]
        return Cut(ids) if len(ids) <= self._most else None


def late_tokenizer(folder: Path, *, max_tokens: int) -> Any:
    """``load_tokenizer``, put off where plain questions can do without it."""
    pieces = load_plain_pieces(folder)
    if pieces is None:
        return load_tokenizer(folder, max_tokens=max_tokens)
    return LateTokenizer(folder, pieces, max_tokens=max_tokens)
