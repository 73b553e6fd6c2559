"""From a text's token states to its one vector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from osler.text.bert import Array

Pooling = Literal["mean", "cls", "last-but-one"]
POOLINGS: tuple[str, ...] = get_args(Pooling)


def pool(hidden: Array, mask: npt.NDArray[np.int32], pooling: Pooling) -> Array:
    """Unit vectors (batch, hidden). ``last-but-one`` differs from ``mean`` in the layer only."""
    if pooling == "cls":
        vectors = hidden[:, 0]
    else:
        # The length cancels when the sum is scaled to 1.
        vectors = (mask[:, None, :].astype(np.float32) @ hidden)[:, 0]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)


def _settings(path: Path) -> dict[str, Any]:
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def default_pooling(folder: Path) -> Pooling:
    """What the folder's pooling settings say, as sentence-transformers writes them; else mean."""
    settings = _settings(folder / "1_Pooling" / "config.json")
    return "cls" if settings.get("pooling_mode_cls_token") else "mean"


def default_max_tokens(folder: Path, limit: int) -> int:
    """The folder's own length, within what the model has positions for."""
    own = _settings(folder / "sentence_bert_config.json").get("max_seq_length")
    return min(own, limit) if isinstance(own, int) and own > 2 else min(512, limit)
