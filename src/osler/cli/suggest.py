"""``osler suggest``: facts that the graph does not hold and that a curator may look at next."""

from __future__ import annotations

from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib


def register(commands: Commands) -> None:
    @commands.app.command()
    def suggest(
        lib: Lib,
        head: Annotated[str, typer.Argument(help="An entity: a name or id.")],
        relation: Annotated[str, typer.Argument(help="A relation of the graph.")],
        k: Annotated[int, typer.Option("-k", min=1, max=100, help="How many.")] = 10,
        json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
    ) -> None:
        """Rank facts that the graph does not hold and that look like those it holds, with reasons.

        osler suggest LIB metformin treats -k 10
        """
        from osler.library import Library
        from osler.verbs.suggest import SuggestRequest
        from osler.verbs.suggest import suggest as verb

        with Library.open(lib) as library:
            answer = verb(library, SuggestRequest(head=head, relation=relation, k=k))
        if json:
            show.json_lines(answer.suggestions)
            return
        for note in answer.notes:
            show.say(note)
        show.table(
            ("score", "tail", "papers", "reasons"),
            [
                [
                    f"{one.score:.3f}",
                    f"{one.tail_name} ({one.tail})",
                    str(one.co_mentions),
                    "; ".join(reason.what for reason in one.reasons[:3]),
                ]
                for one in answer.suggestions
            ],
        )
