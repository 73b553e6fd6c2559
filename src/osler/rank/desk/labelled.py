"""Papers of a finished review with the reviewers' decisions: a table as ASReview keeps it.

One row a paper: a title, an abstract, and a column that says whether it was included.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from osler.errors import FieldError, FormatError
from osler.files.source import Source
from osler.files.table import Row, rows
from osler.kinds import Reject

LABELS = (
    "included",
    "label_included",
    "final_included",
    "included_label",
    "included_final",
    "included_flag",
    "include",
    "label",
)
"""Columns that hold the decision, as ASReview accepts them."""
TITLES = ("title", "primary_title", "ti")
ABSTRACTS = ("abstract", "abstract note", "notes_abstract", "ab")
IDS = ("id", "record_id", "pmid", "openalex_id", "doi")
YES = {"1", "1.0", "true", "yes", "included", "include", "relevant"}
NO = {"0", "0.0", "false", "no", "excluded", "exclude", "irrelevant"}


class Labelled(msgspec.Struct, frozen=True):
    """The papers of one review in the order of the file; ``passed_over`` rows had no decision."""

    name: str
    ids: list[str]
    texts: list[str]
    relevant: list[bool]
    passed_over: int = 0


def read_labelled(path: str | Path, *, label: str = "") -> Labelled:
    """The papers of a table; ``label`` names the column of decisions where it has another name."""
    source = Source(path)
    name = source.name.removesuffix(".gz").rsplit(".", 1)[0]
    return labelled_of(name, source.name, rows(source), label=label)


def labelled_of(
    name: str, file: str, lines: Iterable[Row | Reject], *, label: str = ""
) -> Labelled:
    """The papers of a table's rows; ``file`` is what errors call it."""
    ids: list[str] = []
    texts: list[str] = []
    relevant: list[bool] = []
    passed_over = 0
    for row in lines:
        if isinstance(row, Reject):
            passed_over += 1
            continue
        line, cells = row
        low = {column.strip().lower(): value for column, value in cells.items()}
        column = label.lower() if label else next((c for c in LABELS if c in low), "")
        if column not in low:
            raise FormatError(
                f"{file} has no column {label!r} of decisions"
                if label
                else f"{file} has no column of decisions",
                cure=f"name it with --label; its columns are {', '.join(cells)}",
            )
        decision = low[column].strip().lower()
        if decision not in YES | NO:
            if decision in ("", "-1"):
                passed_over += 1
                continue
            raise FieldError(
                f"{file} line {line}: {decision[:20]!r} is no decision",
                cure="1 for a relevant paper, 0 for another one",
            )
        title, abstract = _first(low, TITLES), _first(low, ABSTRACTS)
        ids.append(_first(low, IDS) or str(line))
        texts.append(f"{title} {abstract}".strip())
        relevant.append(decision in YES)
    if not any(relevant) or all(relevant):
        raise FormatError(f"{file} does not hold papers of both kinds")
    return Labelled(name, ids, texts, relevant, passed_over)


def _first(cells: dict[str, str], columns: tuple[str, ...]) -> str:
    return next((cells[column] for column in columns if cells.get(column)), "")
