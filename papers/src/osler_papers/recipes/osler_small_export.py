"""From taught layers to the folders that ship: the 8-bit graph, and the static table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from osler.text.bert import Array, Weights, bert_shape
from osler.text.onnx_int8 import build_int8, measure_channels
from osler.text.ready_graph import ReadyGraph
from osler.text.static_table import bag_of_pieces, save_static

POSITIONS = 256
"""Places that the graph has room for."""
TOKENS = 128
"""Pieces of a text that are read: on the sets that choose, more brought nothing and cost double."""
DIMENSION = 128
"""Of the static table: 30,522 rows of so many bytes are under 4 MB."""
COMMON = 0.1
"""The share of texts at which a piece counts half."""


def export_small(
    folder: Path,
    config: dict[str, Any],
    tensors: dict[str, Array],
    tokenizer: Path,
    texts: list[str],
) -> None:
    """The encoder's folder: graph, tokenizer, settings. ``texts`` show how large channels get."""
    from tokenizers import Tokenizer

    folder.mkdir(parents=True, exist_ok=True)
    shape = bert_shape(config)
    if shape is None:
        raise ValueError("the student is no BERT")
    weights = Weights(shape, tensors)
    cutter = Tokenizer.from_file(str(tokenizer))
    cutter.no_padding()
    cutter.enable_truncation(POSITIONS)
    ids = [each.ids for each in cutter.encode_batch(texts)]
    plain = build_int8(weights, shape.layers, positions=POSITIONS)
    largest = measure_channels(plain, ids)
    graph = build_int8(weights, shape.layers, positions=POSITIONS, largest=largest)
    (folder / "model.onnx").write_bytes(graph)
    (folder / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    settings = {
        "graph": "model.onnx",
        "pooling": "mean",
        "max_tokens": TOKENS,
        "languages": ["en"],
    }
    (folder / "encoder.json").write_text(json.dumps(settings, indent=2) + "\n", "utf-8")


def fit_table(
    bag: Any, wanted: Array, *, ridge: float, steps: int, progress: Callable[[str], None]
) -> Array:
    """W that makes ``bag @ W`` near ``wanted`` (centred) and stays small, by conjugate gradients:

    (B'B + r D) W = B'(V - mean V), where D has each piece's count: a rare piece is held back more.
    """
    target = wanted - wanted.mean(axis=0)
    counts = np.asarray((bag > 0).sum(axis=0)).ravel().astype(np.float32)
    # Solved for rows scaled by their pieces' counts: common ones would slow the rest down.
    scale = (1 / np.sqrt(counts + 1)).astype(np.float32)
    scaled = bag.multiply(scale[None]).tocsr()

    def product(x: Array) -> Array:
        return np.asarray(scaled.T @ (scaled @ x) + ridge * x, np.float32)

    solution = np.zeros((bag.shape[1], target.shape[1]), np.float32)
    residual = np.asarray(scaled.T @ target, np.float32)
    direction = residual.copy()
    norm = (residual * residual).sum(axis=0)
    for step in range(steps):
        image = product(direction)
        size = norm / np.maximum((direction * image).sum(axis=0), 1e-12)
        solution += size * direction
        residual -= size * image
        new = (residual * residual).sum(axis=0)
        direction = residual + new / np.maximum(norm, 1e-12) * direction
        norm = new
        if step % 10 == 9:
            progress(f"table: step {step + 1}, residual {float(np.sqrt(norm.sum())):.4f}")
    return np.asarray(solution * scale[:, None], np.float32)


def pieces_alone(graph: Path, size: int, *, marks: tuple[int, int]) -> Array:
    """The vector of each word piece as a text of its own, centred: what is known of those that
    the fitted texts seldom have. Pieces below the first mark are no words and stay nothing."""
    runner = ReadyGraph(graph)
    first, last = marks
    vectors = np.zeros((size, runner.dimension), np.float32)
    for piece in range(last + 1, size):
        ids = np.array([[first, piece, last]], np.int32)
        vector = runner.hidden(ids, np.ones_like(ids))[0].mean(axis=0)
        vectors[piece] = vector / max(float(np.linalg.norm(vector)), 1e-12)
    vectors[last + 1 :] -= vectors[last + 1 :].mean(axis=0)
    return vectors


def known_table(bag: Any, wanted: Array, alone: Array) -> Array:
    """Pieces' own vectors, weighted by a / (a + p) for a piece in the share p of texts (Arora et
    al. 2017), and turned by the matrix that brings their sums nearest to the texts' vectors."""
    share = np.asarray((bag > 0).sum(axis=0)).ravel() / bag.shape[0]
    weighted = alone * (COMMON / (COMMON + share)).astype(np.float32)[:, None]
    sums = bag @ weighted
    target = wanted - wanted.mean(axis=0)
    square = sums.T @ sums + np.eye(sums.shape[1], dtype=np.float32)
    return np.asarray(weighted @ np.linalg.solve(square, sums.T @ target), np.float32)


def narrowed(table: Array, bag: Any, dimension: int = DIMENSION) -> Array:
    """The table in the directions along which texts' vectors differ most."""
    vectors = bag @ table
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors / np.maximum(lengths, 1e-12)
    values, directions = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    best = directions[:, np.argsort(-values)[:dimension]]
    return np.asarray(table @ best, np.float32)


def export_static(
    folder: Path,
    pieces: Sequence[Sequence[int]],
    vectors: Array,
    tokenizer: Path,
    *,
    alone: Array,
    ridge: float = 3.0,
    progress: Callable[[str], None],
) -> None:
    """The static table's folder, from texts (as ids of pieces, without marks) and their vectors.

    What the pieces' own vectors (``alone``) leave over is fitted.
    """
    bag = bag_of_pieces(pieces, len(alone))
    table = known_table(bag, vectors, alone)
    left = vectors - vectors.mean(axis=0) - bag @ table
    table = table + fit_table(bag, left, ridge=ridge, steps=40, progress=progress)
    save_static(folder, narrowed(table, bag), tokenizer)


def manifest(folder: Path) -> dict[str, dict[str, object]]:
    """Every file below with its size and SHA-256."""
    return {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }
