"""What commands share: tables, JSON lines, CSV, progress. Standard output is for results alone;
progress and notes go to standard error."""

from __future__ import annotations

import contextlib
import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from osler.kinds import Ranking


def console(*, stderr: bool = False) -> Any:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, width=None if sys.stdout.isatty() else 200)


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    right: Sequence[str] = (),
) -> None:
    """A table for people; ``right`` names the columns of numbers."""
    from rich.markup import escape
    from rich.table import Table

    grid = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for name in columns:
        grid.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(escape(str(cell)) for cell in row))
    console().print(grid)


def json_lines(values: Iterable[Any]) -> None:
    """One JSON object a line."""
    for value in values:
        sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def hits(ranking: Ranking, *, whole: bool = False) -> None:
    """A ranking as JSON: a hit a line, or all that the other doors say of it as one object."""
    if whole:
        json_value(ranking)
    else:
        json_lines(ranking.hits)


def told(ranking: Ranking) -> None:
    """What is to be known beside the hits: notes, and the trained model that was at work."""
    if ranking.total is not None:
        say(f"{ranking.total:,} papers match")
    if ranking.verdict is not None:
        kind, probability = ranking.verdict.kind, ranking.verdict.probability
        text = f": {ranking.verdict.text}" if ranking.verdict.text else ""
        say(f"verdict: {kind} (probability of an answer {probability:.2f}){text}")
    if ranking.suggestion:
        say(f"did you mean: {ranking.suggestion}  (--accept-spelling searches for that)")
    for note in ranking.notes:
        say(f"note: {note}")
    if ranking.model:
        say(f"by the model {ranking.model} of this library; --without-model sets it aside")


def json_value(value: Any) -> None:
    sys.stdout.write(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=1) + "\n")


def csv_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """CSV whose cells no spreadsheet takes for a formula."""
    from osler.explain.flat import inert

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([inert(cell) for cell in row])


def say(text: str) -> None:
    """A line for the person at the terminal, on standard error."""
    sys.stderr.write(text + "\n")


@contextlib.contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[int, int | None], None]]:
    """A bar on a terminal; elsewhere nothing. Yields ``update(done, total)``."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=total)

        def update(done: int, total: int | None) -> None:
            bar.update(task, completed=done, total=total)

        yield update
