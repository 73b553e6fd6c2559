"""``osler query``: a query of one language written in another."""

from __future__ import annotations

from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    @commands.app.command()
    def query(
        text: Annotated[
            str, typer.Argument(help="The query, of one line or several; - reads standard input.")
        ],
        to: Annotated[str, typer.Option(help="pubmed, ovid, embase or osler.")] = "osler",
        language: Annotated[
            str, typer.Option("--from", help="What it is written in; its marks tell by default.")
        ] = "",
        json: Annotated[bool, typer.Option("--json", help="As JSON, with notes.")] = False,
    ) -> None:
        """Write a query in another language; a broken one is shown with a mark under the place.

        osler query "primary care[ti] AND asthma[mh]" --to ovid
        osler query "exp asthma/ and (wheez$ adj3 child*).ti,ab." --to embase
        osler query - --to pubmed < strategy.txt
        """
        from osler.verbs.query import QueryRequest
        from osler.verbs.query import query as run_query

        if text == "-":
            text = typer.get_text_stream("stdin").read()
        written = run_query(QueryRequest(text=text, to=to, language=language))
        if json:
            show.json_value(written)
            return
        typer.echo(written.text)
        for note in written.notes:
            show.say(note)
