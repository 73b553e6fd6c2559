"""The command line's root and its groups, to which each verb's file adds its commands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import typer
from typer.models import CommandInfo

from osler import __version__
from osler.cli.helping import App


def _group(help: str) -> typer.Typer:
    return App(help=help)


def _told_version(asked: bool) -> None:
    if asked:
        typer.echo(f"osler {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_told_version, is_eager=True, help="Show the version and leave."
        ),
    ] = False,
) -> None:
    return


def called(info: CommandInfo) -> str:
    """The name that a command is typed by."""
    return info.name or str(getattr(info.callback, "__name__", "")).replace("_", "-")


@dataclass
class Commands:
    """``osler VERB LIB ...`` hangs on ``app``; the rest on a group, so that a library's name never
    collides with a subcommand."""

    app: typer.Typer = field(
        default_factory=lambda: App(
            help="Reads medical literature, records and knowledge graphs; answers with evidence.",
            add_completion=True,
            pretty_exceptions_enable=False,
        )
    )
    train: typer.Typer = field(default_factory=lambda: _group("Train a model."))
    label: typer.Typer = field(default_factory=lambda: _group("Build a training set."))
    judge: typer.Typer = field(default_factory=lambda: _group("Judge results by hand."))
    predict: typer.Typer = field(default_factory=lambda: _group("Predict for a file of inputs."))
    records: typer.Typer = field(default_factory=lambda: _group("Work with patient records."))
    project: typer.Typer = field(default_factory=lambda: _group("Keep a review as a project."))
    recipe: typer.Typer = field(default_factory=lambda: _group("Run a paper's experiment."))

    def names(self) -> set[str]:
        """What the commands of the root are called."""
        return {called(info) for info in self.app.registered_commands}

    def joined(self) -> typer.Typer:
        """The root with every group that has a command."""
        self.app.callback()(_root)
        for name in ("train", "label", "judge", "predict", "records", "project", "recipe"):
            group: typer.Typer = getattr(self, name)
            if group.registered_commands:
                self.app.add_typer(group, name=name)
        # What the group was called before.
        self.app.add_typer(self.project, name="review", hidden=True)
        return self.app
