"""``osler train match``: learn to order answers from questions with their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.options import method_help


def register(commands: Commands) -> None:
    @commands.train.command("match")
    def train(
        lib: Annotated[Path, typer.Argument(help="The library.", metavar="LIB")],
        pairs: Annotated[
            list[Path] | None,
            typer.Option(help="Questions with answers (CSV, JSON lines); else the library's own."),
        ] = None,
        method: Annotated[str, typer.Option(help=method_help("match"))] = "default",
        out: Annotated[
            Path | None, typer.Option(help="The model's folder; by default the library's.")
        ] = None,
        about: Annotated[str, typer.Option(help="What the pairs are, for the card.")] = "",
        seed: Annotated[int, typer.Option(help="Seed.")] = 0,
    ) -> None:
        """Train a matcher on questions with their answers.

        False answers are drawn from the question's own department. Without --method it is the
        default's weights that are learned, and `osler match` takes them from then on.

        osler train match LIB --pairs qa.jsonl.gz
        """
        from osler.library import Library
        from osler.match.matcher import matchers
        from osler.match.training import read_pairs, train_matcher
        from osler.verbs.match import pictures_of, sources_of

        with Library.open(lib) as library:
            found = read_pairs(pairs) if pairs else list(library.pairs())
            sources = sources_of(library)
            if "images" in matchers.get(method).needs:
                sources.images = pictures_of(library)
            folder = train_matcher(
                found,
                sources,
                method=method,
                folder=out,
                models=library.layout.models,
                about=about,
                seed=seed,
                progress=show.say,
            )
        show.say(f"written to {folder}")
