"""``osler samples``: the small files that the tutorials and how-to pages work on."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands

SAMPLES = {
    "papers.csv": "25 short papers, written for the examples: no study stands behind them",
    "concepts.tsv": "a small terminology: names in English and Chinese, parents",
    "facts.tsv": "a small graph: which drug treats, prevents or causes what",
    "answers.tsv": "questions about health with answers",
    "ward.json": "four patients as FHIR",
    "ward.tsv": "six patients as triples",
    "records": "notes with annotations of three i2b2 tasks, simulated",
}
"""What is written, and what it is. Nobody in it is real."""


def register(commands: Commands) -> None:
    @commands.app.command()
    def samples(
        folder: Annotated[Path, typer.Argument(help="Where they go.")] = Path("samples"),
    ) -> None:
        """Write the small files that the tutorials work on. Nothing is fetched.

        osler samples
        """
        from importlib import resources

        from osler.errors import InputError

        if folder.exists():
            raise InputError(f"{folder} is there already", cure="osler samples ANOTHER_FOLDER")
        shipped = Path(str(resources.files("osler.demo")))
        folder.mkdir(parents=True)
        for name in SAMPLES:
            inside = shipped / "samples" / name
            source = inside if inside.exists() else shipped / name
            if source.is_dir():
                shutil.copytree(source, folder / name)
            else:
                shutil.copyfile(source, folder / name)
        show.table(["file", "what it is"], ((folder / n, told) for n, told in SAMPLES.items()))
