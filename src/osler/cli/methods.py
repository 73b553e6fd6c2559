"""``osler methods``: what can be chosen, built in or from another package."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from osler.cli import show
from osler.cli.commands import Commands


def registries() -> dict[str, Any]:
    """The registry of each verb's methods."""
    from osler.ask.answerer import answerers
    from osler.grade.grader import graders
    from osler.match.matcher import matchers
    from osler.rank.ranker import rankers as topic_rankers
    from osler.rank.sentence_ranker import sentence_rankers
    from osler.search.ranker import rankers

    return {
        "search": rankers,
        "rank": topic_rankers,
        "sentences": sentence_rankers,
        "grade": graders,
        "match": matchers,
        "ask": answerers,
    }


def register(commands: Commands) -> None:
    @commands.app.command()
    def methods(
        verb: Annotated[
            str | None, typer.Argument(help="search, rank, sentences, grade, match or ask.")
        ] = None,
        json: Annotated[bool, typer.Option("--json", help="As JSON lines.")] = False,
    ) -> None:
        """List the methods of each verb: what --method takes."""
        from osler.errors import ChoiceError

        known = registries()
        if verb is not None and verb not in known:
            raise ChoiceError("verb with methods", verb, known)
        rows = [
            (name, method, str(getattr(kind, "help", "")))
            for name, registry in known.items()
            if verb in (None, name)
            for method, kind in registry
        ]
        if json:
            show.json_lines(
                {"verb": name, "method": method, "help": help} for name, method, help in rows
            )
            return
        show.table(("verb", "method", "what it is"), rows)
