"""``osler brief``: what a library says of a question, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.options import WithoutModel


def register(commands: Commands) -> None:
    @commands.app.command()
    def brief(
        lib: Lib,
        question: Annotated[str, typer.Argument(help="A question or a claim.")],
        out: Annotated[
            Path | None,
            typer.Option(
                "--out", "-o", help="A file: .md, .html, .docx or .json; without it, Markdown here."
            ),
        ] = None,
        k: Annotated[int, typer.Option("-k", help="How many papers are weighed.")] = 50,
        as_json: Annotated[bool, typer.Option("--json", help="JSON, with everything.")] = False,
        without_model: WithoutModel = False,
    ) -> None:
        """One page of evidence: how many papers support a claim, refute it or found no effect, and
        the sentences that say so, word for word with their place.

        osler brief LIB "does vitamin D prevent severe COVID-19?"
        osler brief LIB "does vitamin D prevent severe COVID-19?" --out vitamin-d.html
        """
        from osler.brief.files import known, written
        from osler.library import Library
        from osler.verbs.brief import BriefRequest
        from osler.verbs.brief import brief as make

        request = BriefRequest(question=question, k=k, without_model=without_model)
        if out is not None:
            known(out.suffix.lstrip(".").lower())
        with Library.open(lib) as library:
            page = make(library, request)
        if out is None:
            content = written(page, "json" if as_json else "md")
            typer.echo(content.decode(), nl=False)
            return
        out.write_bytes(written(page, out.suffix.lstrip(".").lower()))
        show.say(f"{out}: {page.words}")
