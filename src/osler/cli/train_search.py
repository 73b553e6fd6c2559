"""``osler train search``: weights of the concept search out of judged questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    """Add the command to ``train``."""

    @commands.train.command("search")
    def train_command(
        lib: Annotated[Path, typer.Argument(help="The library whose documents were judged.")],
        queries: Annotated[
            Path | None, typer.Option(help="Queries (JSON lines); the library's own by default.")
        ] = None,
        qrels: Annotated[
            Path | None, typer.Option(help="Judgements of them; the library's own by default.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", help="A folder; in the library by default.")
        ] = None,
        about: Annotated[
            str, typer.Option(help="What the questions are, in a few words, for the card.")
        ] = "judged questions of one library",
        seed: Annotated[int, typer.Option(help="Seed.")] = 0,
    ) -> None:
        """Learn how much each channel of the concept search counts (LambdaRank)."""
        from osler.cli.show import say
        from osler.errors import InputError
        from osler.library import Library
        from osler.measures.trec import read_qrels, read_queries
        from osler.search.training import train_search
        from osler.verbs.search import MODEL

        if (queries is None) != (qrels is None):
            raise InputError("queries and their judgements come together: --queries, --qrels")
        with Library.open(lib) as library:
            asked = read_queries(queries) if queries else library.decisions.queries()
            judged = read_qrels(qrels) if qrels else library.decisions.judgements()
            weights, card = train_search(
                library.searcher,
                asked,
                judged,
                data=about,
                seed=seed,
                progress=lambda done, total: (
                    say(f"searched {done} of {total} questions")
                    if done % 200 == 0 or done == total
                    else None
                ),
            )
            folder = weights.save(out or library.models.place(MODEL), card)
        for measured in card.measures:
            typer.echo(f"{measured.name}  {measured.value:.4f}  ({measured.on})")
        if not card.taken:
            typer.echo(f"it will not be used: {card.verdict}")
        typer.echo(f"written to {folder}")
