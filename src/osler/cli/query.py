"""``osler query``: a query of one language written in another."""

from __future__ import annotations

from typing import Annotated

import typer

from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    @commands.app.command()
    def query(
        text: Annotated[str, typer.Argument(help="The query, in PubMed's language or Osler's.")],
        to: Annotated[str, typer.Option(help="pubmed or osler.")] = "osler",
    ) -> None:
        """Write a query in another language; a broken one is shown with a mark under the place.

        osler query "primary care[ti] AND asthma[mh]" --to osler
        """
        from osler.verbs.query import QueryRequest
        from osler.verbs.query import query as run_query

        typer.echo(run_query(QueryRequest(text=text, to=to)).text)
