"""``osler summarise`` as a person meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from osler import Document, Library
from osler.cli.commands import Commands
from osler.cli.summarise import register
from osler.errors import ChoiceError, InputError, UnknownId
from osler.kinds import Section

TEXT = (
    "The weather in the valley was mild during most of the observed weeks. "
    "Inhaled hypertonic saline improved mucus clearance in children with cystic fibrosis. "
    "Forms were printed on yellow paper and kept in a locked cabinet upstairs. "
    "Hypertonic saline is a cheap way to improve mucus clearance in cystic fibrosis."
)
PAPER = Document(
    id="p1",
    title="Hypertonic saline and mucus clearance",
    full_text=(Section(TEXT, "Results"),),
)


@pytest.fixture
def app() -> typer.Typer:
    commands = Commands()
    register(commands)
    return commands.joined()


@pytest.fixture
def folder(make_library: Callable[..., Library]) -> Path:
    library = make_library([PAPER, Document(id="empty", title="Nothing")], name="summaries")
    library.close()
    return library.path


def test_sentences_with_their_places(app: typer.Typer, folder: Path) -> None:
    result = CliRunner().invoke(app, ["summarise", str(folder), "p1", "-n", "2"])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert len(lines) == 4
    assert all("saline" in line for line in lines[::2])
    label, place = lines[1].strip().split(", characters ")
    start, end = map(int, place.split("-"))
    assert label == "Results"
    assert TEXT[start:end] == lines[0]


def test_json(app: typer.Typer, folder: Path) -> None:
    result = CliRunner().invoke(app, ["summarise", str(folder), "p1", "--method", "lead", "--json"])
    summary = json.loads(result.stdout)
    assert summary["method"] == "lead"
    assert summary["document"] == "p1"
    first = summary["sentences"][0]
    assert TEXT[first["start"] : first["end"]] == first["text"]


def test_nothing_to_summarise_is_said(app: typer.Typer, folder: Path) -> None:
    result = CliRunner().invoke(app, ["summarise", str(folder), "empty"])
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "no text to summarise" in result.stderr


def test_wrong_ids_and_methods(app: typer.Typer, folder: Path) -> None:
    assert isinstance(
        CliRunner().invoke(app, ["summarise", str(folder), "nope"]).exception, UnknownId
    )
    wrong = CliRunner().invoke(app, ["summarise", str(folder), "p1", "--method", "nope"])
    assert isinstance(wrong.exception, ChoiceError)


def test_training_needs_full_texts(app: typer.Typer, folder: Path) -> None:
    pytest.importorskip("torch")
    result = CliRunner().invoke(app, ["train", "summarise", str(folder)])
    assert isinstance(result.exception, InputError)
    assert "full text" in str(result.exception)
    assert not (folder / "models" / "summarise").exists()
