"""Encoders of pictures: by name, from a folder, and never through pickled code."""

from __future__ import annotations

import numpy as np
import pytest

from osler.errors import ChoiceError, FormatError, MissingModel, NeedsError
from osler.knowledge.images import image_encoders, load_image_encoder

torch = pytest.importorskip("torch")
Image = pytest.importorskip("PIL.Image")


def pictures(count: int = 2) -> list:
    rng = np.random.default_rng(0)
    return [Image.fromarray(rng.integers(0, 255, (30, 40, 3), np.uint8)) for _ in range(count)]


def test_every_named_encoder_has_its_form():
    for name, _ in image_encoders:
        try:
            made = load_image_encoder(name)
        except NeedsError:
            continue
        given = pictures(3)
        found = made.encode(given)
        assert found.shape == (3, made.dimension)
        assert found.dtype == np.float32
        # One at a time gives what all at once give.
        assert np.allclose(found[1], made.encode([given[1]])[0], atol=1e-4)
        assert made.encode([]).shape == (0, made.dimension)


def test_an_unknown_name_lists_the_choices():
    with pytest.raises(ChoiceError, match="efficientnet-lite0"):
        load_image_encoder("efficientnet")


@pytest.mark.parametrize("form", ["pth", "safetensors"])
def test_resnet50_takes_weights_under_torchvisions_names(tmp_path, form):
    from osler.knowledge.images.encoders.resnet import network

    torch.manual_seed(0)
    state = network().state_dict()
    # Names that the published file has, its classifier included.
    assert "layer1.0.downsample.0.weight" in state
    assert state["layer4.2.conv3.weight"].shape == (2048, 512, 1, 1)
    state = {**state, "fc.weight": torch.zeros(10, 2048), "fc.bias": torch.zeros(10)}
    path = tmp_path / f"resnet50.{form}"
    if form == "pth":
        torch.save(state, path)
    else:
        from safetensors.torch import save_file

        save_file(state, str(path))
    made = load_image_encoder(tmp_path)
    assert made.encode(pictures(1)).shape == (1, 2048)


def test_weights_of_another_model_are_refused(tmp_path):
    torch.save({"weight": torch.zeros(3)}, tmp_path / "other.pth")
    with pytest.raises(FormatError, match="not this model's"):
        load_image_encoder(tmp_path)
    with pytest.raises(MissingModel, match="0 files"):
        load_image_encoder((tmp_path / "none").mkdir() or tmp_path / "none")


def test_a_file_that_carries_code_is_refused_and_not_run(tmp_path):
    import pickle

    canary = tmp_path / "canary"

    class Evil:
        def __reduce__(self):
            return (open, (str(canary), "w"))

    (tmp_path / "evil.pth").write_bytes(pickle.dumps({"weight": Evil()}))
    with pytest.raises(FormatError, match="safely"):
        load_image_encoder(tmp_path / "evil.pth")
    torch.save({"weight": Evil()}, tmp_path / "evil2.pth")
    with pytest.raises(FormatError, match="safely"):
        load_image_encoder(tmp_path / "evil2.pth")
    assert not canary.exists()


def test_a_hugging_face_folder_is_read(tmp_path):
    transformers = pytest.importorskip("transformers")
    config = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic"
    )
    transformers.ResNetModel(config).save_pretrained(tmp_path)
    (tmp_path / "preprocessor_config.json").write_text('{"size": {"shortest_edge": 32}}')
    made = load_image_encoder(tmp_path)
    assert made.encode(pictures(2)).shape == (2, 16)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(MissingModel, match=r"model\.safetensors"):
        load_image_encoder(tmp_path)
