"""``osler project``: decisions of a review, and what is shown of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.project_options import AtStage, Json, Named, Paper, Reviewer, stage_of, verdict_of


def register(commands: Commands) -> None:
    """The commands that decide and show."""
    _deciding(commands.project)
    _showing(commands.project)


def _deciding(project: typer.Typer) -> None:
    @project.command("next")
    def next_(
        lib: Lib,
        name: Named,
        by: Reviewer,
        stage: AtStage = "abstract",
        k: Annotated[int, typer.Option("-k", min=1, help="How many papers.")] = 1,
    ) -> None:
        """The next papers that a reviewer should read, as JSON lines, the most promising first.

        The order learns from this reviewer's own decisions in this project, once one paper is
        included and one excluded; of other reviewers it tells nothing.

        osler project next LIB insomnia --by ann -k 5
        """
        from osler.library import Library

        with Library.open(lib) as library:
            now = library.projects.next(name, reviewer=by, stage=stage_of(stage), k=k)
        show.json_lines(now.papers)
        show.say(f"{now.read:,} read, {now.left:,} left; {now.order}")
        if now.estimate:
            show.say(f"{now.estimate.words} {_stopping(now.estimate.p, now.estimate.stop)}")

    @project.command("decide")
    def decide(
        lib: Lib,
        name: Named,
        document: Paper,
        verdict: Annotated[str, typer.Argument(help="include, exclude, maybe or skip.")],
        by: Reviewer,
        stage: AtStage = "abstract",
        reason: Annotated[str, typer.Option(help="Why, from the project's own list.")] = "",
        note: Annotated[str, typer.Option(help="A note beside it.")] = "",
        tag: Annotated[list[str] | None, typer.Option(help="A tag. Repeatable.")] = None,
        resolves: Annotated[
            bool, typer.Option("--resolve", help="End a conflict between two others.")
        ] = False,
    ) -> None:
        """Keep one reviewer's word on a paper. When it has come back, it is on disk.

        osler project decide LIB insomnia 31234567 exclude --by ann --reason "wrong population"
        osler project decide LIB insomnia 31234567 include --by cid --resolve
        """
        from osler.library import Library

        with Library.open(lib) as library:
            library.projects.decide(
                name,
                document,
                verdict_of(verdict),
                reviewer=by,
                stage=stage_of(stage),
                reason=reason,
                note=note,
                tags=tag or (),
                resolves=resolves,
            )

    @project.command("not-retrieved")
    def not_retrieved(
        lib: Lib,
        name: Named,
        document: Paper,
        by: Reviewer,
        note: Annotated[str, typer.Option(help="What was tried.")] = "",
    ) -> None:
        """Say that an included paper's full text could not be had."""
        from osler.library import Library

        with Library.open(lib) as library:
            library.projects.not_retrieved(name, document, reviewer=by, note=note)

    @project.command("undo")
    def undo(lib: Lib, name: Named, by: Reviewer) -> None:
        """Take back a reviewer's last decision; the log keeps both."""
        from osler.library import Library

        with Library.open(lib) as library:
            library.projects.undo(name, reviewer=by)


