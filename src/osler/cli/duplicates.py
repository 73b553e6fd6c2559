"""``osler duplicates``: records that are probably the same paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.text.counted import counted


def register(commands: Commands) -> None:
    @commands.app.command()
    def duplicates(
        lib: Lib,
        out: Annotated[
            Path | None, typer.Option(help="Where to write group, id and probability (CSV).")
        ] = None,
        not_duplicates: Annotated[
            tuple[str, str] | None,
            typer.Option("--not", help="Two ids that are two papers, whatever they look like."),
        ] = None,
        again: Annotated[
            tuple[str, str] | None, typer.Option("--again", help="Take such a --not back.")
        ] = None,
        json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    ) -> None:
        """List records that are probably the same paper, in groups. Nothing is merged.

        osler duplicates LIB --out duplicates.csv
        osler duplicates LIB --not 33332149 33332150
        """
        from osler.files.spreadsheet import csv_rows
        from osler.library import Library

        with Library.open(lib) as library:
            for pair, apart in ((not_duplicates, True), (again, False)):
                if pair:
                    library.set_apart(*pair, apart=apart)
            listed = library.duplicates()
        rows = [(one.group, one.id, f"{one.probability:.4f}") for one in listed.records]
        columns = ["group", "id", "probability"]
        if out is not None:
            out.write_text(csv_rows([columns, *rows]), encoding="utf-8", newline="")
        elif json:
            show.json_value(listed)
        else:
            show.table(columns, [tuple(map(str, row)) for row in rows], right=["group"])
        count = len({one.group for one in listed.records})
        show.say(
            f"{counted(len(rows), 'record')} in {counted(count, 'group')}; "
            f"{counted(listed.set_apart, 'pair')} set apart"
        )
