"""``osler predict grade``: labels and probabilities for a file of pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    @commands.predict.command("grade")
    def predict_grade(
        model: Annotated[Path, typer.Argument(help="A trained grader's folder.")],
        pairs: Annotated[
            Path,
            typer.Argument(
                help="TSV: head, relation, tail, title, abstract, keywords; or the sample's 11."
            ),
        ],
        out: Annotated[Path, typer.Option("--out", "-o", help="Where the TSV goes.")],
    ) -> None:
        """Grade each pair of a file: its label, a probability for each label, in order.

        Labels that the file may hold are not looked at.
        """
        from osler.errors import InputError
        from osler.grade.models import load_grader
        from osler.grade.predict import predict_file

        if not pairs.is_file():
            raise InputError(f"there is no file {pairs}")
        count = predict_file(load_grader(model), pairs, out)
        show.say(f"{count:,} pairs graded: {out}")
