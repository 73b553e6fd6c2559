"""``osler simulate``: what the review desk would have saved on reviews that are over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands

if TYPE_CHECKING:
    from osler.rank.desk.labelled import Labelled
    from osler.verbs.simulate import Simulated


def register(commands: Commands) -> None:
    @commands.app.command()
    def simulate(
        lib: Annotated[Path | None, typer.Argument(help="A library, with LABELS.")] = None,
        labels: Annotated[
            Path | None, typer.Argument(help="All its decisions: TSV with document, label.")
        ] = None,
        csv: Annotated[
            list[Path] | None,
            typer.Option(help="A finished review: CSV with title, abstract, included. Repeatable."),
        ] = None,
        label: Annotated[str, typer.Option(help="The column of decisions.")] = "",
        seeds: Annotated[int, typer.Option(min=1, help="How many starts are drawn.")] = 5,
        out: Annotated[
            Path | None,
            typer.Option("--out", "-o", help="A folder for steps.tsv, summary.json, curve.svg."),
        ] = None,
        recall: Annotated[
            Path | None, typer.Option(help="A model of recall that --fit wrote.")
        ] = None,
        fit: Annotated[
            Path | None,
            typer.Option(help="Fit the model of recall on three reviews or more; write it here."),
        ] = None,
        json: Annotated[
            bool, typer.Option("--json", help="A JSON line a review and seed.")
        ] = False,
    ) -> None:
        """Screen finished reviews again: work saved, recall told at every step, when to stop.

        osler simulate --csv review.csv --out simulated
        osler simulate LIB labels.tsv --seeds 3
        """
        from osler.errors import InputError
        from osler.verbs.simulate import SimulateRequest, read_recall, simulate_review, write_recall
        from osler.verbs.simulate import fit as fit_recall

        if bool(csv) == (lib is not None) or (lib is not None and labels is None):
            raise InputError(
                "there is no finished review to screen",
                cure="osler simulate LIB LABELS, or osler simulate --csv FILE",
            )
        request = SimulateRequest(seeds=seeds, recall=read_recall(recall) if recall else None)
        simulations = []
        for review in _reviews(lib, labels, csv or [], label):
            if review.passed_over:
                show.say(f"note: {review.name}: {review.passed_over} without a decision left out")
            with show.progress(review.name) as update:
                simulations.append(
                    simulate_review(
                        review, request, tell=lambda _, done, total: update(done, total)
                    )
                )
            if out is not None:
                one = lib is not None or len(csv or []) == 1
                simulations[-1].write(out if one else out / review.name)
        if json:
            show.json_lines(
                {"name": one.name, **row} for one in simulations for row in one.summaries
            )
        else:
            _print(simulations)
            _print_rules(simulations)
        if fit is not None:
            write_recall(fit, fit_recall(simulations))
            show.say(f"{fit} is written; osler simulate --recall {fit} uses it")


def _reviews(
    lib: Path | None, labels: Path | None, csv: list[Path], label: str
) -> Iterator[Labelled]:
    from osler.rank.desk.labelled import read_labelled

    if lib is None or labels is None:
        yield from (read_labelled(path, label=label) for path in csv)
        return
    from osler.library import Library
    from osler.rank.labels import read_labels
    from osler.verbs.simulate import review_of

    with Library.open(lib) as library:
        yield review_of(library, read_labels(labels), name=labels.name.split(".")[0])


def _print(simulations: list[Simulated]) -> None:
    rows = []
    for one in simulations:
        for row in one.summaries:
            stopped = row["stopped_after"]
            rows.append(
                (
                    one.name,
                    row["seed"],
                    row["papers"],
                    row["relevant"],
                    *(f"{row[name]:.3f}" for name in ("wss95", "wss100", "rrf10", "atd")),
                    "-" if stopped is None else stopped,
                    "-" if stopped is None else f"{row['recall_at_stop']:.3f}",
                )
            )
    measured = ("WSS@95", "WSS@100", "RRF@10", "ATD")
    heads = ("review", "seed", "papers", "relevant", *measured, "stop after", "recall then")
    show.table(heads, rows, right=heads[1:])


def _print_rules(simulations: list[Simulated]) -> None:
    """What each stopping rule would have left, over all runs."""
    from osler.rank.desk.stopping import rules_table

    runs = [run for one in simulations for run in one.runs]
    rows = [
        (row.rule, *(f"{value:.3f}" for value in (row.safe, row.recall, row.least, row.saved)))
        for row in rules_table(runs)
    ]
    heads = (
        f"stopping rule, {len(runs)} runs", "at 95 % or more", "recall", "least", "work saved"
    )  # fmt: skip
    show.table(heads, rows, right=heads[1:])
