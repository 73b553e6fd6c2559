"""``osler summarise`` and ``osler train summarise``: a paper in a few of its own sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    """Add the command to the root and to ``train``."""

    @commands.app.command("summarise")
    def summarise_command(
        lib: Annotated[Path, typer.Argument(help="The library.")],
        id: Annotated[str, typer.Argument(help="The document.")],
        sentences: Annotated[int, typer.Option("--sentences", "-n", help="How many.")] = 3,
        method: Annotated[
            str, typer.Option(help="auto, lexrank, centroid, lead or bertsum.")
        ] = "auto",
        model: Annotated[
            Path | None, typer.Option(help="A trained model; the library's own by default.")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="JSON.")] = False,
    ) -> None:
        """Summarise a document by its own sentences, shown with their places."""
        import msgspec

        from osler.library import Library
        from osler.retrieve.summaries import summarise
        from osler.retrieve.summaries.speaking import MODEL

        with Library.open(lib) as library:
            own = library.path / "models" / MODEL
            if model is None and method in ("auto", "bertsum") and own.exists():
                model = own
            document = library.document(id)
        summary = summarise(document, sentences=sentences, method=method, model=model)
        if as_json:
            typer.echo(msgspec.json.encode(summary).decode())
            return
        for sentence in summary.sentences:
            label = sentence.label or ("abstract" if sentence.section < 0 else "full text")
            typer.echo(sentence.text)
            typer.echo(f"    {label}, characters {sentence.start}-{sentence.end}")
        if not summary.sentences:
            typer.echo(f"{id} has no text to summarise", err=True)

    @commands.train.command("summarise")
    def train_command(
        lib: Annotated[Path, typer.Argument(help="The library whose full texts to learn from.")],
        out: Annotated[
            Path | None,
            typer.Option("--out", help="The model's folder; in the library by default."),
        ] = None,
        encoder: Annotated[str, typer.Option(help="A Hugging Face encoder.")] = "minilm",
        tune_encoder: Annotated[
            bool, typer.Option(help="Train the encoder too: slower, for many papers.")
        ] = False,
        graded: Annotated[
            bool, typer.Option(help="Learn from ROUGE-L itself, or from the paper's 0 and 1.")
        ] = False,
        epochs: Annotated[int, typer.Option(help="At most so many.")] = 20,
        seed: Annotated[int, typer.Option(help="Seed.")] = 0,
    ) -> None:
        """Train a sentence model (BERTSUM) on the library's papers that have a full text."""
        from osler.cli.show import say
        from osler.library import Library
        from osler.retrieve.summaries.speaking import MODEL
        from osler.retrieve.summaries.summarise import better_than_lexrank
        from osler.retrieve.summaries.training import train

        with Library.open(lib) as library:
            own = library.path / "models" / MODEL
            folder = out or own
            documents = [one for one in library.documents() if one.full_text]
        model, card = train(
            documents,
            encoder=encoder,
            tune_encoder=tune_encoder,
            graded=graded,
            epochs=epochs,
            seed=seed,
            progress=say,
        )
        spoken_for = 0
        if folder.resolve() == own.resolve():
            with Library.open(lib) as library:
                spoken_for = library.speak_anew(lambda: model.save(folder, card))
        else:
            model.save(folder, card)
        for measured in card.measures:
            typer.echo(f"{measured.name}  {measured.value:.4f}  ({measured.on})")
        typer.echo(f"written to {folder}")
        if not better_than_lexrank(folder):
            say("it does not beat lexrank on the held-out papers: auto goes on taking lexrank")
        elif spoken_for:
            say(f"{spoken_for:,} papers without a valid abstract are found by its summaries now")
