"""A model folder's weights file and its hash."""

from __future__ import annotations

from pathlib import Path

import xxhash

from osler.errors import FormatError


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
    digest = xxhash.xxh3_128()
    names = sorted(path.name for path in folder.glob("*.safetensors"))
    for name in [*names, "config.json", "tokenizer.json", "vocab.txt"]:
        path = folder / name
        if not path.is_file():
            continue
        digest.update(f"\0{name}\0".encode())
        with path.open("rb") as stream:
            while chunk := stream.read(1 << 22):
                digest.update(chunk)
    return digest.hexdigest()
