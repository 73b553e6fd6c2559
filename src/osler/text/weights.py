"""A model folder's weights file and its hash."""

from __future__ import annotations

from pathlib import Path

import xxhash

from osler.errors import FormatError

TABLE = "table.safetensors"
"""The file of a static table."""


def weights_file(folder: Path) -> Path:
    """The safetensors file (or the index of several); pickled weights are never read."""
    for name in ("model.safetensors", "model.safetensors.index.json"):
        if (folder / name).is_file():
            return folder / name
    raise FormatError(
        f"{folder.name} has no model.safetensors",
        cure="convert the weights to safetensors; pickled weights are not loaded",
    )


def weights_hash(folder: Path) -> str:
    """A hash over weights, configuration and tokenizer: all that a vector depends on."""
    weights_file(folder)
    names = sorted(path.name for path in folder.glob("*.safetensors"))
    return _hash(folder, [*names, "config.json", "tokenizer.json", "vocab.txt"])


def graph_hash(folder: Path, graph: str) -> str:
    """The same for a folder with a ready graph; what it wants of its texts is in it too."""
    if not (folder / graph).is_file():
        raise FormatError(f"{folder.name} has no {graph}", cure="fetch the encoder again")
    return _hash(folder, [graph, "encoder.json", "tokenizer.json", "vocab.txt"])


def _hash(folder: Path, names: list[str]) -> str:
    digest = xxhash.xxh3_128()
    for name in names:
        path = folder / name
        if not path.is_file():
            continue
        digest.update(f"\0{name}\0".encode())
        with path.open("rb") as stream:
            while chunk := stream.read(1 << 22):
                digest.update(chunk)
    return digest.hexdigest()
