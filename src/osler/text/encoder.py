"""Encoders: texts to vectors whose cosine is their likeness.

The default is all-MiniLM-L6-v2 (``osler fetch minilm``). Any Hugging Face encoder folder works:
BERT and RoBERTa models run on ONNX Runtime from a graph that we build, or on torch; every other
kind needs ``osler[neural]``. Which runtime: torch in bfloat16 where torch is installed and the
processor multiplies bfloat16 in hardware, else ONNX Runtime in float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from osler.errors import ChoiceError, LimitError, MissingExtra, MissingModel
from osler.fetch import THINGS, fetched
from osler.stopping import check_stopped
from osler.text.bert import Array, bert_shape, read_config
from osler.text.hub import hub_folder
from osler.text.language import language
from osler.text.pooling import POOLINGS, Pooling, default_max_tokens, default_pooling, pool
from osler.text.tokens import Token
from osler.text.weights import weights_file, weights_hash
from osler.text.wordpieces import languages_of, load_tokenizer

# So many characters are given to the tokenizer for each token that is kept: a longer text is cut
# there, since a megabyte would be tokenized for nothing.
CHARACTERS_A_TOKEN = 64
# Texts that are tokenized and sorted by length together.
WINDOW = 4_096
RUNTIMES = ("onnx", "torch")


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
    ) -> None:
        self._tokenizer = tokenizer
        self.runtime = runtime
        self.dimension = dimension
        self.pooling = pooling
        self.max_tokens = max_tokens
        self.fingerprint = fingerprint
        self.languages = languages
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
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), WINDOW):
            check_stopped()
            window = texts[start : start + WINDOW]
            encoded = [e.ids for e in self._tokenizer.encode_batch_fast(self._cut(window))]
            batches = self._batches([len(ids) for ids in encoded], batch)
            done = start
            for rows, found in zip(batches, self._run(encoded, batches), strict=True):
                vectors[[start + row for row in rows]] = found
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
        found: list[tuple[list[str], Array]] = [([], none)] * len(texts)
        for start in range(0, len(texts), WINDOW):
            check_stopped()
            encoded = self._tokenizer.encode_batch(self._cut(texts[start : start + WINDOW]))
            for rows in self._batches([len(e.ids) for e in encoded], batch):
                ids, mask = self._pack([encoded[row].ids for row in rows])
                hidden = self.runtime.hidden(ids, mask)
                for place, row in enumerate(rows):
                    own = [i for i, mark in enumerate(encoded[row].special_tokens_mask) if not mark]
                    pieces = [encoded[row].tokens[i] for i in own]
                    found[start + row] = (pieces, np.ascontiguousarray(hidden[place, own]))
        return found

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


def load_encoder(
    name_or_folder: str | Path = "minilm",
    *,
    runtime: str | None = None,
    pooling: Pooling | None = None,
    max_tokens: int | None = None,
    download: bool = False,
) -> Encoder:
    """An encoder by its name among the fetched things, its folder, or its name on the hub.

    ``runtime``: ``"onnx"``, ``"torch"`` or None for the quicker of what is here. ``pooling``:
    ``"mean"``, ``"cls"``, or ``"last-but-one"`` (the mean over the last layer but one, as
    bert-as-service does); None takes what the folder says. ``max_tokens`` at which texts are cut:
    None takes the folder's. A hub name is looked up in the local cache only, unless ``download``.
    """
    if runtime is not None and runtime not in RUNTIMES:
        raise ChoiceError("runtime", runtime, RUNTIMES)
    if pooling is not None and pooling not in POOLINGS:
        raise ChoiceError("pooling", pooling, POOLINGS)
    folder = _folder(name_or_folder, download)
    config = read_config(folder)
    shape = bert_shape(config)
    pooling = pooling or default_pooling(folder)
    limit = shape.positions if shape else int(config.get("max_position_embeddings") or 512)
    max_tokens = max_tokens or default_max_tokens(folder, limit)
    if not 2 < max_tokens <= limit:
        raise LimitError(f"max_tokens is {max_tokens}", cure=f"give between 3 and {limit}")
    digest = weights_hash(folder)
    back = 1 if pooling == "last-but-one" else 0
    tokenizer = load_tokenizer(folder, max_tokens=max_tokens)
    runner: Runtime
    if shape is None or weights_file(folder).name != "model.safetensors":
        if runtime == "onnx":
            raise MissingExtra(f"a model of kind {config.get('model_type')!r} (torch)", "neural")
        from osler.text.torch_runtime import TransformersRuntime

        runner = TransformersRuntime(folder, layers_from_end=back)
        dimension = int(config.get("hidden_size") or config.get("dim") or 0)
    else:
        layers = shape.layers - back
        dimension = shape.hidden
        from osler.text.torch_runtime import TorchRuntime, has_bfloat16

        if runtime == "torch" or (runtime is None and has_bfloat16()):
            runner = TorchRuntime(folder, shape, layers=layers)
        else:
            from osler.text.onnx_runtime import OnnxRuntime

            runner = OnnxRuntime(folder, shape, weights_hash=digest, layers=layers)
    vocabulary = tokenizer.get_vocab()
    return Encoder(
        tokenizer,
        runner,
        dimension=dimension,
        pooling=pooling,
        max_tokens=max_tokens,
        # Not the runtime: its vectors agree to 1e-3, and a library may move between machines.
        fingerprint=_fingerprint(digest, pooling, max_tokens),
        languages=languages_of(vocabulary),
    )


def _fingerprint(digest: str, pooling: str, max_tokens: int) -> str:
    import xxhash

    return str(xxhash.xxh3_128_hexdigest(f"{digest} {pooling} {max_tokens}".encode()))[:16]


def _folder(name_or_folder: str | Path, download: bool) -> Path:
    given = Path(name_or_folder).expanduser()
    name = str(name_or_folder)
    if name in THINGS:
        here = fetched(name)
        if here is None:
            raise MissingModel(f"the encoder {name} is not here", cure=f"osler fetch {name}")
        return here
    if given.is_dir():
        return given
    return hub_folder(name, download=download)
