"""An encoder at work: texts to vectors whose cosine is their likeness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from osler.stopping import check_stopped
from osler.text.bert import Array
from osler.text.language import language
from osler.text.model_folder import Pooling
from osler.text.tokens import Token

# So many characters are given to the tokenizer for each token that is kept: a longer text is cut
# there, since a megabyte would be tokenized for nothing.
CHARACTERS_A_TOKEN = 64
# Texts that are tokenized and sorted by length together.
WINDOW = 4_096


class Runtime(Protocol):
    """What runs a network: ids and mask in, hidden states out."""

    name: str
    token_budget: int
    # Batches that are worth running at once.
    workers: int

    def hidden(self, ids: npt.NDArray[np.int32], mask: npt.NDArray[np.int32]) -> Array: ...


class Encoder:
    """Texts to unit vectors. Made by :func:`load_encoder`; safe to use from several threads."""

    def __init__(
        self,
        tokenizer: Any,
        runtime: Runtime,
        *,
        dimension: int,
        pooling: Pooling,
        max_tokens: int,
        fingerprint: str,
        languages: frozenset[str],
        name: str = "",
        query_prefix: str = "",
        passage_prefix: str = "",
    ) -> None:
        self._tokenizer = tokenizer
        self.runtime = runtime
        self.dimension = dimension
        self.pooling = pooling
        self.max_tokens = max_tokens
        self.fingerprint = fingerprint
        self.languages = languages
        self.name = name
        self.query_prefix = query_prefix
        self.passage_prefix = passage_prefix
        self._pad = int(tokenizer.token_to_id("[PAD]") or tokenizer.token_to_id("<pad>") or 0)

    def reads(self, text: str) -> bool:
        """Whether the model knows the language of a text; a vector of another means nothing."""
        return language(text) in self.languages

    def encode(
        self,
        texts: Sequence[str],
        *,
        batch: int = 32,
        progress: Callable[[int, int], None] | None = None,
    ) -> Array:
        """Vectors (n, dimension), each of length 1, in the order of the texts.

        ``batch`` bounds the texts run together; ``progress(done, total)`` is called as they go.
        """
        if self.passage_prefix:
            texts = [self.passage_prefix + text for text in texts]
        return self._encode(texts, batch, progress)

    def encode_questions(self, texts: Sequence[str]) -> Array:
        """Vectors of questions, to be held against those of documents: some models want other
        words before a question than before a passage."""
        if self.query_prefix == self.passage_prefix:
            return self.encode(texts)
        return self._encode([self.query_prefix + text for text in texts], 32, None)

    def _encode(
        self,
        texts: Sequence[str],
        batch: int,
        progress: Callable[[int, int], None] | None,
    ) -> Array:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), WINDOW):
            check_stopped()
            window = texts[start : start + WINDOW]
            encoded = [e.ids for e in self._tokenizer.encode_batch_fast(self._cut(window))]
            batches = self._batches([len(ids) for ids in encoded], batch)
            done = start
            for rows, pooled in zip(batches, self._run(encoded, batches), strict=True):
                vectors[[start + row for row in rows]] = pooled
                done += len(rows)
                if progress is not None:
                    progress(done, len(texts))
        return vectors

    def _run(self, encoded: list[list[int]], batches: list[list[int]]) -> Iterator[Array]:
        """The pooled vectors of each batch, in order, on as many threads as the runtime takes."""

        def one(rows: list[int]) -> Array:
            ids, mask = self._pack([encoded[row] for row in rows])
            return pool(self.runtime.hidden(ids, mask), mask, self.pooling)

        workers = min(self.runtime.workers, len(batches))
        if workers < 2:
            yield from map(one, batches)
            return
        threads = ThreadPoolExecutor(workers, thread_name_prefix="encode")
        try:
            yield from threads.map(one, batches)
        finally:
            # Whoever stops in the middle does not wait for the batches that are still to come.
            threads.shutdown(cancel_futures=True)

    def token_vectors(
        self, texts: Sequence[str], *, batch: int = 32
    ) -> list[tuple[list[str], Array]]:
        """For each text its word pieces and their vectors, without the model's own marks.

        They are the states of the layer that the pooling reads, as they are (not normalised).
        :meth:`pieces` tells where each piece stands in the text.
        """
        none = np.zeros((0, self.dimension), np.float32)
        by_text: list[tuple[list[str], Array]] = [([], none)] * len(texts)
        for start in range(0, len(texts), WINDOW):
            check_stopped()
            encoded = self._tokenizer.encode_batch(self._cut(texts[start : start + WINDOW]))
            for rows in self._batches([len(e.ids) for e in encoded], batch):
                ids, mask = self._pack([encoded[row].ids for row in rows])
                hidden = self.runtime.hidden(ids, mask)
                for place, row in enumerate(rows):
                    own = [i for i, mark in enumerate(encoded[row].special_tokens_mask) if not mark]
                    pieces = [encoded[row].tokens[i] for i in own]
                    by_text[start + row] = (pieces, np.ascontiguousarray(hidden[place, own]))
        return by_text

    def pieces(self, text: str) -> list[Token]:
        """The word pieces of a text with their places, one for each row of its token vectors."""
        encoded = self._tokenizer.encode(self._cut([text])[0])
        marks = encoded.special_tokens_mask
        return [
            Token(text[start:end], start, end)
            for (start, end), mark in zip(encoded.offsets, marks, strict=True)
            if not mark
        ]

    def _cut(self, texts: Sequence[str]) -> list[str]:
        limit = self.max_tokens * CHARACTERS_A_TOKEN
        return [text[:limit] for text in texts]

    def _batches(self, lengths: list[int], batch: int) -> list[list[int]]:
        """Rows of like length together, longest first, within the runtime's budget of tokens."""
        order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
        batches, at = [], 0
        while at < len(order):
            longest = max(1, lengths[order[at]])
            take = max(1, min(batch, self.runtime.token_budget // longest))
            batches.append(order[at : at + take])
            at += take
        return batches

    def _pack(self, rows: list[list[int]]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), self._pad, dtype=np.int32)
        mask = np.zeros((len(rows), longest), dtype=np.int32)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        return ids, mask


def vectors_of_questions(encoder: Any, texts: Sequence[str]) -> Array:
    """Vectors of questions by any object that encodes: one that makes no difference between
    questions and passages need not say so."""
    ask = getattr(encoder, "encode_questions", encoder.encode)
    return np.asarray(ask(texts), np.float32)


def pool(hidden: Array, mask: npt.NDArray[np.int32], pooling: Pooling) -> Array:
    """Unit vectors (batch, hidden). ``last-but-one`` differs from ``mean`` in the layer only."""
    if pooling == "cls":
        vectors = hidden[:, 0]
    else:
        # The length cancels when the sum is scaled to 1.
        vectors = (mask[:, None, :].astype(np.float32) @ hidden)[:, 0]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
