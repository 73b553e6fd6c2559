"""``osler serve``: the web page and the REST interface over one library."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    @commands.app.command()
    def serve(
        lib: Annotated[
            Path | None,
            typer.Argument(
                help="The library's folder (see osler -h); none for a replica.", metavar="LIB"
            ),
        ] = None,
        host: Annotated[
            str, typer.Option(help="The address to listen on; another needs a token.")
        ] = "127.0.0.1",
        port: Annotated[int, typer.Option(help="The port; 0 takes a free one.")] = 8642,
        token_file: Annotated[
            Path | None,
            typer.Option(help="A file with the token that clients must show (or OSLER_TOKEN)."),
        ] = None,
        allow_host: Annotated[
            list[str] | None,
            typer.Option(help="A name under which others reach the server; several."),
        ] = None,
        browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = False,
        engine: Annotated[
            str | None, typer.Option(help="milvus: search what a library has put there.")
        ] = None,
        uri: Annotated[
            str | None, typer.Option(help="Where that Milvus is, such as http://host:19530.")
        ] = None,
        collection: Annotated[
            str | None, typer.Option(help="What the library's collections there are called.")
        ] = None,
        snapshot: Annotated[
            Path | None, typer.Option(help="The graph for a replica, from osler snapshot.")
        ] = None,
    ) -> None:
        """Serve the web page and the REST interface of a library, on this machine alone.

        Any number of replicas can serve a library on Milvus, without its folder.

        osler serve LIB --browser
        osler serve --engine milvus --uri http://host:19530 --snapshot FOLDER
        """
        from osler.cli.replicas import served
        from osler.serve.run import read_token
        from osler.serve.run import serve as run

        def started(address: str) -> None:
            show.say(f"the page is at {address}, the REST interface at {address}docs")
            show.say("stop it with Ctrl-C")

        with served(lib, engine, uri, collection, snapshot) as folder:
            run(
                folder,
                host=host,
                port=port,
                token=read_token(token_file, os.environ.get("OSLER_TOKEN")),
                hosts=tuple(allow_host or ()),
                browser=browser,
                started=started,
            )
