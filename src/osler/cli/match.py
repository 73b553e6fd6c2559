"""``osler match``: answers to a health question, in order, with the reasons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.cli.library import Lib
from osler.cli.options import WithoutModel, method_help
from osler.text.counted import counted

if TYPE_CHECKING:
    from osler.library import Library


def register(commands: Commands) -> None:
    @commands.app.command()
    def match(
        lib: Lib,
        question: Annotated[str, typer.Argument(help="The question, in words.")] = "",
        answers: Annotated[
            Path | None,
            typer.Option(help="Candidate answers (JSON lines, CSV, or one a line in .txt)."),
        ] = None,
        k: Annotated[int, typer.Option("-k", help="How many answers.")] = 10,
        method: Annotated[
            str | None,
            typer.Option(help=method_help("match")),
        ] = None,
        explain: Annotated[
            bool, typer.Option(help="Show entity pairs and paths with their weights.")
        ] = False,
        html: Annotated[Path | None, typer.Option(help="Write the explanation as a page.")] = None,
        svg: Annotated[
            Path | None, typer.Option(help="Write a drawing of the first answer's paths.")
        ] = None,
        questions: Annotated[
            Path | None,
            typer.Option(help="Questions with candidates (JSON lines: id, question, candidates)."),
        ] = None,
        run: Annotated[
            Path | None, typer.Option(help="Where the run of --questions goes, as TREC's.")
        ] = None,
        json: Annotated[bool, typer.Option("--json", help="The ranking as JSON.")] = False,
        without_model: WithoutModel = False,
    ) -> None:
        """Order answers to a health question: those of a file, or the library's own.

        osler match LIB "高血压患者能吃党参吗？" --answers answers.csv --explain
        """
        from osler.errors import InputError
        from osler.library import Library
        from osler.match.answers import read_answers
        from osler.verbs.match import MatchRequest
        from osler.verbs.match import match as run_match

        if questions is None and not question:
            raise InputError("there is no question", cure='osler match LIB "your question"')
        if (questions is None) != (run is None):
            raise InputError("--questions and --run come together", cure="add the other one")
        given = read_answers(answers) if answers is not None else None
        with Library.open(lib) as library:
            if questions is not None and run is not None:
                _run(library, questions, run, method, without_model)
                return
            request = MatchRequest(
                question=question,
                answers=tuple(given) if given is not None else None,
                k=k,
                method=method,
                explain=explain or html is not None or svg is not None,
                without_model=without_model,
            )
            ranking = run_match(library, request)
        if html is not None:
            from osler.explain.match_html import ranking_html

            html.write_text(ranking_html(ranking), encoding="utf-8")
        if svg is not None:
            from osler.explain.paths_svg import pair_svg

            if not ranking.hits:
                raise InputError("there is no answer to draw")
            svg.write_text(pair_svg(ranking.query, ranking.hits[0]), encoding="utf-8")
        if json:
            show.json_value(ranking)
            return
        from osler.explain.match_terminal import match_view

        show.console().print(match_view(ranking, explain=explain))
        if ranking.model:
            show.say(f"by the model {ranking.model} of this library; --without-model sets it aside")


def _run(
    library: Library, questions: Path, run: Path, method: str | None, without_model: bool
) -> None:
    """Score every list of a file and write a TREC run."""
    from osler.match.measure import run_of
    from osler.match.splits import read_lists
    from osler.measures.trec import write_run
    from osler.verbs.match import matcher_of

    lists = read_lists(questions)
    matcher, _ = matcher_of(library, method, without_model=without_model)
    with show.progress("questions", len(lists)) as update:
        scored = run_of(matcher, lists, progress=update)
    write_run(run, scored, tag=f"osler-{matcher.name}")
    show.say(f"{counted(len(lists), 'question')}: {run}")
