"""``osler train match``: learn to order answers from questions with their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.options import method_help


def register(commands: Commands) -> None:
    @commands.train.command("match")
    def train(
        lib: Lib,
        pairs: Annotated[
            list[Path] | None,
            typer.Option(help="Questions with answers (CSV, JSON lines); else the library's own."),
        ] = None,
        method: Annotated[str, typer.Option(help=method_help("match"))] = "default",
        out: Annotated[
            Path | None, typer.Option(help="The model's folder; by default the library's.")
        ] = None,
        about: Annotated[str, typer.Option(help="What the pairs are, for the card.")] = "",
        judge: Annotated[
            Path | None,
            typer.Option(
                help="Graded answers (JSON lines: question, answers with text and score 1 to 4) "
                "before which a trained default must win too."
            ),
        ] = None,
        seed: Annotated[int, typer.Option(help="Seed of splits, draws and first weights.")] = 0,
        form: Annotated[
            str | None, typer.Option(help="Of mkhan: ours, or printed as in the paper.")
        ] = None,
        length: Annotated[
            int | None, typer.Option(help="Of mkhan: entities of a path at most, 2 to 5.")
        ] = None,
        dimension: Annotated[
            int | None, typer.Option(help="Of networks: numbers a word and an entity (150).")
        ] = None,
        epochs: Annotated[
            int | None,
            typer.Option(help="Of networks: rounds over all pairs; else 12 evaluations at most."),
        ] = None,
    ) -> None:
        """Train a matcher on questions with their answers.

        False answers are drawn from the question's own department. Without --method it is the
        default's weights that are learned; `osler match` takes them from then on if they order the
        nearest answers of held-out questions better than the untrained weights do.

        osler train match LIB --pairs qa.jsonl.gz

        osler train match LIB --pairs qa.jsonl.gz --method mkhan --form printed --length 4
        """
        from osler.learn.saved import load_card
        from osler.library import Library
        from osler.match.gate import read_judged
        from osler.match.matcher import matchers
        from osler.match.training import read_pairs, train_matcher
        from osler.verbs.match import pictures_of, sources_of

        with Library.open(lib) as library:
            known_pairs = read_pairs(pairs) if pairs else list(library.pairs())
            sources = sources_of(library)
            if "images" in matchers.get(method).needs:
                sources.images = pictures_of(library)
            folder = train_matcher(
                known_pairs,
                sources,
                method=method,
                folder=out,
                models=library.layout.models,
                about=about,
                seed=seed,
                judged=read_judged(judge) if judge is not None else (),
                options={"form": form, "length": length, "dimension": dimension, "epochs": epochs},
                progress=show.say,
            )
        show.say(f"written to {folder}")
        card = load_card(folder)
        if not card.taken:
            show.say(f"osler match goes on without it: {card.verdict}")
