"""``osler project``: a systematic review as a project; its card, and what is to be screened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.project_options import (
    AtStage,
    Comparison,
    Criteria,
    Highlight,
    Intervention,
    Json,
    Named,
    Outcome,
    Population,
    Question,
    Reason,
    Reviewers,
    Source,
    stage_of,
    verdict_of,
)
from osler.text.counted import counted


def register(commands: Commands) -> None:
    """The commands that fill a project."""
    _keeping(commands.project)


def _card(project: typer.Typer, command: str, help: str, keep: Callable[..., None]) -> None:
    """A command that takes a project's card; ``keep`` gets the library, the project's name and
    what was given of the card."""

    def card(
        lib: Lib,
        name: Named,
        question: Question = None,
        population: Population = None,
        intervention: Intervention = None,
        comparison: Comparison = None,
        outcome: Outcome = None,
        criteria: Criteria = None,
        source: Source = None,
        reason: Reason = None,
        highlight: Highlight = None,
        reviewers: Reviewers = None,
    ) -> None:
        fields = {
            "question": question,
            "population": population,
            "intervention": intervention,
            "comparison": comparison,
            "outcome": outcome,
            "criteria": criteria,
            "sources": source,
            "reasons": reason,
            "highlights": highlight,
            "reviewers": reviewers,
        }
        keep(lib, name, {field: value for field, value in fields.items() if value is not None})

    project.command(command, help=help)(card)


def _begin(lib: Path, name: str, card: dict[str, Any]) -> None:
    from osler.library import Library

    with Library.open(lib) as library:
        library.projects.new(name, **card)
    show.say(f"{name} is begun; osler project search {lib} {name!r} QUERY fills it")


def _edit(lib: Path, name: str, card: dict[str, Any]) -> None:
    from osler.library import Library

    with Library.open(lib) as library:
        library.projects.edit(name, **card)


NEW = """Begin a project.

osler project new LIB insomnia --question "Does melatonin help adults sleep?"
osler project new LIB gout --reason "wrong population" --reviewers 2
"""
EDIT = """Change what is given of a project's card; lists are replaced. The log keeps the old one.

osler project edit LIB insomnia --reviewers 2 --highlight melatonin
"""


def _keeping(project: typer.Typer) -> None:
    _card(project, "new", NEW, _begin)
    _card(project, "edit", EDIT, _edit)

    @project.command("search")
    def search(
        lib: Lib,
        name: Named,
        query: Annotated[str, typer.Argument(help="Words, or the query language.")],
        source: Annotated[str, typer.Option(help="What the flow calls it.")] = "",
    ) -> None:
        """Run a query over the library: what it finds is to be screened. It is logged as typed and
        as run, with its date and its counts.

        osler project search LIB insomnia "melatonin AND (insomnia OR sleep)"
        """
        from osler.library import Library

        with Library.open(lib) as library:
            now = library.projects.search(name, query, source=source)
            last = library.projects.overview(name).searches[-1]
        show.say(
            f"{last.identified:,} found, {last.new:,} of them new; "
            f"{counted(len(now.papers), 'paper is', 'papers are')} in {name}"
        )

    @project.command("import")
    def import_(
        lib: Lib,
        name: Named,
        file: Annotated[
            Path, typer.Argument(help="RIS, CSV, EPPI-Reviewer's JSON, or a project's log.")
        ],
        source: Annotated[str, typer.Option(help="Where the records were found: Embase.")] = "",
        query: Annotated[str, typer.Option(help="With which search they were found.")] = "",
        decided: Annotated[
            str, typer.Option(help="The word on records that carry none: include, exclude.")
        ] = "",
        by: Annotated[str, typer.Option("--by", help="Whose word --decided is.")] = "",
        stage: AtStage = "abstract",
        json: Json = False,
    ) -> None:
        """Read references, and what other programs decided on them, into a project.

        Covidence parts its exports by decision: say it with --decided. A project's own log is read
        into a name that is free.

        osler project import LIB insomnia embase.ris --source Embase --query "melatonin/exp"
        osler project import LIB insomnia rayyan.csv
        osler project import LIB insomnia included.csv --decided include --by covidence
        """
        from osler.library import Library

        verdict = verdict_of(decided) if decided else None
        with Library.open(lib) as library:
            came = library.projects.import_file(
                name,
                file,
                source=source,
                query=query,
                decided=verdict,
                reviewer=by,
                stage=stage_of(stage),
            )
        if json:
            show.json_value(came)
            return
        papers = counted(came.papers, "paper is", "papers are")
        show.say(
            f"{counted(came.records, 'record')}: {came.counted:,} identified, "
            f"{came.returned:,} were here, {came.rejected:,} could not be read; "
            f"{papers} new to {name}, {came.added:,} to the library; "
            f"{counted(came.decisions, 'decision')}"
        )
        for reject in came.rejects[:20]:
            show.say(f"{reject.file} {reject.place}: {reject.reason}")
        if came.damaged:
            damaged = counted(came.damaged, "record was", "records were")
            show.say(f"{damaged} damaged: only what they show was read")

    @project.command("duplicates")
    def duplicates(
        lib: Lib,
        name: Named,
        by: Annotated[str, typer.Option("--by", help="Who groups.")] = "",
        apart: Annotated[
            str | None, typer.Option(help="Take the group of this id back: they are two papers.")
        ] = None,
    ) -> None:
        """Group records that are probably one paper: the first stands for them. Reversible.

        osler project duplicates LIB insomnia
        osler project duplicates LIB insomnia --apart 33332149
        """
        from osler.library import Library

        with Library.open(lib) as library:
            if apart is not None:
                library.projects.ungroup(name, apart, reviewer=by)
                return
            groups = library.projects.group(name, reviewer=by)
            left = len(library.projects.get(name).papers)
        show.json_lines(list(group.documents) for group in groups)
        show.say(
            f"{counted(len(groups), 'group is', 'groups are')} new; "
            f"{counted(left, 'paper is', 'papers are')} to be screened"
        )
