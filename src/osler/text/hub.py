"""Encoders by their name on the Hugging Face hub: from the local cache, or brought if allowed."""

from __future__ import annotations

import os
import re
from pathlib import Path

from osler.errors import InputError, MissingExtra, MissingModel, NetworkError

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)?", re.ASCII)
# Weights as safetensors, configuration and tokenizer: no code, no pickles.
PATTERNS = ["*.json", "vocab.txt", "*.safetensors"]


def _cache() -> Path:
    own = os.environ.get("HF_HUB_CACHE")
    if own:
        return Path(own)
    home = os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface"
    return Path(home) / "hub"


def _cached(name: str) -> Path | None:
    folder = _cache() / f"models--{name.replace('/', '--')}"
    try:
        revision = (folder / "refs" / "main").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    snapshot = folder / "snapshots" / revision
    whole = re.fullmatch(r"[0-9a-f]{40}", revision) and (snapshot / "config.json").is_file()
    return snapshot if whole else None


def hub_folder(name: str, *, download: bool = False) -> Path:
    """The folder of a hub model in the local cache; downloaded only if ``download`` is true."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"there is no encoder folder {name}", cure="give a folder or a model's name"
        )
    here = _cached(name)
    if here is not None:
        return here
    if not download:
        raise MissingModel(
            f"there is no encoder {name!r}: no folder, no fetched thing, not in the hub's cache",
            cure="osler fetch minilm, give a folder, or allow the download (download=True)",
        )
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtra("downloading from the hub", "neural") from None
    try:
        return Path(snapshot_download(name, allow_patterns=PATTERNS))
    except Exception as problem:  # the hub's errors are many, and none of them is ours
        raise NetworkError(
            f"{name} could not be brought from the hub ({type(problem).__name__})",
            cure="check the name and the network",
        ) from None
