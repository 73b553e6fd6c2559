"""An image model of the Hugging Face form: a folder with ``config.json`` and safetensors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from osler.errors import FormatError, MissingExtra, MissingModel
from osler.knowledge.images.encoder import Floats, ImageEncoder, pixels
from osler.knowledge.images.encoders.resnet import DEVIATION, MEAN
from osler.learn import needs


class FolderEncoder(ImageEncoder):
    """The model's pooled output, or the mean of what its last layer gives. Nothing in the folder
    is run, and nothing is downloaded."""

    name = "folder"
    help = "a folder with a Hugging Face image model"

    def __init__(self, folder: Path) -> None:
        needs.torch("an image encoder")
        try:
            from transformers import AutoModel
        except ImportError:
            raise MissingExtra("an image encoder", "neural") from None
        if not (folder / "model.safetensors").exists():
            raise MissingModel(
                f"{folder.name} has no model.safetensors", cure="safetensors are the one form read"
            )
        self.size, self.mean, self.deviation = _preparation(folder)
        try:
            self.module = AutoModel.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False, use_safetensors=True
            )
        except (OSError, ValueError, KeyError, RuntimeError):
            raise FormatError(f"{folder.name} holds no image model that can be read") from None
        self.module.eval()
        self.dimension = int(self.encode([_blank(self.size)]).shape[1])

    def encode(self, pictures: Sequence[Any]) -> Floats:
        torch = needs.torch("an image encoder")
        if not pictures:
            return torch.zeros(0, self.dimension).numpy()  # type: ignore[no-any-return]
        with torch.no_grad():
            given = pixels(pictures, self.size, mean=self.mean, deviation=self.deviation)
            out = self.module(pixel_values=torch.from_numpy(given))
            features = getattr(out, "pooler_output", None)
            if features is None:
                last = out.last_hidden_state
                features = last.mean((2, 3)) if last.dim() == 4 else last.mean(1)
        return features.flatten(1).numpy()  # type: ignore[no-any-return]


def _preparation(folder: Path) -> tuple[int, Sequence[float], Sequence[float]]:
    """Size, mean and deviation out of ``preprocessor_config.json``; ImageNet's where it is not."""
    try:
        read = json.loads((folder / "preprocessor_config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return 224, MEAN, DEVIATION
    size = read.get("size", 224)
    if isinstance(size, dict):
        size = size.get("height") or size.get("shortest_edge") or 224
    mean, deviation = read.get("image_mean", MEAN), read.get("image_std", DEVIATION)
    sound = isinstance(size, int) and 16 <= size <= 1024 and len(mean) == len(deviation) == 3
    return (size, mean, deviation) if sound else (224, MEAN, DEVIATION)


def _blank(size: int) -> Any:
    from osler.knowledge.images.picture import pillow

    return pillow().new("RGB", (size, size), (127, 127, 127))
