"""``osler mcp``: the five verbs as tools for assistants."""

from __future__ import annotations

from osler.cli.commands import Commands
from osler.cli.library import Lib


def register(commands: Commands) -> None:
    @commands.app.command()
    def mcp(lib: Lib) -> None:
        """Offer search, rank, grade, match and ask to an assistant, over the Model Context
        Protocol on standard input and output.

        osler mcp LIB
        """
        from osler.serve.mcp import create_server

        create_server(lib).run("stdio")
