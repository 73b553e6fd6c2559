"""One command without making all of them, and values without asking pydantic."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
import typer
import typer.main
from typer.testing import CliRunner

from osler.cli import main
from osler.cli.commands import Commands, called
from osler.cli.helping import App

WHOLE = main.build()
ROOT = typer.main.get_command(WHOLE)
ALONE = [
    name
    for name, command in ROOT.commands.items()
    if getattr(command, "commands", None) is None
    and command.callback.__module__.startswith("osler.cli.")
]


def test_most_commands_are_made_alone():
    assert len(ALONE) > 35
    assert {"search", "add", "paths", "images", "searches", "evaluate-graph"} <= set(ALONE)


@pytest.mark.parametrize("name", ALONE)
def test_a_command_alone_is_the_command(name):
    app = main.alone(name)
    assert app is not None
    only = typer.main.get_command(app).commands[name]
    whole = ROOT.commands[name]
    assert only.callback.__module__ == whole.callback.__module__
    assert [(p.name, p.opts, p.default) for p in only.params] == [
        (p.name, p.opts, p.default) for p in whole.params
    ]
    asked = [name, "--help"]
    by_itself = CliRunner().invoke(app, asked, prog_name="osler")
    with_all = CliRunner().invoke(WHOLE, asked, prog_name="osler")
    assert by_itself.output == with_all.output
    assert by_itself.exit_code == with_all.exit_code == 0


@pytest.mark.parametrize("name", ["project", "records", "train", "nothing", "main", "show.x", ""])
def test_groups_and_strangers_need_all_commands(name):
    assert main.alone(name) is None


def test_completing_needs_all_commands(monkeypatch):
    assert len(main.asked_for(["search", "lib"]).registered_commands) == 1
    monkeypatch.setenv("_OSLER_COMPLETE", "complete_bash")
    assert len(main.asked_for(["search", "lib"]).registered_commands) > 35
    monkeypatch.delenv("_OSLER_COMPLETE")
    assert len(main.asked_for([]).registered_commands) > 35


def test_another_package_takes_no_name_of_ours(monkeypatch, caplog):
    def theirs() -> None:
        """Another."""

    class Point:
        module = "elsewhere"

        def load(self):
            def register(commands: Commands) -> None:
                commands.app.command("search")(theirs)
                commands.app.command("fresh")(theirs)

            return register

    monkeypatch.setattr(main, "strangers", lambda group: {"elsewhere": Point()})
    commands = Commands()
    commands.app.command("search")(lambda: None)
    main.add_strangers(commands)
    assert [called(info) for info in commands.app.registered_commands] == ["search", "fresh"]
    assert commands.app.registered_commands[0].callback is not theirs
    assert "search is ours" in caplog.text


def test_a_search_loads_no_pydantic_and_no_readers(tmp_path, monkeypatch):
    code = (
        "import sys; from osler.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([n for n in ('pydantic', 'osler.corpus.pdf', 'osler.verbs.export') "
        "if n in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, "search", str(tmp_path), "asthma", "--method", "words"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.splitlines()[-1] == "[]", told.stderr


@pytest.fixture
def taking():
    app = App()
    taken: list[object] = []

    @app.callback()
    def root() -> None:
        """Takes."""

    @app.command()
    def take(
        text: str,
        place: Annotated[Path, typer.Option()] = Path("x"),
        k: Annotated[int, typer.Option()] = 3,
        least: Annotated[int, typer.Option(min=2)] = 5,
        several: Annotated[list[str] | None, typer.Option()] = None,
        known: Annotated[Path | None, typer.Option(exists=True)] = None,
        on: bool = False,
    ) -> None:
        """Take it."""
        taken[:] = [text, place, k, least, several, known, on]

    def run(*args: str) -> tuple[int, list[object], str]:
        taken.clear()
        ended = CliRunner().invoke(app, ["take", *args])
        return ended.exit_code, list(taken), ended.output

    return run


def test_values_become_what_they_are_asked_to_be(taking, tmp_path):
    assert taking("a")[1] == ["a", Path("x"), 3, 5, None, None, False]
    here = str(tmp_path)
    given = taking("é 中", "--place", here, "--k", "7", "--several", "u", "--several", "v", "--on")
    assert given[1] == ["é 中", tmp_path, 7, 5, ["u", "v"], None, True]
    assert taking("a", "--known", here)[1][5] == tmp_path


def test_what_cannot_be_is_refused_as_before(taking, tmp_path):
    for wrong, told in (
        (("a", "--k", "seven"), "valid integer"),
        (("a", "--least", "1"), "--least"),
        (("a", "--known", str(tmp_path / "gone")), "does not exist"),
        ((), "TEXT"),
    ):
        code, taken, output = taking(*wrong)
        assert code == 2
        assert not taken
        assert told in output
