"""``osler remove | erase``: taking out for good."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import NamedLib

if TYPE_CHECKING:
    from osler.store.removal import RecordsErased


def register(commands: Commands) -> None:
    app = commands.app

    @app.command()
    def remove(
        lib: NamedLib,
        ids: Annotated[list[str] | None, typer.Argument(help="Ids, PMIDs or DOIs.")] = None,
        patient: Annotated[
            list[str] | None,
            typer.Option(help="A patient by id: all records, for good. Repeatable."),
        ] = None,
        source: Annotated[
            list[str] | None,
            typer.Option(help="A source of patient records by name, for good. Repeatable."),
        ] = None,
    ) -> None:
        """Take documents out and erase what is left of them, or patients' records for good.

        An old file does not bring documents back. Of a patient nothing stays that could: a file
        that is read again does.

        osler remove papers 34091026 33428585
        osler remove ward --patient pt-7A
        """
        from osler.errors import InputError
        from osler.library import Library

        if not (ids or patient or source):
            raise InputError("remove takes ids of documents, --patient or --source")
        if ids:
            _erase(lib, ids)
        with Library.open(lib) as library:
            for id in patient or ():
                _told_erased(library.erase_records(patient=id))
            for name in source or ():
                _told_erased(library.erase_records(source=name))

    @app.command()
    def erase(lib: NamedLib) -> None:
        """Clear away what removed and replaced documents have left in indexes, vectors and freed
        pages; remove does it by itself for what it takes out.

        osler erase papers
        """
        _erase(lib, [])


def _told_erased(done: RecordsErased) -> None:
    show.say(str(done))
    for note in done.notes:
        show.say(note)


def _erase(lib: Path, ids: list[str]) -> None:
    from osler.library import Library

    with Library.open(lib) as library:
        done = library.erase(ids)
    show.say(str(done))
    for note in done.notes:
        show.say(note)
