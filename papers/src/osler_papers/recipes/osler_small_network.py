"""The BERT that osler-small is taught in, in torch: a teacher's layers, some of them left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from osler.learn.needs import torch as need_torch

_PARTS = (
    ("out", "attention.output.dense"),
    ("norm1", "attention.output.LayerNorm"),
    ("inner", "intermediate.dense"),
    ("outer", "output.dense"),
    ("norm2", "output.LayerNorm"),
)
_THIRDS = ("query", "key", "value")


def network(weights: dict[str, Any], keep: Sequence[int], *, heads: int) -> Any:
    """The layers ``keep`` of a model, by its tensors under Hugging Face's names."""
    torch = need_torch("teaching an encoder")
    nn = torch.nn
    hidden = weights["embeddings.LayerNorm.weight"].shape[0]

    class Layer(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, number: int) -> None:
            super().__init__()
            prefix = f"encoder.layer.{number}."
            width = weights[f"{prefix}intermediate.dense.weight"].shape[0]
            self.joint = nn.Linear(hidden, 3 * hidden)
            self.out, self.inner = nn.Linear(hidden, hidden), nn.Linear(hidden, width)
            self.outer = nn.Linear(width, hidden)
            self.norm1 = nn.LayerNorm(hidden, eps=1e-12)
            self.norm2 = nn.LayerNorm(hidden, eps=1e-12)
            for kind in ("weight", "bias"):
                thirds = [weights[f"{prefix}attention.self.{part}.{kind}"] for part in _THIRDS]
                getattr(self.joint, kind).data = torch.cat(thirds).clone()
                for own, theirs in _PARTS:
                    getattr(getattr(self, own), kind).data = weights[
                        f"{prefix}{theirs}.{kind}"
                    ].clone()

        def forward(self, x: Any, bias: Any) -> Any:
            batch, length, size = x.shape
            parts = self.joint(x).view(batch, length, 3, heads, size // heads)
            query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
            mixed = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
            x = self.norm1(x + self.out(mixed.transpose(1, 2).reshape(batch, length, size)))
            return self.norm2(x + self.outer(nn.functional.gelu(self.inner(x))))

    class Bert(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            words = weights["embeddings.word_embeddings.weight"]
            self.words = nn.Embedding.from_pretrained(words.clone())
            segment = weights["embeddings.token_type_embeddings.weight"][0]
            places = weights["embeddings.position_embeddings.weight"] + segment
            self.register_buffer("places", places.clone())
            self.norm = nn.LayerNorm(hidden, eps=1e-12)
            self.norm.weight.data = weights["embeddings.LayerNorm.weight"].clone()
            self.norm.bias.data = weights["embeddings.LayerNorm.bias"].clone()
            self.layers = nn.ModuleList(Layer(number) for number in keep)

        def embed(self, ids: Any) -> Any:
            return self.norm(self.words(ids) + self.places[: ids.shape[1]])

        def forward(self, ids: Any, bias: Any) -> list[Any]:
            """The states after each layer."""
            x, states = self.embed(ids), []
            for layer in self.layers:
                x = layer(x, bias)
                states.append(x)
            return states

    return Bert()


def tensors_of(layers: Any, first: int = 0) -> dict[str, Any]:
    """Taught layers back under Hugging Face's names, counted from ``first``."""
    tensors: dict[str, Any] = {}
    for number, layer in enumerate(layers, first):
        prefix = f"encoder.layer.{number}."
        for kind in ("weight", "bias"):
            joint = getattr(layer.joint, kind).detach().chunk(3)
            for part, tensor in zip(_THIRDS, joint, strict=True):
                tensors[f"{prefix}attention.self.{part}.{kind}"] = tensor.contiguous().clone()
            for own, theirs in _PARTS:
                tensor = getattr(getattr(layer, own), kind).detach()
                tensors[f"{prefix}{theirs}.{kind}"] = tensor.clone()
    return tensors
