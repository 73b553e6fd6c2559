"""What commands share: tables, JSON lines, CSV, progress. Standard output is for results alone;
progress and notes go to standard error."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from osler.text.chance import chance
from osler.text.counted import counted

if TYPE_CHECKING:
    from osler.kinds import Ranking


def console(*, stderr: bool = False) -> Any:
    from rich.console import Console

    # A pipe has no width; who sets COLUMNS has one in mind.
    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 200
    # A title is shown as it is written: ":pill:" is no picture.
    return Console(stderr=stderr, highlight=False, emoji=False, width=wide)


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
        say(counted(ranking.total, "paper matches", "papers match"))
    if ranking.verdict is not None:
        kind, probability = ranking.verdict.kind, ranking.verdict.probability
        text = f": {ranking.verdict.text}" if ranking.verdict.text else ""
        say(f"verdict: {kind} (probability of an answer {chance(probability)}){text}")
    if ranking.suggestion:
        say(f"did you mean: {ranking.suggestion}  (--accept-spelling searches for that)")
    for note in ranking.notes:
        say(f"note: {note}")
    if ranking.model:
        say(f"by the model {ranking.model} of this library; --without-model sets it aside")


def json_value(value: Any) -> None:
    sys.stdout.write(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=1) + "\n")


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """CSV on standard output."""
    from osler.files.spreadsheet import csv_rows

    sys.stdout.write(csv_rows([columns, *rows], end="\n"))


def say(text: str) -> None:
    """A line for the person at the terminal, on standard error."""
    sys.stderr.write(text + "\n")


Update = Callable[[int, int | None], None]


@contextlib.contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Update]:
    """A bar on a terminal; elsewhere nothing. Yields ``update(done, total)``."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, Progress, TextColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[told]}"),
        console=console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=total, told="")

        def update(done: int, total: int | None) -> None:
            spent = bar.tasks[0].elapsed or 0.0
            bar.update(task, completed=done, total=total, told=how_far(done, total, spent))

        yield update


def how_far(done: int, total: int | None, spent: float) -> str:
    """What stands beside a bar: how many of how many, the time gone, and the time left where the
    whole is known, at the pace so far."""
    if not total:
        return f"{done:,}, {clock(spent)} gone"
    told = f"{done:,} of {total:,}, {clock(spent)} gone"
    left = spent * (total - done) / done if done else 0.0
    return f"{told}, {clock(left)} left" if 0 < done < total else told


def clock(seconds: float) -> str:
    """Minutes and seconds, with hours where there are some."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
