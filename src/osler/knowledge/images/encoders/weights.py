"""Tensors out of a file, and nothing else: safetensors, or torch's own format without objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from osler.errors import FormatError, MissingModel
from osler.learn import needs


def state_of(path: Path) -> dict[str, Any]:
    """Named tensors. A ``.pth`` is read by torch's restricted reader, which refuses all but
    tensors and plain containers: a file that carries code is an error, never run."""
    torch = needs.torch("an image encoder")
    if not path.is_file():
        raise MissingModel(f"there are no weights at {path}", cure="check the path")
    try:
        if path.suffix == ".safetensors":
            from safetensors.torch import load_file

            state = load_file(str(path))
        else:
            state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:
        raise FormatError(
            f"{path.name} holds no weights that can be read safely",
            cure="give safetensors, or a state_dict that torch saved",
        ) from None
    if isinstance(state, dict) and isinstance(state.get("state_dict"), dict):
        state = state["state_dict"]
    if not isinstance(state, dict) or not all(
        isinstance(name, str) and isinstance(value, torch.Tensor) for name, value in state.items()
    ):
        raise FormatError(f"{path.name} is no state_dict: named tensors and nothing else")
    return state


def fill(module: Any, state: dict[str, Any], *, name: str, spare: tuple[str, ...] = ()) -> None:
    """Load a state into a module; what is missing, or of another shape, is an error. ``spare``
    begins the names that may be left over (a classifier that features do not need)."""
    kept = {key: value for key, value in state.items() if not key.startswith(spare or ("\0",))}
    try:
        missing, unexpected = module.load_state_dict(kept, strict=False)
    except RuntimeError:
        raise FormatError(f"the weights in {name} are of another shape") from None
    missing = [key for key in missing if not key.endswith("num_batches_tracked")]
    if missing or unexpected:
        first = (missing or unexpected)[0]
        raise FormatError(
            f"the weights in {name} are not this model's: {len(missing)} are missing, "
            f"{len(unexpected)} are unknown ({first[:60]})"
        )
