"""``osler train graph``: vectors of a library's entities and relations out of its triples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli.commands import Commands
from osler.cli.library import Lib

Method = Annotated[
    str,
    typer.Option(help="transe, transh, transd, rotate, mm-transe, mm-transh."),
]
Images = Annotated[
    Path | None,
    typer.Option(help="A table of pictures, or its folder; the library's own by default."),
]
Encoder = Annotated[
    str, typer.Option("--image-encoder", help="efficientnet-lite0, plain, or a folder.")
]
Words = Annotated[
    Path | None,
    typer.Option("--word-vectors", help="Word vectors for names; the encoder by default."),
]
Dimension = Annotated[int, typer.Option(help="Numbers in a vector.")]
Epochs = Annotated[int, typer.Option(help="How often every triple is seen.")]
Batch = Annotated[int, typer.Option(help="Triples in a step.")]
Rate = Annotated[float, typer.Option("--lr", help="Learning rate.")]
Margin = Annotated[float, typer.Option(help="How far apart true and false should be.")]
Negatives = Annotated[int, typer.Option(help="Corrupted triples a true one.")]
Loss = Annotated[str, typer.Option(help="margin or self-adversarial.")]
Optimiser = Annotated[str, typer.Option(help="adagrad, adam or sgd.")]
Typed = Annotated[
    bool,
    typer.Option(help="Corrupt with entities of the same side of the relation."),
]
Seed = Annotated[int, typer.Option(help="Seed.")]


def register(commands: Commands) -> None:
    """Add the command to ``train``."""

    @commands.train.command("graph")
    def train_command(
        lib: Lib,
        method: Method = "transh",
        dimension: Dimension = 150,
        epochs: Epochs = 50,
        batch: Batch = 512,
        lr: Rate = 0.1,
        margin: Margin = 1.0,
        negatives: Negatives = 2,
        loss: Loss = "margin",
        optimiser: Optimiser = "adagrad",
        typed: Typed = False,
        patience: Annotated[
            int | None,
            typer.Option(help="Stop after so many looks without gain; holds 5 % out to look at."),
        ] = None,
        hold_out: Annotated[
            float, typer.Option(help="A share of triples kept for osler evaluate-graph.")
        ] = 0.0,
        images: Images = None,
        image_encoder: Encoder = "efficientnet-lite0",
        word_vectors: Words = None,
        seed: Seed = 0,
        out: Annotated[
            Path | None, typer.Option("--out", help="A folder; in the library by default.")
        ] = None,
    ) -> None:
        """Learn vectors of entities and relations from the library's triples.

        osler train graph LIB --method mm-transh --images pictures/
        """
        from osler.cli.show import say
        from osler.library import Library
        from osler.verbs.graph import MODEL
        from osler.verbs.graph_training import train_library

        with Library.open(lib) as library:
            trained = train_library(
                library,
                method=method,
                hold_out=hold_out,
                patience=patience,
                images=images,
                image_encoder=image_encoder,
                word_vectors=word_vectors,
                seed=seed,
                progress=say,
                dimension=dimension,
                epochs=epochs,
                batch=batch,
                lr=lr,
                margin=margin,
                negatives=negatives,
                loss=loss,
                optimiser=optimiser,
                typed=typed,
            )
            folder = trained.save(out or library.path / "models" / MODEL)
        typer.echo(
            f"{method}: {len(trained):,} entities, {len(trained.relation_names):,} relations, "
            f"{trained.dimension} numbers each; written to {folder}"
        )
