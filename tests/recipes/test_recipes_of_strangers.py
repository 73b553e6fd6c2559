"""A recipe is an entry point: a stranger's runs as the papers' do; none says how to get some."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

import osler.registry
from osler.cli.main import build
from osler.errors import ChoiceError, InputError
from osler.recipes import load, names, run

YAML = (
    "{name: dice, title: Dice, what: throws, steps: [throw], expected: ["
    "{name: pips, value: 4, source: thrown before}]}"
)


@pytest.fixture
def dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "casino"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "dice.yaml").write_text(YAML)
    (package / "throw.py").write_text(
        "def run(data, out, *, progress, throws=1):\n    return {'pips': 4.0 * throws}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("dice", "casino.throw", "osler.recipes")
    monkeypatch.setattr(osler.registry, "entry_points", lambda group: [point])
    yield
    for name in [name for name in sys.modules if name.startswith("casino")]:
        del sys.modules[name]


def test_a_stranger_brings_a_recipe(dice: None, tmp_path: Path) -> None:
    assert names() == ["dice"]
    assert load("dice").title == "Dice"
    outcome = run("dice", tmp_path, tmp_path / "out")
    assert outcome.within
    assert outcome.got == {"pips": 4.0}


def test_settings_reach_the_recipe(dice: None, tmp_path: Path) -> None:
    outcome = run("dice", tmp_path, tmp_path / "out", settings=["throws=3"])
    assert outcome.got == {"pips": 12.0}
    assert not outcome.within
    with pytest.raises(InputError, match="nothing here takes 'sides'"):
        run("dice", tmp_path, tmp_path / "out", settings=["sides=6"])
    words = ["recipe", "run", "dice", "--data", str(tmp_path), "--out", str(tmp_path / "out")]
    told = CliRunner().invoke(build(), [*words, "--set", "throws=3"])
    assert told.exit_code == 1
    assert "12.0000" in told.output


def test_without_recipes_the_command_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(osler.registry, "entry_points", lambda group: [])
    monkeypatch.setattr(osler.registry, "find_spec", lambda name: None)
    assert names() == []
    with pytest.raises(ChoiceError, match="pip install osler-papers"):
        load("nfcorpus")
    told = CliRunner().invoke(build(), ["recipe", "list"])
    assert "pip install osler-papers" in told.output
