"""What the commands of ``osler project`` share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from osler.review.entries import Stage, Verdict

Named = Annotated[str, typer.Argument(help="The project's name.")]
Paper = Annotated[str, typer.Argument(help="A paper's id.")]
Reviewer = Annotated[str, typer.Option("--by", help="Who decides: a reviewer's name.")]
AtStage = Annotated[str, typer.Option(help="abstract (title and abstract), or full text.")]
Json = Annotated[bool, typer.Option("--json", help="As JSON.")]
Question = Annotated[str | None, typer.Option(help="The question of the review.")]
Population = Annotated[str | None, typer.Option(help="P of PICO: who.")]
Intervention = Annotated[str | None, typer.Option(help="I of PICO: what is done.")]
Comparison = Annotated[str | None, typer.Option(help="C of PICO: against what.")]
Outcome = Annotated[str | None, typer.Option(help="O of PICO: what is measured.")]
Criteria = Annotated[str | None, typer.Option(help="What is included.")]
Source = Annotated[list[str] | None, typer.Option(help="A source to be searched. Repeatable.")]
Reason = Annotated[list[str] | None, typer.Option(help="A reason to exclude. Repeatable.")]
Highlight = Annotated[list[str] | None, typer.Option(help="A word to mark in texts. Repeatable.")]
Reviewers = Annotated[int | None, typer.Option(min=1, help="How many must agree.")]


def stage_of(text: str) -> Stage:
    from osler.errors import ChoiceError
    from osler.review.entries import STAGES

    if text not in STAGES:
        raise ChoiceError("stage", text, list(STAGES))
    return text


def verdict_of(text: str) -> Verdict:
    from osler.errors import ChoiceError
    from osler.review.entries import VERDICTS

    if text not in VERDICTS:
        raise ChoiceError("verdict", text, list(VERDICTS))
    return text
