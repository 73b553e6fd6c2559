"""``osler mcp``: the five verbs as tools for assistants."""

from __future__ import annotations

from osler.cli.commands import Commands
from osler.cli.library import Lib


def register(commands: Commands) -> None:
    @commands.app.command()
    def mcp(lib: Lib) -> None:
        """Offer a library's verbs to an assistant as tools: search, rank, grade, match, ask and
        more, over the Model Context Protocol on standard input and output; nothing is written.

        osler mcp LIB
        """
        from osler.serve.mcp import create_server

        create_server(lib).run("stdio")
