"""``osler evaluate-graph``: how well embeddings tell true triples, and find missing ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.train_graph import (
    Batch,
    Dimension,
    Encoder,
    Epochs,
    Images,
    Loss,
    Margin,
    Negatives,
    Optimiser,
    Rate,
    Typed,
    Words,
)

if TYPE_CHECKING:
    from osler.verbs.graph_training import MeasuredEmbeddings


def register(commands: Commands) -> None:
    @commands.app.command("evaluate-graph")
    def evaluate_graph(
        lib: Lib,
        model: Annotated[
            str | None,
            typer.Argument(help="A model's folder or name; the library's own by default."),
        ] = None,
        method: Annotated[
            list[str] | None,
            typer.Option(help="Train and measure this method instead. Repeatable."),
        ] = None,
        hold_out: Annotated[
            float, typer.Option(help="With --method: the share of triples held out.")
        ] = 0.3,
        dimension: Dimension = 150,
        epochs: Epochs = 50,
        batch: Batch = 512,
        lr: Rate = 0.1,
        margin: Margin = 1.0,
        negatives: Negatives = 2,
        loss: Loss = "margin",
        optimiser: Optimiser = "adagrad",
        typed: Typed = False,
        images: Images = None,
        image_encoder: Encoder = "efficientnet-lite0",
        word_vectors: Words = None,
        seed: Annotated[int, typer.Option(help="Seed of the split, the fakes, the training.")] = 0,
        tested: Annotated[
            int, typer.Option(help="Test triples for link prediction, at most.")
        ] = 2_000,
        json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    ) -> None:
        """Measure graph embeddings: triple classification by relation, and link prediction.

        osler evaluate-graph LIB --method transh --method mm-transh
        """
        from osler.errors import InputError
        from osler.library import Library
        from osler.verbs.graph import triples_of
        from osler.verbs.graph_training import (
            evaluate_library,
            measure,
            parts_of,
            train_library,
        )

        if method and model:
            raise InputError("give a model or methods, not both")
        with Library.open(lib) as library:
            if not method:
                measured = [evaluate_library(library, model, seed=seed, tested=tested)]
            else:
                parts = parts_of(triples_of(library), hold_out, seed)
                measured = []
                for name in method:
                    trained = train_library(
                        library,
                        method=name,
                        hold_out=hold_out,
                        images=images,
                        image_encoder=image_encoder,
                        word_vectors=word_vectors,
                        seed=seed,
                        progress=show.say,
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
                    measured.append(measure(trained, *parts, seed=seed, tested=tested))
        if json:
            show.json_value(measured)
            return
        _show(measured)


def _show(measured: list[MeasuredEmbeddings]) -> None:
    numbers = ["accuracy", "deviation", "best", "MRR", "Hits@1", "Hits@3", "Hits@10"]
    show.table(["method", *numbers], [_row(one) for one in measured], right=numbers)
    names = sorted({name for one in measured for name in one.classification.relations})
    heads = [one.method for one in measured]
    rows = [
        [name, f"{measured[0].classification.counts.get(name, 0):,}"]
        + [_number(one.classification.relations.get(name)) for one in measured]
        for name in names
    ]
    show.table(["relation", "triples", *heads], rows, right=["triples", *heads])
    first = measured[0]
    show.say(
        f"accuracy: mean, deviation and best over {len(names)} relations, {first.triples:,} "
        f"{first.on} and as many fakes; ranks: {first.links.triples:,} triples, both ends, "
        f"among {first.links.candidates:,} entities, filtered"
    )
    if "seen" in first.on:
        show.say("nothing was held out in training: these numbers flatter (--hold-out 0.3)")


def _row(one: MeasuredEmbeddings) -> list[Any]:
    said, links = one.classification, one.links
    values = [said.mean, said.deviation, said.best, links.mrr]
    return [one.method, *map(_number, [*values, *(links.hits[k] for k in (1, 3, 10))])]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
