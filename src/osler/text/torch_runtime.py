"""The torch ways to run an encoder: BERT written out, any other kind by transformers."""

from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from osler.errors import FormatError, MissingExtra
from osler.settings import THREADS
from osler.text.bert import Array, BertShape, Weights, read_weights


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise MissingExtra("running this encoder (torch)", "neural") from None
    if THREADS.get():
        torch.set_num_threads(THREADS.get())
    return torch


def has_bfloat16() -> bool:
    """Whether torch is here and the processor multiplies bfloat16 in hardware.

    Without AMX, AVX-512 BF16 or ARM's BF16, bfloat16 is several times slower than float32. The
    kernel's list of flags is asked first, because importing torch takes seconds.
    """
    if find_spec("torch") is None:
        return False
    try:
        flags = set(Path("/proc/cpuinfo").read_text("utf-8", errors="replace").split())
    except OSError:
        import torch

        probes = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
        return any(getattr(torch.cpu, probe, bool)() for probe in probes)
    return bool(flags & {"avx512_bf16", "amx_bf16"}) or ("bf16" in flags and "asimd" in flags)


class TorchRuntime:
    """BERT in torch, written out: bfloat16 where the processor has it, else float32."""

    name = "torch"
    # torch shares the work of one batch among its own threads.
    workers = 1

    def __init__(
        self, folder: Path, shape: BertShape, *, layers: int, bfloat16: bool | None = None
    ) -> None:
        torch = _torch()
        self._torch = torch
        self._shape = shape
        self._layers = layers
        self.bfloat16 = has_bfloat16() if bfloat16 is None else bfloat16
        self.token_budget = 8_192 if self.bfloat16 else 2_048
        dtype = torch.bfloat16 if self.bfloat16 else torch.float32
        weights = Weights(shape, read_weights(folder / "model.safetensors"))

        def tensor(array: Array) -> Any:
            return torch.from_numpy(np.ascontiguousarray(array)).to(dtype)

        def norm(name: str) -> tuple[Any, Any]:
            gamma, beta = weights.norm(name)
            return tensor(gamma), tensor(beta)

        def linear(*names: str) -> tuple[Any, Any]:
            pairs = [weights.linear(name) for name in names]
            matrix = np.concatenate([matrix for matrix, _ in pairs], axis=1)
            bias = np.concatenate([bias for _, bias in pairs])
            # oneDNN's bfloat16 wants (out, in); MKL's float32 is quicker on (in, out).
            return tensor(matrix.T if self.bfloat16 else matrix), tensor(bias)

        self._words = tensor(weights.words())
        self._positions = tensor(weights.positions())
        self._first = norm("embeddings")
        self._blocks = []
        for layer in range(layers):
            name = f"encoder.layer.{layer}"
            own = f"{name}.attention.self"
            self._blocks.append(
                (
                    linear(f"{own}.query", f"{own}.key", f"{own}.value"),
                    linear(f"{name}.attention.output.dense"),
                    norm(f"{name}.attention.output"),
                    linear(f"{name}.intermediate.dense"),
                    linear(f"{name}.output.dense"),
                    norm(f"{name}.output"),
                )
            )

    def _linear(self, x: Any, parameters: tuple[Any, Any]) -> Any:
        matrix, bias = parameters
        if self.bfloat16:
            return self._torch.nn.functional.linear(x, matrix, bias)
        return self._torch.addmm(bias, x, matrix)

    def hidden(self, ids: npt.NDArray[np.int32], mask: npt.NDArray[np.int32]) -> Array:
        """(batch, length, hidden) for right-padded ids; padding never enters a matrix product."""
        torch, shape = self._torch, self._shape
        f = torch.nn.functional
        size, width = shape.heads, shape.hidden
        batch, length = ids.shape
        with torch.inference_mode():
            keep = torch.from_numpy(mask).bool()
            full = bool(keep.all())
            bias = None
            if not full:
                bias = torch.zeros(batch, 1, 1, length, dtype=self._words.dtype)
                bias.masked_fill_(~keep[:, None, None, :], -math.inf)
            x = self._words[torch.from_numpy(ids).long()] + self._positions[:length]
            x = f.layer_norm(x, (width,), *self._first, shape.epsilon).view(-1, width)
            for qkv, out, norm1, inner, outer, norm2 in self._blocks:
                parts = self._linear(x, qkv).view(batch, length, 3, size, width // size)
                query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
                mixed = f.scaled_dot_product_attention(query, key, value, attn_mask=bias)
                mixed = mixed.transpose(1, 2).reshape(-1, width)
                x = f.layer_norm(x + self._linear(mixed, out), (width,), *norm1, shape.epsilon)
                deep = self._linear(f.gelu(self._linear(x, inner)), outer)
                x = f.layer_norm(x + deep, (width,), *norm2, shape.epsilon)
            states: Array = x.view(batch, length, width).float().numpy()
            return states


class TransformersRuntime:
    """Any encoder that transformers knows, from safetensors only and without its own code."""

    name = "torch"
    token_budget = 4_096
    workers = 1

    def __init__(self, folder: Path, *, layers_from_end: int = 0) -> None:
        self._torch = _torch()
        try:
            from safetensors import SafetensorError
            from transformers import AutoModel
        except ImportError:
            raise MissingExtra("running this kind of encoder (transformers)", "neural") from None
        try:
            self._model = AutoModel.from_pretrained(
                str(folder), use_safetensors=True, trust_remote_code=False, local_files_only=True
            )
        except (OSError, ValueError, KeyError, SafetensorError) as problem:
            raise FormatError(
                f"{folder.name} cannot be loaded as an encoder ({type(problem).__name__})",
                cure="give a folder with config.json and model.safetensors",
            ) from None
        self._model.float().eval()
        self._back = layers_from_end

    def hidden(self, ids: npt.NDArray[np.int32], mask: npt.NDArray[np.int32]) -> Array:
        torch = self._torch
        with torch.inference_mode():
            out = self._model(
                input_ids=torch.from_numpy(ids).long(),
                attention_mask=torch.from_numpy(mask).long(),
                output_hidden_states=self._back > 0,
            )
            states = out.hidden_states[-1 - self._back] if self._back else out.last_hidden_state
            result: Array = states.float().numpy()
            return result
