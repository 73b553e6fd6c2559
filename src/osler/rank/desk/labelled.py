"""Papers of a finished review with the reviewers' decisions: a table as ASReview keeps it.

One row a paper: a title, an abstract, and a column that says whether it was included.
"""

from __future__ import annotations

import re
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
    "asreview_label",
    "decision",
    "final_decision",
    "screening_decision",
)
"""Columns that hold the decision: as ASReview accepts them, then as others call them. Case, blanks
and signs do not count."""
TITLES = ("title", "primary_title", "ti")
ABSTRACTS = ("abstract", "abstract_note", "notes_abstract", "ab")
IDS = ("id", "record_id", "pmid", "openalex_id", "doi")
YES = {"1", "1.0", "true", "yes", "y", "included", "include", "relevant"}
NO = {"0", "0.0", "false", "no", "n", "excluded", "exclude", "irrelevant"}
NONE = {
    "",
    "-1",
    "-1.0",
    "nan",
    "na",
    "n/a",
    "none",
    "maybe",
    "unsure",
    "undecided",
    "unclear",
    "?",
}
"""Nobody has decided, or nobody could."""


class Labelled(msgspec.Struct, frozen=True):
    """The papers of one review in the order of the file. ``passed_over`` rows had no decision,
    ``broken`` ones were no rows of the table; ``blank`` papers have neither title nor abstract."""

    name: str
    ids: list[str]
    texts: list[str]
    relevant: list[bool]
    passed_over: int
    broken: int = 0

    @property
    def blank(self) -> int:
        return sum(not text for text in self.texts)


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
    passed_over = broken = 0
    for row in lines:
        if isinstance(row, Reject):
            broken += 1
            continue
        line, cells = row
        by_name = {_plain(column): value for column, value in cells.items()}
        column = _plain(label) if label else next((c for c in LABELS if c in by_name), "")
        if column not in by_name:
            raise FormatError(
                f"{file} has no column {label!r} of decisions"
                if label
                else f"{file} has no column of decisions",
                cure=f"name it with --label; its columns are {', '.join(cells)}",
            )
        if not any(name in by_name for name in (*TITLES, *ABSTRACTS)):
            raise FormatError(
                f"{file} has no column of titles or abstracts",
                cure=f"call them title and abstract; its columns are {', '.join(cells)}",
            )
        decision = by_name[column].strip().lower()
        if decision in NONE:
            passed_over += 1
            continue
        if decision not in YES | NO:
            raise FieldError(
                f"{file} line {line}: {decision[:20]!r} is no decision",
                cure="1, yes or include for a relevant paper, 0, no or exclude for another one, "
                "nothing or maybe where nobody decided",
            )
        title, abstract = _first(by_name, TITLES), _first(by_name, ABSTRACTS)
        ids.append(_first(by_name, IDS) or str(line))
        texts.append(f"{title} {abstract}".strip())
        relevant.append(decision in YES)
    review = Labelled(name, ids, texts, relevant, passed_over, broken)
    _check(file, review)
    return review


def _check(file: str, review: Labelled) -> None:
    """Whether there is something to find, something to pass over, and something to tell by."""
    papers, included = len(review.relevant), sum(review.relevant)
    if not papers:
        raise FormatError(f"{file} holds no paper with a decision")
    if included in (0, papers):
        raise FormatError(
            f"{file} does not hold papers of both kinds: "
            f"{'all' if included else 'none'} of {papers:,} included",
            cure="a finished review has papers that were included and others that were not",
        )
    if review.blank == papers:
        raise FormatError(
            f"{file} has neither titles nor abstracts", cure="an order is made from their words"
        )


def _plain(column: str) -> str:
    """A column's name without case, blanks and signs: "Label included?" is label_included."""
    return re.sub(r"\W+", "_", column.lower()).strip("_")


def _first(cells: dict[str, str], columns: tuple[str, ...]) -> str:
    return next((cells[column] for column in columns if cells.get(column)), "")
