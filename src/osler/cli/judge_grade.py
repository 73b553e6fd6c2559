"""``osler judge grade``: a judging list out of several methods, marks, verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands


def register(commands: Commands) -> None:
    @commands.judge.command("grade")
    def judge_grade(
        place: Annotated[Path, typer.Argument(help="A library (with --facts), or a judging list.")],
        facts: Annotated[
            Path | None, typer.Option(help="Facts to pool for: TSV with head, relation, tail.")
        ] = None,
        methods: Annotated[
            str, typer.Option(help="Graders whose best papers are pooled; words is BM25.")
        ] = "words,rule",
        top: Annotated[int, typer.Option(help="Papers of each method.")] = 5,
        annotator: Annotated[
            str | None, typer.Option(help="Mark papers here, one by one, under this name.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", "-o", help="Where the list or verdicts go.")
        ] = None,
    ) -> None:
        """Pool papers to judge, mark them, settle three annotators' marks.

        osler judge grade LIB --facts facts.tsv --out list.tsv
        osler judge grade list.tsv --annotator first
        osler judge grade list.tsv --out settled.tsv
        """
        from osler.errors import InputError
        from osler.grade.judging import decide, read_tasks, write_tasks

        if facts is not None:
            from osler.grade.judging import read_facts
            from osler.library import Library
            from osler.verbs.grade_training import pooled_tasks

            if out is None:
                raise InputError("the list needs a place", cure="add --out list.tsv")
            with Library.open(place) as library:
                named = [name.strip() for name in methods.split(",") if name.strip()]
                tasks = pooled_tasks(library, read_facts(facts), named, top=top)
            write_tasks(out, tasks)
            show.say(f"{len(tasks):,} papers to judge: {out}")
            return
        if not place.is_file():
            raise InputError(f"there is no judging list {place}", cure="make one with --facts")
        tasks = read_tasks(place)
        if annotator is not None:
            _mark(tasks, annotator)
            write_tasks(place, tasks)
            return
        outcome = decide(tasks)
        for pair, kappa in outcome.kappas.items():
            typer.echo(f"kappa of {pair}: {kappa:.3f}")
        typer.echo(f"{outcome.decided} of {len(tasks)} settled")
        for task, verdict in zip(tasks, outcome.verdicts, strict=True):
            if verdict.label is None:
                fact = f"{task.head}, {task.relation}, {task.tail}"
                typer.echo(f"to discuss: {fact}: {task.paper}: {verdict.why}")
        if out is not None:
            write_tasks(out, tasks, outcome)
            show.say(f"{out} is written")


def _mark(tasks: list, annotator: str) -> None:  # type: ignore[type-arg]
    """Ask for each paper that this annotator has not marked; q stops."""
    from osler.errors import InputError
    from osler.grade.judging import COLUMNS
    from osler.grade.scale import GRADES

    if annotator in (*COLUMNS[:6], "label", "why") or not annotator.strip():
        raise InputError(f"{annotator!r} cannot be an annotator's name")
    for number, task in enumerate(tasks, 1):
        if annotator in task.marks:
            continue
        show.say(f"\n{number} of {len(tasks)}: {task.head}, {task.relation}, {task.tail}")
        show.say(f"  {task.title} ({task.paper})\n  {task.sentence}")
        answer = ""
        while answer not in (*GRADES, "Q"):
            asked = typer.prompt("  H highly, F fairly, M marginally, I not relevant, q", err=True)
            answer = str(asked).strip().upper()
        if answer == "Q":
            return
        task.marks[annotator] = answer
