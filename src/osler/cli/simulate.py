"""``osler simulate``: what the review desk would have saved on reviews that are over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from osler.cli import show
from osler.cli.commands import Commands
from osler.text.counted import counted

if TYPE_CHECKING:
    from osler.rank.desk.labelled import Labelled
    from osler.rank.desk.recall import RecallModel
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
            typer.Option(
                help="A finished review: CSV with title, abstract, included, or a project file of "
                "ASReview. Repeatable."
            ),
        ] = None,
        label: Annotated[str, typer.Option(help="The column of decisions.")] = "",
        method: Annotated[
            list[str] | None,
            typer.Option(help="What orders the papers: elas, any ranker, asreview. Repeatable."),
        ] = None,
        seeds: Annotated[int, typer.Option(min=1, help="How many starts are drawn.")] = 5,
        out: Annotated[
            Path | None,
            typer.Option("--out", "-o", help="A folder for steps.tsv, summary.json and the curve."),
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
        osler simulate --csv review.csv --method elas --method hybrid --method asreview
        """
        from osler.errors import InputError
        from osler.verbs.simulate import METHOD, read_recall, write_recall
        from osler.verbs.simulate import fit as fit_recall

        if bool(csv) == (lib is not None) or (lib is not None and labels is None):
            raise InputError(
                "there is no finished review to screen",
                cure="osler simulate LIB LABELS, or osler simulate --csv FILE",
            )
        methods = method or [METHOD]
        model = read_recall(recall) if recall else None
        reviews = list(_reviews(lib, labels, csv or [], label))
        simulations = []
        for review in reviews:
            _note(review)
            for name in methods:
                simulations.append(_screened(review, name, seeds, model))
                if out is not None:
                    place = out if len(reviews) == 1 else out / review.name
                    simulations[-1].write(place if len(methods) == 1 else place / name)
        if json:
            show.json_lines(
                {"name": one.name, "method": one.method, **row}
                for one in simulations
                for row in one.summaries
            )
        else:
            _print(simulations)
            _print_rules(simulations)
        if fit is not None:
            own = [one for one in simulations if one.method == methods[0]]
            write_recall(fit, fit_recall(own))
            show.say(f"{fit} is written; osler simulate --recall {fit} uses it")


def _note(review: Labelled) -> None:
    """What of a file does not take part, or only by chance."""
    for count, of in (
        (review.passed_over, "without a decision left out"),
        (review.broken, "rows that are none of the table's left out"),
        (review.blank, "with neither title nor abstract, which no order can tell apart"),
    ):
        if count:
            show.say(f"note: {review.name}: {count:,} {of}")


def _screened(review: Labelled, method: str, seeds: int, recall: RecallModel | None) -> Simulated:
    from osler.verbs.simulate import SimulateRequest, simulate_review

    request = SimulateRequest(method=method, seeds=seeds, recall=recall)
    with show.progress(review.name) as update:
        return simulate_review(review, request, tell=lambda _, done, total: update(done, total))


def _reviews(
    lib: Path | None, labels: Path | None, csv: list[Path], label: str
) -> Iterator[Labelled]:
    from osler.verbs.simulate import read_review, review_of

    if lib is None or labels is None:
        yield from (read_review(path, label=label) for path in csv)
        return
    from osler.library import Library
    from osler.rank.labels import read_labels

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
                    one.method,
                    row["seed"],
                    row["papers"],
                    row["relevant"],
                    *(f"{row[name]:.3f}" for name in ("wss95", "wss100", "rrf10", "atd")),
                    "-" if stopped is None else stopped,
                    "-" if stopped is None else f"{row['recall_at_stop']:.3f}",
                )
            )
    measured = ("WSS@95", "WSS@100", "RRF@10", "ATD")
    heads = (
        "review",
        "method",
        "seed",
        "papers",
        "relevant",
        *measured,
        "stop after",
        "recall then",
    )
    show.table(heads, rows, right=heads[2:])


def _print_rules(simulations: list[Simulated]) -> None:
    """What each stopping rule would have left, over all runs of a method."""
    from osler.rank.desk.stopping import rules_table

    for method in dict.fromkeys(one.method for one in simulations):
        runs = [run for one in simulations if one.method == method for run in one.runs]
        rows = [
            (row.rule, *(f"{value:.3f}" for value in (row.safe, row.recall, row.least, row.saved)))
            for row in rules_table(runs)
        ]
        about = f"stopping rule, {counted(len(runs), 'run')} of {method}"
        heads = (about, "at 95 % or more", "recall", "least", "work saved")
        show.table(heads, rows, right=heads[1:])
