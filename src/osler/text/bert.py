"""The BERT encoder's shape and weights, read from a folder, and its forward pass in NumPy.

Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers". RoBERTa and its kin
are the same network with positions counted from the padding id on. The NumPy pass is the
reference that the quick runtimes are tested against.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.errors import FormatError

Array = npt.NDArray[np.float32]
FAMILY = frozenset({"bert", "roberta", "xlm-roberta", "camembert"})


@dataclass(frozen=True)
class BertShape:
    """What ``config.json`` says, as far as an encoder needs it."""

    hidden: int
    heads: int
    layers: int
    epsilon: float
    positions: int
    # Rows at the top of the position table that stand for no token.
    first_position: int


def read_config(folder: Path) -> dict[str, Any]:
    """``config.json`` of a model folder."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except FileNotFoundError:
        raise FormatError(
            f"{folder.name} is no encoder folder: it has no config.json",
            cure="give a Hugging Face model folder",
        ) from None
    except ValueError:
        raise FormatError(f"config.json of {folder.name} is not JSON") from None
    if not isinstance(config, dict):
        raise FormatError(f"config.json of {folder.name} is not a JSON object")
    return config


def bert_shape(config: dict[str, Any]) -> BertShape | None:
    """The shape if this is a BERT that we can run ourselves, else None."""
    if config.get("model_type") not in FAMILY:
        return None
    if config.get("hidden_act", "gelu") != "gelu" or config.get("is_decoder"):
        return None
    if config.get("position_embedding_type", "absolute") not in ("absolute", None):
        return None
    try:
        offset = 0 if config["model_type"] == "bert" else int(config.get("pad_token_id", 1)) + 1
        return BertShape(
            hidden=int(config["hidden_size"]),
            heads=int(config["num_attention_heads"]),
            layers=int(config["num_hidden_layers"]),
            epsilon=float(config.get("layer_norm_eps", 1e-12)),
            positions=int(config["max_position_embeddings"]) - offset,
            first_position=offset,
        )
    except (KeyError, TypeError, ValueError):
        raise FormatError("config.json lacks a number that a BERT needs") from None


def read_weights(path: Path) -> dict[str, Array]:
    """The tensors of ``model.safetensors`` as float32, named without the model's own prefix."""
    from safetensors import SafetensorError, safe_open

    weights: dict[str, Array] = {}
    try:
        with safe_open(str(path), framework="np") as tensors:
            for name in tensors.keys():  # noqa: SIM118 (it is no dict)
                short = name
                for prefix in ("bert.", "roberta.", "model."):
                    short = short.removeprefix(prefix)
                if not short.startswith(("embeddings.", "encoder.")) or "position_ids" in short:
                    continue
                # Old checkpoints call a LayerNorm's weights by the names of the formula.
                short = short.replace("LayerNorm.gamma", "LayerNorm.weight")
                short = short.replace("LayerNorm.beta", "LayerNorm.bias")
                weights[short] = tensors.get_tensor(name).astype(np.float32)
    except (SafetensorError, OSError, TypeError) as problem:
        raise FormatError(
            f"{path.name} is damaged or of a kind that is not read", cure="fetch the model again"
        ) from problem
    return weights


class Weights:
    """Weights with the names that the formulas use."""

    def __init__(self, shape: BertShape, tensors: dict[str, Array]) -> None:
        self.shape = shape
        self._tensors = tensors

    def get(self, name: str) -> Array:
        try:
            return self._tensors[name]
        except KeyError:
            raise FormatError(f"the model has no tensor {name}") from None

    def words(self) -> Array:
        return self.get("embeddings.word_embeddings.weight")

    def positions(self) -> Array:
        """Positions plus segment 0: only one segment is ever encoded."""
        table = self.get("embeddings.position_embeddings.weight")[self.shape.first_position :]
        segment = self.get("embeddings.token_type_embeddings.weight")[0]
        return np.ascontiguousarray(table + segment)

    def norm(self, name: str) -> tuple[Array, Array]:
        return self.get(f"{name}.LayerNorm.weight"), self.get(f"{name}.LayerNorm.bias")

    def linear(self, name: str) -> tuple[Array, Array]:
        """(in, out) matrix and bias."""
        matrix = np.ascontiguousarray(self.get(f"{name}.weight").T)
        return matrix, self.get(f"{name}.bias")


def _norm(x: Array, gamma: Array, beta: Array, epsilon: float) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred * centred).mean(-1, keepdims=True)
    return np.asarray(centred / np.sqrt(variance + epsilon) * gamma + beta, dtype=np.float32)


def _gelu(x: Array) -> Array:
    from scipy.special import erf

    return np.asarray(0.5 * x * (1 + erf(x / math.sqrt(2))), dtype=np.float32)


def forward(
    weights: Weights, ids: npt.NDArray[np.int32], mask: npt.NDArray[np.int32], layers: int
) -> Array:
    """Hidden states (batch, length, hidden) after ``layers`` layers, in plain NumPy."""
    shape = weights.shape
    batch, length = ids.shape
    size = shape.hidden // shape.heads
    x = weights.words()[ids] + weights.positions()[:length]
    x = _norm(x, *weights.norm("embeddings"), shape.epsilon)
    bias = np.where(mask[:, None, None, :] > 0, 0.0, -1e9).astype(np.float32)

    def split(y: Array) -> Array:
        return y.reshape(batch, length, shape.heads, size).transpose(0, 2, 1, 3)

    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            split(x @ matrix + add)
            for matrix, add in (
                weights.linear(f"{name}.attention.self.{part}")
                for part in ("query", "key", "value")
            )
        )
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(size) + bias
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(batch, length, shape.hidden)
        matrix, add = weights.linear(f"{name}.attention.output.dense")
        x = _norm(
            x + mixed @ matrix + add, *weights.norm(f"{name}.attention.output"), shape.epsilon
        )
        matrix, add = weights.linear(f"{name}.intermediate.dense")
        inner = _gelu(x @ matrix + add)
        matrix, add = weights.linear(f"{name}.output.dense")
        x = _norm(x + inner @ matrix + add, *weights.norm(f"{name}.output"), shape.epsilon)
    return x
