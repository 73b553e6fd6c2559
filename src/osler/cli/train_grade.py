"""``osler train grade``: a grader from labelled pairs, or from weak labels of the library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.options import method_help


def register(commands: Commands) -> None:
    @commands.train.command("grade")
    def train_grade(
        lib: Lib,
        pairs: Annotated[
            Path | None,
            typer.Option(help="Labelled pairs (TSV); weak labels of the library by default."),
        ] = None,
        method: Annotated[str, typer.Option(help=method_help("grade"))] = "evidence",
        encoder: Annotated[
            str | None,
            typer.Option(help="For neural methods: minilm, or a folder; small ones are made here."),
        ] = None,
        tune_layers: Annotated[
            int, typer.Option(help="Upper layers of that encoder to train along.")
        ] = 0,
        out: Annotated[
            Path | None, typer.Option("--out", "-o", help="The model's folder; LIB/models/grade.")
        ] = None,
        limit: Annotated[int, typer.Option(help="Weak labels: papers to draw.")] = 2_000,
        setting: Annotated[
            list[str] | None,
            typer.Option(
                "--set",
                help="A setting of the method, name=value: hints, ablation, layers, iterations, "
                "capsules, pooling, epochs. Repeatable.",
            ),
        ] = None,
        validate: Annotated[bool, typer.Option(help="Cross-validate for the card.")] = True,
        seed: Annotated[int, typer.Option(help="Seed.")] = 0,
    ) -> None:
        """Train a grader and write it with its card.

        osler train grade LIB --pairs labels.tsv
        osler train grade LIB --method hicapsrkl --set layers=2 --set "ablation=w/o KImp"
        """
        from osler.errors import InputError
        from osler.grade.grader import graders
        from osler.grade.models import save_grader
        from osler.grade.table import read_pairs
        from osler.grade.train import train_grader
        from osler.learn.options import check_taken, fitting, parsed, settings_of
        from osler.library import Library
        from osler.verbs.grade import MODEL
        from osler.verbs.grade_training import graph_vectors, weakly_labelled

        kind = graders.get(method)
        given_settings = parsed(setting or [])
        check_taken(given_settings, [kind])
        options: dict[str, Any] = fitting(kind, given_settings)
        if encoder is not None:
            if "encoder" not in settings_of(kind):
                raise InputError(f"{method} takes no encoder", cure="leave --encoder out")
            options |= {"encoder": encoder, "tune_layers": tune_layers}
        with Library.open(lib) as library:
            if pairs is not None:
                given, data = read_pairs(pairs), pairs.name
            else:
                given = weakly_labelled(library, limit=limit, seed=seed)
                data = f"weak labels of {limit:,} papers of the library"
            if "vectors" in kind.needs:
                options["vectors"] = graph_vectors(library, kind.embedding)
            folder = out or library.models.place(MODEL)
            show.say(f"{len(given):,} labelled pairs")
            grader, card = train_grader(
                lambda: kind(**options),
                given,
                data=data,
                seed=seed,
                validate=validate,
                progress=show.say,
            )
            save_grader(folder, grader, card)
        for one in card.measures:
            interval = "" if one.low is None else f" ({one.low:.3f} to {one.high:.3f})"
            show.say(f"{one.name} {one.value:.3f}{interval}, {one.on}")
        show.say(f"{folder} is written; its card is card.md there")
