from __future__ import annotations

from pathlib import Path

import pytest

from osler.errors import FormatError, InputError
from osler.fetch import SETTINGS
from osler.text.encoder import load_encoder
from osler.text.model_folder import DEFAULT, FILE, Wants, default_name, read_wants, shipped
from osler.things import THINGS


def test_a_folder_without_settings(tmp_path: Path) -> None:
    assert read_wants(tmp_path) == Wants()


@pytest.mark.parametrize(
    "text", ["{", '{"grahp": "m.onnx"}', '{"kind": "magic"}', '{"graph": "../../etc/passwd"}']
)
def test_broken_settings(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(FormatError, match=FILE.replace(".", r"\.")):
        read_wants(tmp_path)


def test_what_is_fetched_says_what_is_read(tmp_path: Path) -> None:
    """The table's settings are those that encoders understand."""
    import json

    assert SETTINGS == FILE
    for thing in THINGS.values():
        if thing.settings is None:
            continue
        (tmp_path / FILE).write_text(json.dumps(dict(thing.settings)))
        wants = read_wants(tmp_path)
        assert wants.graph in thing.members


def test_a_model_of_pairs_is_no_encoder(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"graph": "model.onnx", "kind": "pairs"}')
    with pytest.raises(InputError, match="gives no vectors"):
        load_encoder(tmp_path)


def test_the_default_without_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OSLER_WEIGHTS", str(tmp_path))
    assert shipped("osler-small") is None
    assert default_name() == "minilm"
    (tmp_path / "osler-small").mkdir()
    (tmp_path / "osler-small" / FILE).write_text("{}")
    assert default_name() == "osler-small"
    assert shipped(DEFAULT) is None
    assert shipped("../osler-small") is None
