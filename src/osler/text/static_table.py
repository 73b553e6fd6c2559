"""A static table: one vector a word piece, summed. A text costs microseconds, not milliseconds.

v(text) = sum over its pieces p of log(1 + n_p) t_p, scaled to length 1, where n_p counts p in the
text and t_p is the piece's row: signed bytes times a scale of its own. Order and context are lost;
it gives every paper a vector at once, until a better encoder has read it. Rows are fitted to a
larger encoder's vectors (recipe ``osler-small``), so a common word's is short by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from osler.errors import FormatError, InputError
from osler.text.bert import Array
from osler.text.encoding import Encoder
from osler.text.model_folder import TABLE, Wants, graph_hash
from osler.text.plain_pieces import late_tokenizer
from osler.text.wordpieces import languages_of

# The beginning of an abstract says what it is about; most end before this.
CHARACTERS = 2_000
CHUNK = 1_024


class StaticTable(Encoder):
    """Texts to unit vectors by a table. It shows no states of word pieces in their context."""

    def __init__(
        self,
        tokenizer: Any,
        table: Array,
        *,
        name: str,
        fingerprint: str,
        languages: frozenset[str],
    ) -> None:
        self._tokenizer = tokenizer
        self._table = table
        self.dimension = table.shape[1]
        self.max_tokens = CHARACTERS
        self.fingerprint = fingerprint
        self.languages = languages
        self.name = name
        self.query_prefix = self.passage_prefix = ""

    def _encode(
        self,
        texts: Sequence[str],
        batch: int,
        progress: Callable[[int, int], None] | None,
    ) -> Array:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for start in range(0, len(texts), CHUNK):
            part = [text[:CHARACTERS] for text in texts[start : start + CHUNK]]
            encoded = self._tokenizer.encode_batch_fast(part, add_special_tokens=False)
            counts = bag_of_pieces([each.ids for each in encoded], len(self._table))
            vectors[start : start + len(part)] = counts @ self._table
            if progress is not None:
                progress(start + len(part), len(texts))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)

    def token_vectors(
        self, texts: Sequence[str], *, batch: int = 32
    ) -> list[tuple[list[str], Array]]:
        """Each piece's own row: the same in every text."""
        encoded = self._tokenizer.encode_batch(
            [text[:CHARACTERS] for text in texts], add_special_tokens=False
        )
        return [(each.tokens, self._table[each.ids]) for each in encoded]

    def rows_of(self, words: Sequence[str]) -> Array:
        """(words, dimension): of each word the sum of its pieces' rows. ``word_rows`` gives the
        same for words of small letters without this encoder."""
        pieces = [rows for _, rows in self.token_vectors(words)]
        return np.stack([rows.sum(axis=0, dtype=np.float32) for rows in pieces])


def bag_of_pieces(texts: Sequence[Sequence[int]], size: int) -> Any:
    """(texts, size) sparse: the logarithm of one more than how often each piece stands in each."""
    from scipy.sparse import csr_matrix

    lengths = [len(ids) for ids in texts]
    rows = np.repeat(np.arange(len(texts)), lengths)
    columns = np.concatenate(
        [np.asarray(ids, np.int64) for ids in texts] or [np.zeros(0, np.int64)]
    )
    ones = np.ones(len(columns), np.float32)
    bag = csr_matrix((ones, (rows, columns)), shape=(len(texts), size), dtype=np.float32)
    bag.sum_duplicates()
    bag.data = np.log1p(bag.data)
    return bag


def save_static(folder: Path, table: Array, tokenizer: Path) -> None:
    """Write the table in bytes, with its tokenizer, as a folder that :func:`load_static` reads."""
    from safetensors.numpy import save_file

    from osler.text.onnx_int8 import to_bytes

    folder.mkdir(parents=True, exist_ok=True)
    small, scale = to_bytes(np.asarray(table, np.float32), axis=1)
    save_file({"pieces": small, "scales": scale[:, 0].astype(np.float16)}, str(folder / TABLE))
    (folder / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    (folder / "encoder.json").write_text('{"kind": "static", "languages": ["en"]}\n', "utf-8")


def load_static(folder: Path, wants: Wants) -> StaticTable:
    """The encoder of a folder that holds a table."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    digest = graph_hash(folder, TABLE)
    try:
        tensors = load_file(str(folder / TABLE))
        table = tensors["pieces"].astype(np.float32) * tensors["scales"].astype(np.float32)[:, None]
    except (SafetensorError, KeyError, ValueError, IndexError):
        raise FormatError(f"{TABLE} of {folder.name} is damaged", cure="install it again") from None
    tokenizer = late_tokenizer(folder, max_tokens=CHARACTERS)
    vocabulary = tokenizer.get_vocab()
    if len(table) < len(vocabulary):
        raise InputError(f"{folder.name} has fewer vectors than word pieces")
    return StaticTable(
        tokenizer,
        table,
        name=folder.name,
        fingerprint=digest[:16],
        languages=frozenset(wants.languages or languages_of(vocabulary)),
    )
