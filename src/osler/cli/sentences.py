"""``osler sentences``: the most relevant sentence of papers, for a topic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.options import WithoutModel, method_help
from osler.cli.rank import Examples


def register(commands: Commands) -> None:
    @commands.app.command()
    def sentences(
        lib: Lib,
        topic: Annotated[str, typer.Argument(help="The topic in a few words.")],
        ids: Annotated[
            list[str] | None, typer.Argument(help="Papers; without any, the best of a search.")
        ] = None,
        examples: Examples = None,
        method: Annotated[
            str | None,
            typer.Option(help=method_help("sentences")),
        ] = None,
        model: Annotated[Path | None, typer.Option(help="A trained model's folder.")] = None,
        k: Annotated[int, typer.Option("-k", help="How many papers, without ids.")] = 10,
        json: Annotated[bool, typer.Option("--json", help="JSON lines.")] = False,
        without_model: WithoutModel = False,
    ) -> None:
        """Show the sentence of each paper that is most relevant to a topic, or that none is.

        osler sentences LIB "sustained threat" 21950094 14998902
        """
        from osler.library import Library
        from osler.rank.labels import read_labels
        from osler.rank.models import SENTENCES, load_sentence_ranker
        from osler.verbs import rank as verb

        request = verb.RankRequest(
            topic=topic,
            examples=tuple(read_labels(examples)) if examples is not None else None,
            k=k,
            sentences=load_sentence_ranker(model / SENTENCES) if model is not None else method,
            without_model=without_model,
        )
        with Library.open(lib) as library:
            listed = verb.sentences(library, request, ids or ())
        if json:
            show.json_lines(
                {
                    "id": one.id,
                    "topic": topic,
                    "sentence": one.sentence,
                    "start": one.start,
                    "end": one.end,
                    "score": one.score,
                }
                for one in listed
            )
            return
        show.table(
            ("id", "score", "sentence"),
            [
                (
                    one.id,
                    f"{one.score:.3f}" if one.score is not None else "",
                    one.sentence or "no sentence is relevant",
                )
                for one in listed
            ],
            right=("score",),
        )
