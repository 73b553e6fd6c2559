"""Word vectors: read from word2vec's and fastText's files, trained by gensim, kept as safetensors.

Mikolov et al. 2013, "Distributed Representations of Words and Phrases"; Bojanowski et al. 2017
for fastText's text files (its ``.vec``; the subword model ``.bin`` is another format).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Literal

import numpy as np
import numpy.typing as npt

from osler.errors import FormatError, LimitError, MissingExtra
from osler.files.source import Source

Array = npt.NDArray[np.float32]
MAX_WORDS = 20_000_000
MAX_DIMENSION = 10_000
MAX_WORD_BYTES = 4_000
TENSOR = "vectors"
# What numbers in a text file are written with: nan and inf too.
_DIGITS = b"0123456789+-.eE \tnaif\r"


class WordVectors:
    """Words and their vectors, one row each."""

    def __init__(self, words: Sequence[str], matrix: Array) -> None:
        if len(words) != len(matrix) or matrix.ndim != 2:
            raise FormatError(f"{len(words)} words do not fit a matrix of shape {matrix.shape}")
        self.words = list(words)
        self.matrix = np.ascontiguousarray(matrix, dtype=np.float32)
        # The first of two equal words is kept, as word2vec's own tools do.
        self.index: dict[str, int] = {}
        for row, word in enumerate(self.words):
            self.index.setdefault(word, row)

    @property
    def dimension(self) -> int:
        return int(self.matrix.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self.index

    def vector(self, word: str) -> Array:
        """The word's vector; zeros for a word that is not known."""
        row = self.index.get(word)
        return self.matrix[row] if row is not None else np.zeros(self.dimension, np.float32)

    def vectors(self, words: Sequence[str]) -> Array:
        """One row a word; zeros for words that are not known."""
        vectors = np.zeros((len(words), self.dimension), dtype=np.float32)
        for place, word in enumerate(words):
            row = self.index.get(word)
            if row is not None:
                vectors[place] = self.matrix[row]
        return vectors

    def mean(self, words: Sequence[str]) -> Array:
        """The mean of the known words' vectors; zeros if none is known."""
        rows = [self.index[word] for word in words if word in self.index]
        if not rows:
            return np.zeros(self.dimension, np.float32)
        return np.asarray(self.matrix[rows].mean(0), dtype=np.float32)

    @classmethod
    def train(
        cls,
        sentences: Iterable[Sequence[str]],
        *,
        dimension: int = 100,
        window: int = 5,
        least: int = 1,
        epochs: int = 5,
        negative: int = 5,
        method: Literal["skip-gram", "cbow"] = "skip-gram",
        seed: int = 0,
    ) -> WordVectors:
        """Train word2vec with negative sampling. One thread, so that a seed gives one result."""
        try:
            from gensim.models import Word2Vec
        except ImportError:
            raise MissingExtra("training word vectors (gensim)", "neural") from None
        corpus = [list(sentence) for sentence in sentences]
        if not any(corpus):
            raise FormatError("there are no words to train on")
        model = Word2Vec(
            vector_size=dimension,
            window=window,
            min_count=least,
            negative=negative,
            sg=int(method == "skip-gram"),
            seed=seed,
            workers=1,
            hashfxn=_stable_hash,
        )
        model.build_vocab(corpus)
        if not len(model.wv):
            raise FormatError(f"no word occurs {least} times", cure="lower least")
        model.train(corpus, total_examples=len(corpus), epochs=epochs)
        return cls(list(model.wv.index_to_key), np.asarray(model.wv.vectors, dtype=np.float32))

    def save(self, folder: str | Path) -> Path:
        """Write ``vectors.safetensors`` and ``vocabulary.json``, each whole or not at all."""
        from safetensors.numpy import save

        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        _replace(target / "vectors.safetensors", save({TENSOR: self.matrix}))
        _replace(target / "vocabulary.json", json.dumps(self.words, ensure_ascii=False).encode())
        return target

    @classmethod
    def load(cls, path: str | Path, *, limit: int = MAX_WORDS) -> WordVectors:
        """From a folder that ``save`` wrote, or a word2vec or fastText file, text or binary.

        ``limit`` reads only so many words from the start, which are the most frequent ones.
        """
        place = Path(path)
        if place.is_dir():
            return cls._load_folder(place)
        source = Source(place)
        with source.open() as stream:
            return _read(stream, source.name, limit)

    @classmethod
    def _load_folder(cls, folder: Path) -> WordVectors:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            words = json.loads((folder / "vocabulary.json").read_text("utf-8"))
            matrix = load_file(str(folder / "vectors.safetensors"))[TENSOR]
        except (OSError, ValueError, KeyError, SafetensorError):
            raise FormatError(
                f"{folder.name} holds no whole word vectors",
                cure="it needs vectors.safetensors and vocabulary.json",
            ) from None
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise FormatError(f"vocabulary.json of {folder.name} is not a list of words")
        return cls(words, matrix)


