"""A model's own tokenizer, out of its folder, through the ``tokenizers`` package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from osler.errors import FormatError
from osler.text.scripts import HAN_CHARACTER

# From how many whole words or characters on a vocabulary is taken to read a language.
ENOUGH = 2_000


def _json(path: Path) -> dict[str, Any]:
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _from_vocabulary(path: Path, lower: bool) -> Any:
    """BERT's own cutting of words, from a list of pieces, one a line."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = models.WordPiece.from_file(str(path), unk_token="[UNK]")  # noqa: S106
    tokenizer = Tokenizer(pieces)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lower)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    first, last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    if first is None or last is None:
        raise FormatError(f"{path.name} has no [CLS] or no [SEP]", cure="give a BERT's vocabulary")
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", last), ("[CLS]", first))
    return tokenizer


def load_tokenizer(folder: Path, *, max_tokens: int) -> Any:
    """The tokenizer, truncating at ``max_tokens`` and never padding.

    ``tokenizer.json`` if there is one; older BERT folders have only ``vocab.txt``.
    """
    from tokenizers import Tokenizer

    whole, words = folder / "tokenizer.json", folder / "vocab.txt"
    try:
        if whole.is_file():
            tokenizer = Tokenizer.from_file(str(whole))
        elif words.is_file():
            lower = bool(_json(folder / "tokenizer_config.json").get("do_lower_case", True))
            tokenizer = _from_vocabulary(words, lower)
        else:
            raise FormatError(
                f"{folder.name} has no tokenizer.json and no vocab.txt",
                cure="save the tokenizer beside the model",
            )
    except FormatError:
        raise
    except Exception:  # the tokenizers package raises bare exceptions
        raise FormatError(f"the tokenizer of {folder.name} is damaged") from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def languages_of(vocabulary: dict[str, int]) -> frozenset[str]:
    """The languages that a vocabulary has enough words, or characters, of."""
    han = english = 0
    for piece in vocabulary:
        word = piece.removeprefix("\u2581").removeprefix("\u0120")
        if HAN_CHARACTER.match(word):
            han += 1
        elif len(word) > 3 and word.isascii() and word.isalpha():
            english += 1
    languages = {"zh"} if han >= ENOUGH else set()
    return frozenset(languages | ({"en"} if english >= ENOUGH else set()))
