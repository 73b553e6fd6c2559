"""``osler records``: question sets over a library's records, and who is one person in them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib


def register(commands: Commands) -> None:
    @commands.records.command("join")
    def join_sources(
        lib: Lib,
        on: Annotated[
            str, typer.Option(metavar="SYSTEM", help="An identifier system that sources carry.")
        ],
        undo: Annotated[bool, typer.Option(help="Take the rule back.")] = False,
    ) -> None:
        """Join patients of different sources who have the same identifier.

        osler records join LIB --on urn:oid:2.16.840.1.113883.4.1
        """
        from osler.library import Library

        with Library.open(lib) as library:
            held = library.join(on, undo=undo)
        for note in held.notes or ["nobody is joined"]:
            show.say(note)

    @commands.records.command("joined")
    def joined_people(
        lib: Lib,
    ) -> None:
        """List the people who were joined across sources, as JSON lines."""
        from osler.library import Library
        from osler.verbs.patients import as_lines, patients

        with Library.open(lib) as library:
            show.json_lines(as_lines(patients(library)))

    @commands.records.command("qa")
    def question_answers(
        lib: Lib,
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
        questions = question_set(kb, seed=seed, limit=limit, scale=scale, progress=show.say)
        if not questions:
            raise InputError(
                "no template fits these records",
                cure="its relations are not those of the readers; write questions by hand",
            )
        paths = write_set(kb, questions, out)
        show.console().print("\n".join(statistics_lines(kb, questions)), markup=False)
        show.say(
            f"{len(questions):,} questions: {paths['questions.jsonl']}, with answers: "
            f"{paths['gold.jsonl']}"
        )
