import json
from pathlib import Path

import numpy as np
import pytest

from osler.errors import DamageError, MissingModel, StorageError, VersionError
from osler.learn.card import Card, Measured, data_hash, versions
from osler.learn.saved import load_card, load_model, save_model

CARD = Card(
    name="a | model",
    what="Ranks\npapers <b>",
    data_hash=data_hash(["a", "b"]),
    seed=3,
    measures=(Measured("mAP", 0.5, 0.4, 0.6, "15 splits"), Measured("f1", float("nan"))),
    versions=versions(),
    known_failures=("Chinese text",),
)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def tensors(value=1.0):
    return {"w": np.full((2, 3), value, dtype=np.float32).T, "n": np.arange(4)}


def test_round_trip(tmp_path):
    save_model(tmp_path / "m", tensors(), {"hidden": 50, "names": ["a"]}, CARD)
    got, config = load_model(tmp_path / "m", framework="numpy")
    assert config == {"hidden": 50, "names": ["a"]}
    assert got["w"].shape == (3, 2)
    assert got["w"].dtype == np.float32
    assert got["n"].tolist() == [0, 1, 2, 3]
    assert names(tmp_path / "m") == ["card.md", "config.json", "model.safetensors"]
    assert load_card(tmp_path / "m").measures[0] == CARD.measures[0]


def test_torch_state_dict_round_trip(tmp_path):
    torch = pytest.importorskip("torch")
    module = torch.nn.Linear(2, 2)
    save_model(tmp_path / "m", module.state_dict(), {}, CARD)
    other = torch.nn.Linear(2, 2)
    other.load_state_dict(load_model(tmp_path / "m")[0])
    assert torch.equal(module.weight, other.weight)


def test_saving_again_replaces_and_leaves_nothing_behind(tmp_path):
    save_model(tmp_path / "m", tensors(1.0), {}, CARD)
    save_model(tmp_path / "m", tensors(2.0), {}, CARD)
    assert load_model(tmp_path / "m", framework="numpy")[0]["w"][0, 0] == 2.0
    assert names(tmp_path) == ["m"]


@pytest.mark.parametrize("failing", [1, 2])
def test_a_kill_at_either_rename_leaves_a_whole_model(tmp_path, monkeypatch, failing):
    save_model(tmp_path / "m", tensors(1.0), {}, CARD)
    rename, calls = Path.rename, []

    def killed(self, target):
        calls.append(target)
        if len(calls) == failing:
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(KeyboardInterrupt):
        save_model(tmp_path / "m", tensors(2.0), {}, CARD)
    monkeypatch.undo()
    assert load_model(tmp_path / "m", framework="numpy")[0]["w"][0, 0] == 1.0
    save_model(tmp_path / "m", tensors(3.0), {}, CARD)
    assert load_model(tmp_path / "m", framework="numpy")[0]["w"][0, 0] == 3.0
    assert names(tmp_path) == ["m"]


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_damage_is_reported(tmp_path, name):
    save_model(tmp_path / "m", tensors(), {"a": 1}, CARD)
    path = tmp_path / "m" / name
    data = path.read_bytes()
    for cut in (0, 1, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:cut])
        with pytest.raises(DamageError):
            load_model(tmp_path / "m", framework="numpy")
    if name == "model.safetensors":
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        with pytest.raises(DamageError, match="SHA-256"):
            load_model(tmp_path / "m", framework="numpy")
        path.unlink()
        with pytest.raises(DamageError):
            load_model(tmp_path / "m", framework="numpy")


def test_missing_newer_and_unwritable(tmp_path):
    with pytest.raises(MissingModel, match="osler train"):
        load_model(tmp_path / "none")
    save_model(tmp_path / "m", tensors(), {}, CARD)
    config = json.loads((tmp_path / "m" / "config.json").read_text())
    config["format"] = 99
    (tmp_path / "m" / "config.json").write_text(json.dumps(config))
    with pytest.raises(VersionError):
        load_model(tmp_path / "m")
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        save_model(tmp_path / "file" / "m", tensors(), {}, CARD)


def test_card_is_markdown_that_data_cannot_break():
    text = CARD.markdown()
    assert text.startswith("# a \\| model\n\nRanks papers &lt;b>\n")
    assert "| mAP | 0.500 | 0.400 to 0.600 | 15 splits |" in text
    assert "| f1 | not defined |" in text
    assert "- Chinese text" in text
    assert "- numpy: " in text
    assert "unmeasured" in Card(name="x", what="y").markdown()


def test_data_hash_keeps_texts_apart():
    assert data_hash(["ab", "c"]) != data_hash(["a", "bc"])
    assert data_hash(["a"]) == data_hash(iter(["a"]))
    assert data_hash(["\ud800"])
