"""``osler save`` and ``osler searches``: the searches of a review, with the counts of PRISMA."""

from __future__ import annotations

from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib


def register(commands: Commands) -> None:
    @commands.app.command()
    def save(
        lib: Lib,
        name: Annotated[str, typer.Argument(help="What to call the search.")],
        text: Annotated[str, typer.Argument(help="The query.")],
        year: Annotated[str | None, typer.Option(help="2019, 2019:2021, 2019: or :2021.")] = None,
        language: Annotated[list[str] | None, typer.Option(help="Such as eng.")] = None,
        type: Annotated[list[str] | None, typer.Option(help="Publication type: Review.")] = None,
        syntax: Annotated[
            str, typer.Option("--from", help="pubmed, ovid, embase or osler; its marks tell.")
        ] = "",
    ) -> None:
        """Run a query for a review and keep what it found; a name that is taken is refused.

        osler save LIB first "asthma[mh] AND child*[tiab]" --year 2019:2021
        """
        from osler.library import Library
        from osler.verbs.filters import filter_of

        filter = filter_of(year=year, language=language, type=type)
        with Library.open(lib) as library:
            saved = library.save_search(name, text, filter=filter, syntax=syntax)
        show.say(
            f"{saved.identified:,} found, {saved.duplicates:,} of them by an earlier search already"
        )

    @commands.app.command()
    def alerts(
        lib: Lib,
        name: Annotated[str, typer.Argument(help="One saved search; all without a name.")] = "",
        json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    ) -> None:
        """Run saved searches again: what is new since each was saved."""
        from osler.library import Library

        with Library.open(lib) as library:
            news = library.alerts(name)
        if json:
            show.json_value(news)
            return
        show.table(
            ["search", "saved", "found then", "now", "new"],
            [
                (a.name, a.date, f"{a.before:,}", f"{a.now:,}", a.note or " ".join(a.new) or "none")
                for a in news
            ],
            right=["found then", "now"],
        )

    @commands.app.command()
    def searches(
        lib: Lib,
        remove: Annotated[str, typer.Option(help="Take out the saved search of this name.")] = "",
        json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    ) -> None:
        """List saved searches: found, deduplicated, excluded, included (for a PRISMA diagram).

        osler searches LIB

        osler searches LIB --remove first
        """
        from osler.library import Library

        with Library.open(lib) as library:
            if remove:
                gone = library.remove_search(remove)
                if json:
                    show.json_value(gone)
                    return
                show.say(
                    f"{gone.name} of {gone.date} was removed, which had found "
                    f"{gone.identified:,}: {gone.query}"
                )
                return
            flow = library.prisma()
        if json:
            show.json_value(flow)
            return
        show.table(
            ["search", "date", "query", "run as", "found", "duplicates"],
            [
                (s.name, s.date, s.query, s.run, f"{s.identified:,}", f"{s.duplicates:,}")
                for s in flow["searches"]
            ],
            right=["found", "duplicates"],
        )
        show.say(
            f"{flow['identified']:,} found by all searches, "
            f"{flow['duplicates']:,} duplicates removed, {flow['screened']:,} to screen, "
            f"{flow['excluded']:,} excluded, {flow['included']:,} included"
        )
