"""``osler records``: simulated records, and question sets over a library's records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    @commands.records.command("simulate")
    def simulate_records(
        out: Annotated[Path, typer.Option(help="The folder to write to.")],
        seed: Annotated[int, typer.Option(help="The same seed writes the same records.")] = 0,
        scale: Annotated[float, typer.Option(help="1 is the paper's number of patients.")] = 1.0,
        topic: Annotated[list[str] | None, typer.Option(help="Only this topic; several.")] = None,
    ) -> None:
        """Write records of nobody in the formats of the seven tasks.

        osler records simulate --out records/
        """
        from osler.records.simulator import TOPICS, WRITERS, simulate

        written = simulate(out, seed=seed, scale=scale, topics=tuple(topic) if topic else TOPICS)
        rows = [(name, str(path), WRITERS[name][2]) for name, path in written.items()]
        show.table(("topic", "written", "read it with --as"), rows)

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
