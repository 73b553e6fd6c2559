"""``osler records``: question sets over a library's records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    @commands.records.command("qa")
    def question_answers(
        lib: Annotated[Path, typer.Argument(help="The library.", metavar="LIB")],
        out: Annotated[Path, typer.Option(help="The folder to write to.")],
        seed: Annotated[int, typer.Option(help="Seed.")] = 0,
        scale: Annotated[float, typer.Option(help="1 is the paper's number of questions.")] = 1.0,
        limit: Annotated[
            int, typer.Option(help="Questions for one template, at most three times this.")
        ] = 60,
    ) -> None:
        """Make questions with gold answers from the templates and the library's records.

        osler records qa LIB --out qa/
        """
        from osler.cli.ask import open_kb
        from osler.errors import InputError
        from osler.records.making import question_set, statistics_lines, write_set

        kb = open_kb(lib)
        found = question_set(kb, seed=seed, limit=limit, scale=scale, progress=show.say)
        if not found:
            raise InputError(
                "no template fits these records",
                cure="its relations are not those of the readers; write questions by hand",
            )
        paths = write_set(kb, found, out)
        show.console().print("\n".join(statistics_lines(kb, found)), markup=False)
        show.say(
            f"{len(found):,} questions: {paths['questions.jsonl']}, with answers: "
            f"{paths['gold.jsonl']}"
        )
