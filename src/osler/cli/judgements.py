"""``osler judge search``: keep judgements in the library, so that search gets better by them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib


def register(commands: Commands) -> None:
    @commands.judge.command("search")
    def judge_search(
        lib: Lib,
        qrels: Annotated[Path, typer.Argument(help="Judgements: query iteration document grade.")],
        queries: Annotated[Path, typer.Option(help="The queries' texts, as JSON lines.")],
    ) -> None:
        """Keep judged queries: similar questions then profit from them."""
        from osler.library import Library
        from osler.measures.trec import read_qrels, read_queries

        judged, texts = read_qrels(qrels), read_queries(queries)
        kept = {id: text for id, text in texts.items() if id in judged}
        with Library.open(lib) as library:
            library.judge({id: judged[id] for id in kept}, kept)
        left = len(judged) - len(kept)
        show.say(
            f"{len(kept):,} queries with {sum(len(judged[id]) for id in kept):,} judgements kept"
            + (f"; {left:,} have no text in {queries.name}" if left else "")
        )
