"""ResNet50 (He et al. 2016), the paper's encoder: 2048 numbers a picture, out of weights given.

The module's names are torchvision's, so that its weights file fits as it is. The stride of a block
that shrinks stands at its 3 x 3 convolution, as in torchvision's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from osler.errors import MissingModel
from osler.knowledge.images.encoder import Floats, ImageEncoder, pixels
from osler.knowledge.images.encoders.weights import fill, state_of
from osler.learn import needs

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
LAYERS = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))
SUFFIXES = (".safetensors", ".pth", ".pt")


class ResNet50(ImageEncoder):
    """The pooled features before the classifier."""

    name = "resnet50"
    help = "ResNet50 from a file of weights"
    dimension = 2048

    def __init__(self, place: Path) -> None:
        path = place
        if place.is_dir():
            weight_files = sorted(p for p in place.iterdir() if p.suffix in SUFFIXES)
            if len(weight_files) != 1:
                raise MissingModel(
                    f"{place.name} holds {len(weight_files)} files of weights",
                    cure="one .safetensors, .pth or .pt of a ResNet50 is needed",
                )
            path = weight_files[0]
        self.module = network()
        fill(self.module, state_of(path), name=path.name, spare=("fc.",))
        self.module.eval()

    def encode(self, pictures: Sequence[Any]) -> Floats:
        torch = needs.torch("an image encoder")
        if not pictures:
            return torch.zeros(0, self.dimension).numpy()  # type: ignore[no-any-return]
        with torch.no_grad():
            given = torch.from_numpy(pixels(pictures, 224, mean=MEAN, deviation=DEVIATION))
            return self.module(given).numpy()  # type: ignore[no-any-return]


def network() -> Any:
    """The layers, without weights and without the classifier."""
    torch = needs.torch("an image encoder")
    nn = torch.nn

    class Bottleneck(nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self, inner: int, width: int, stride: int) -> None:
            super().__init__()
            outer = width * 4
            self.conv1 = nn.Conv2d(inner, width, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(width)
            self.conv2 = nn.Conv2d(width, width, 3, stride, padding=1, bias=False)
            self.bn2 = nn.BatchNorm2d(width)
            self.conv3 = nn.Conv2d(width, outer, 1, bias=False)
            self.bn3 = nn.BatchNorm2d(outer)
            self.downsample = None
            if stride != 1 or inner != outer:
                self.downsample = nn.Sequential(
                    nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer)
                )

        def forward(self, given: Any) -> Any:
            hidden = torch.relu(self.bn1(self.conv1(given)))
            hidden = torch.relu(self.bn2(self.conv2(hidden)))
            hidden = self.bn3(self.conv3(hidden))
            kept = given if self.downsample is None else self.downsample(given)
            return torch.relu(hidden + kept)

    class Network(nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.conv1 = nn.Conv2d(3, 64, 7, 2, padding=3, bias=False)
            self.bn1 = nn.BatchNorm2d(64)
            inner = 64
            for number, (width, count, stride) in enumerate(LAYERS, 1):
                blocks = []
                for block in range(count):
                    blocks.append(Bottleneck(inner, width, stride if block == 0 else 1))
                    inner = width * 4
                setattr(self, f"layer{number}", nn.Sequential(*blocks))

        def forward(self, given: Any) -> Any:
            hidden = torch.relu(self.bn1(self.conv1(given)))
            hidden = nn.functional.max_pool2d(hidden, 3, 2, padding=1)
            for number in range(1, len(LAYERS) + 1):
                hidden = getattr(self, f"layer{number}")(hidden)
            return hidden.mean((2, 3))

    return Network()