def _showing(project: typer.Typer) -> None:
    @project.command("undo-card")
    def undo_card(lib: Lib, name: Named) -> None:
        """Take back the last change of a project's card; the log keeps both.

        osler project undo-card LIB insomnia
        """
        from osler.library import Library

        with Library.open(lib) as library:
            library.projects.undo_card(name)
        show.say("the card is as it was before its last change")

    @project.command("put-away")
    def put_away(
        lib: Lib,
        name: Named,
        back: Annotated[bool, typer.Option("--back", help="Bring it back instead.")] = False,
    ) -> None:
        """Put a project apart from those at work; nothing of it is lost.

        osler project put-away LIB insomnia
        osler project put-away LIB insomnia --back
        """
        from osler.library import Library

        with Library.open(lib) as library:
            library.projects.edit(name, put_away=not back)
        if back:
            show.say(f"{name} is among the projects at work again")
        else:
            show.say(f"{name} is put away; osler project list LIB --all shows it")

    @project.command("list")
    def list_(
        lib: Lib,
        json: Json = False,
        every: Annotated[bool, typer.Option("--all", help="Also those that are put away.")] = False,
    ) -> None:
        """Projects of a library."""
        from osler.library import Library
        from osler.verbs.overview import line_of

        with Library.open(lib) as library:
            lines = [line_of(library.projects.get(name)) for name in library.projects.names()]
        lines = [one for one in lines if every or not one.put_away]
        if json:
            show.json_value(lines)
            return
        show.table(
            ["project", "papers", "undecided", "included", "question"],
            [
                (
                    one.name,
                    f"{one.papers:,}",
                    f"{one.undecided:,}",
                    f"{one.included:,}",
                    one.question,
                )
                for one in lines
            ],
            right=["papers", "undecided", "included"],
        )

    @project.command("show")
    def show_(lib: Lib, name: Named) -> None:
        """Card, searches, reviewers, kappa, conflicts and flow of a project, as JSON."""
        from osler.library import Library

        with Library.open(lib) as library:
            show.json_value(library.projects.overview(name))

    @project.command("conflicts")
    def conflicts(lib: Lib, name: Named, stage: AtStage = "abstract") -> None:
        """Papers on which reviewers differ, or are both unsure. A third ends them: osler project
        decide LIB NAME ID include --by THIRD --resolve"""
        from osler.library import Library

        with Library.open(lib) as library:
            show.json_lines(library.projects.get(name).conflicts(stage_of(stage)))

    @project.command("prisma")
    def prisma(
        lib: Lib,
        name: Named,
        out: Annotated[
            Path | None, typer.Option(help="Where to draw it: a name in .svg or .png.")
        ] = None,
        json: Json = False,
    ) -> None:
        """The PRISMA 2020 flow: as text, as JSON, or drawn.

        osler project prisma LIB insomnia --out flow.svg
        """
        from osler.errors import ChoiceError
        from osler.library import Library
        from osler.review.flow import flow_lines
        from osler.review.flow_drawing import flow_png, flow_svg

        with Library.open(lib) as library:
            flow = library.projects.prisma(name)
        if out is None and json:
            show.json_value(flow)
        elif out is None:
            show.table(["step", "n"], [(a, f"{n:,}") for a, n in flow_lines(flow)], right=["n"])
        elif out.suffix == ".svg":
            out.write_text(flow_svg(flow, title=f"PRISMA flow of {name}"), encoding="utf-8")
        elif out.suffix == ".png":
            out.write_bytes(flow_png(flow, title=f"PRISMA flow of {name}"))
        else:
            raise ChoiceError("kind of picture", out.suffix, (".svg", ".png"))

    @project.command("export")
    def export(
        lib: Lib,
        name: Named,
        format: Annotated[
            str, typer.Argument(help="ris, csv, asreview, rayyan, covidence, eppi, or log.")
        ],
        out: Annotated[Path, typer.Option(help="The file to write.")],
    ) -> None:
        """A project with every decision, reason, note and tag by reviewer, for another program.

        What a format cannot show goes into a field that programs leave alone, and comes back with
        osler project import. log is the whole project.

        osler project export LIB insomnia rayyan --out insomnia.csv
        """
        from osler.library import Library

        with Library.open(lib) as library:
            body = library.projects.export(name, format)
        out.write_bytes(body)
        show.say(f"{len(body):,} bytes: {out}")

    @project.command("log")
    def log(lib: Lib, name: Named) -> None:
        """Who decided what and when, as JSON lines."""
        from osler.library import Library

        with Library.open(lib) as library:
            show.json_lines(
                {"seq": seq, "entry": entry} for seq, entry in library.projects.get(name).history
            )


def _stopping(p: float, stop: bool) -> str:
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    advice = "Reading may stop" if stop else "Go on reading"
    return f"{advice} ({chance} in the test of a recall below 95 %)."
