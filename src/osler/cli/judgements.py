"""``osler judge search``: keep judgements in the library, so that search gets better by them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.errors import InputError


def register(commands: Commands) -> None:
    @commands.judge.command("search")
    def judge_search(
        lib: Lib,
        qrels: Annotated[Path, typer.Argument(help="Judgements: query iteration document grade.")],
        queries: Annotated[
            Path | None, typer.Option(help="The queries' texts, as JSON lines.")
        ] = None,
        remove: Annotated[
            bool,
            typer.Option("--remove", help="Take the file's judgements back, whatever their grade."),
        ] = False,
    ) -> None:
        """Keep judged queries: similar questions then profit from them. Or take them back."""
        from osler.library import Library
        from osler.measures.trec import read_qrels, read_queries

        judged = read_qrels(qrels)
        if remove:
            with Library.open(lib) as library:
                held = library.decisions.judgements(judged)
                gone = {
                    id: dict.fromkeys(ids & held[id].keys())
                    for id, ids in ((id, grades.keys()) for id, grades in judged.items())
                    if id in held
                }
                library.judge(gone)
            show.say(f"{sum(map(len, gone.values())):,} judgements taken back")
            return
        if queries is None:
            raise InputError(
                "judgements are kept with their queries' texts", cure="give --queries FILE"
            )
        texts = read_queries(queries)
        kept = {id: text for id, text in texts.items() if id in judged}
        with Library.open(lib) as library:
            library.judge({id: judged[id] for id in kept}, kept)
        left = len(judged) - len(kept)
        show.say(
            f"{len(kept):,} queries with {sum(len(judged[id]) for id in kept):,} judgements kept"
            + (f"; {left:,} have no text in {queries.name}" if left else "")
        )
