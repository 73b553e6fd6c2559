"""A command: ``osler journals LIB``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.plugins import Commands


def register(commands: Commands) -> None:
    @commands.app.command("journals")
    def journals_command(
        lib: Annotated[Path, typer.Argument(help="The library.", metavar="LIB")],
    ) -> None:
        """List the journals with most papers (an example of a plug-in)."""
        from osler import Library
        from osler_example.counting import journals

        with Library.open(lib) as library:
            for name, papers in journals(library.documents()):
                typer.echo(f"{papers:6}  {name}")