def _stable_hash(word: str) -> int:
    """Python's own hash of a string changes from process to process."""
    import zlib

    return zlib.crc32(word.encode())


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)


def _header(line: bytes, name: str) -> tuple[int, int] | None:
    """(words, dimension) of word2vec's first line; None if it is a word's line already (GloVe)."""
    fields = line.split()
    if len(fields) != 2:
        return None
    try:
        count, dimension = int(fields[0]), int(fields[1])
    except ValueError:
        return None
    if not 0 < dimension <= MAX_DIMENSION or not 0 <= count <= 10 * MAX_WORDS:
        raise LimitError(f"{name} says it has {count} words of {dimension} numbers")
    return count, dimension


def _read(stream: IO[bytes], name: str, limit: int) -> WordVectors:
    first = stream.readline(1 << 20)
    header = _header(first, name)
    if header is None:
        return _read_text(stream, name, limit, first=first)
    count, dimension = header
    # After the first word a text has numbers up to the line's end; a binary file has floats.
    start: bytes = stream.peek(1024)[:1024].lstrip(b"\n")  # type: ignore[attr-defined]
    numbers = start.partition(b"\n")[0].partition(b" ")[2]
    if numbers and all(byte in _DIGITS for byte in numbers):
        return _read_text(stream, name, min(count, limit), dimension=dimension)
    return _read_binary(stream, name, min(count, limit), dimension)


def _word(stream: IO[bytes], name: str) -> bytes:
    """Bytes up to a blank; binary files may put a line's end before a word."""
    word = bytearray()
    while (byte := stream.read(1)) not in (b" ", b""):
        if byte != b"\n" or word:
            word += byte
        if len(word) > MAX_WORD_BYTES:
            raise FormatError(f"{name} is no file of word vectors: a word has no end")
    return bytes(word)


def _read_binary(stream: IO[bytes], name: str, count: int, dimension: int) -> WordVectors:
    words: list[str] = []
    rows: list[Array] = []
    for number in range(count):
        word, data = _word(stream, name), stream.read(4 * dimension)
        if len(data) != 4 * dimension:
            raise FormatError(f"{name} is cut short at word {number + 1} of {count}")
        words.append(word.decode("utf-8", errors="replace"))
        rows.append(np.frombuffer(data, dtype="<f4"))
    if not rows:
        raise FormatError(f"{name} holds no word vectors")
    return WordVectors(words, np.array(rows, dtype=np.float32))


def _read_text(
    stream: IO[bytes], name: str, limit: int, *, first: bytes = b"", dimension: int = 0
) -> WordVectors:
    words: list[str] = []
    rows: list[Array] = []

    def lines() -> Iterator[bytes]:
        if first:
            yield first
        while line := stream.readline(1 << 20):
            yield line

    for number, line in enumerate(lines(), 1):
        if len(words) >= limit:
            break
        fields = line.decode("utf-8", errors="replace").rstrip().split(" ")
        if fields == [""]:
            continue
        width = dimension or len(fields) - 1
        # A word may hold blanks of its own: the numbers are the last fields.
        try:
            row = np.array(fields[-width:], dtype=np.float32)
        except ValueError:
            row = np.zeros(0, dtype=np.float32)
        if width < 1 or width > MAX_DIMENSION or len(row) != width or len(fields) <= width:
            raise FormatError(f"{name}: the word in row {number} has not {width} numbers")
        dimension = width
        words.append(" ".join(fields[:-width]))
        rows.append(row)
    if not rows:
        raise FormatError(f"{name} holds no word vectors")
    return WordVectors(words, np.array(rows, dtype=np.float32))
