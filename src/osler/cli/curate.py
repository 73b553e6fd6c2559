"""``osler curate``: accept, reject or leave open a fact in a paper."""

from __future__ import annotations

from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib


def register(commands: Commands) -> None:
    @commands.app.command()
    def curate(
        lib: Lib,
        head: Annotated[str | None, typer.Argument(help="The fact's head.")] = None,
        relation: Annotated[str | None, typer.Argument(help="Its relation.")] = None,
        tail: Annotated[str | None, typer.Argument(help="Its tail.")] = None,
        paper: Annotated[str | None, typer.Option(help="The paper's id.")] = None,
        said: Annotated[str | None, typer.Option(help="accept, reject or unsure.")] = None,
        by: Annotated[str | None, typer.Option(help="Who decides.")] = None,
        json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
    ) -> None:
        """Keep a decision on a fact in a paper, with name and date; without a fact, list them.

        osler curate LIB metformin treats "type 2 diabetes" --paper 34091026 --said accept --by AB
        osler curate LIB
        """
        from osler.errors import InputError
        from osler.library import Library
        from osler.verbs import curate as verb

        with Library.open(lib) as library:
            if head is None:
                kept = verb.decisions(library)
            elif relation and tail and paper and said and by:
                request = verb.CurateRequest(
                    head=head, relation=relation, tail=tail, paper=paper, said=said, by=by
                )
                kept = [verb.curate(library, request)]
            else:
                raise InputError(
                    "a decision names a fact, a paper, what is said, and who says it",
                    cure="osler curate LIB HEAD RELATION TAIL --paper ID --said accept --by NAME",
                )
        if json:
            show.json_lines(kept)
            return
        columns = ("said", "by", "on", "head", "relation", "tail", "paper")
        rows = [[getattr(one, name) for name in columns] for one in kept]
        show.table(columns, rows)
