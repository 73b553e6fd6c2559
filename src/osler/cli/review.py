"""``osler review``: a systematic review as a project, from its searches to its flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib

if TYPE_CHECKING:
    from osler.review.entries import Stage, Verdict

Named = Annotated[str, typer.Argument(help="The project's name.")]
Reviewer = Annotated[str, typer.Option("--by", help="Who decides.")]
AtStage = Annotated[str, typer.Option(help="abstract, or full text.")]
Reason = Annotated[str, typer.Option(help="Why it is excluded, from the project's own list.")]


def register(commands: Commands) -> None:
    review = commands.review

    @review.command("new")
    def new(
        lib: Lib,
        name: Named,
        question: Annotated[str, typer.Option(help="The question, as PICO.")] = "",
        criteria: Annotated[str, typer.Option(help="What is included.")] = "",
        reason: Annotated[
            list[str] | None, typer.Option(help="A reason to exclude. Repeatable.")
        ] = None,
        reviewers: Annotated[int, typer.Option(min=1, help="How many must agree.")] = 1,
    ) -> None:
        """Begin a project."""
        from osler.library import Library

        with Library.open(lib) as library:
            library.projects.new(
                name,
                question=question,
                criteria=criteria,
                reasons=tuple(reason or ()),
                reviewers=reviewers,
            )
        show.say(f"{name} is begun; osler review search {lib} {name!r} QUERY fills it")

    @review.command("list")
    def list_(lib: Lib) -> None:
        """Projects of a library."""
        from osler.library import Library

        with Library.open(lib) as library:
            show.json_lines(library.projects.names())

    @review.command("search")
    def search(
        lib: Lib, name: Named, query: Annotated[str, typer.Argument(help="A query in words.")]
    ) -> None:
        """Run a query; what it finds is to be screened."""
        from osler.library import Library

        with Library.open(lib) as library:
            project = library.projects.search(name, query)
        show.say(f"{len(project.identified()):,} papers are in {name}")

    @review.command("next")
    def next_(
        lib: Lib,
        name: Named,
        by: Reviewer,
        stage: AtStage = "abstract",
        k: Annotated[int, typer.Option("-k", min=1, help="How many papers.")] = 1,
    ) -> None:
        """The next papers that a reviewer has not decided on, as JSON lines."""
        from osler.library import Library

        with Library.open(lib) as library:
            ids = library.projects.get(name).to_screen(by, _stage(stage))[:k]
            papers = {document.id: document for document in library.documents(ids)}
            show.json_lines(
                {"id": id, "title": papers[id].title, "abstract": papers[id].abstract}
                for id in ids
                if id in papers
            )

    @review.command("decide")
    def decide(
        lib: Lib,
        name: Named,
        document: Annotated[str, typer.Argument(help="A paper's id.")],
        verdict: Annotated[str, typer.Argument(help="include, exclude, maybe or skip.")],
        by: Reviewer,
        stage: AtStage = "abstract",
        reason: Reason = "",
        note: Annotated[str, typer.Option(help="A note beside it.")] = "",
        resolves: Annotated[
            bool, typer.Option("--resolve", help="End a conflict between two others.")
        ] = False,
    ) -> None:
        """Keep one reviewer's word on a paper."""
        from osler.library import Library

        with Library.open(lib) as library:
            library.projects.decide(
                name,
                document,
                _verdict(verdict),
                reviewer=by,
                stage=_stage(stage),
                reason=reason,
                note=note,
                resolves=resolves,
            )

    @review.command("undo")
    def undo(lib: Lib, name: Named, by: Reviewer) -> None:
        """Take back a reviewer's last decision; the log keeps both."""
        from osler.library import Library

        with Library.open(lib) as library:
            library.projects.undo(name, reviewer=by)

    @review.command("conflicts")
    def conflicts(lib: Lib, name: Named, stage: AtStage = "abstract") -> None:
        """Papers on which reviewers differ."""
        from osler.library import Library

        with Library.open(lib) as library:
            show.json_lines(library.projects.get(name).conflicts(_stage(stage)))

    @review.command("prisma")
    def prisma(lib: Lib, name: Named) -> None:
        """The counts of a PRISMA 2020 flow."""
        from osler.library import Library

        with Library.open(lib) as library:
            show.json_value(library.projects.get(name).prisma())

    @review.command("log")
    def log(lib: Lib, name: Named) -> None:
        """Who decided what and when, as JSON lines."""
        from osler.library import Library

        with Library.open(lib) as library:
            show.json_lines(
                {"seq": seq, "entry": entry} for seq, entry in library.projects.get(name).history
            )


def _stage(text: str) -> Stage:
    from osler.errors import ChoiceError
    from osler.review.entries import STAGES

    if text not in STAGES:
        raise ChoiceError("stage", text, list(STAGES))
    return text


def _verdict(text: str) -> Verdict:
    from typing import get_args

    from osler.errors import ChoiceError
    from osler.review.entries import Verdict

    if text not in get_args(Verdict):
        raise ChoiceError("verdict", text, list(get_args(Verdict)))
    return cast("Verdict", text)
