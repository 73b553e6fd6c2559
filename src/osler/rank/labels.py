"""Labels: which papers a person has marked as relevant to a topic, or not.

The file is TSV with a header: ``document``, ``label`` (1 relevant, 0 not), and optionally
``topic`` and ``sentence`` (a relevant sentence, as it stands in the paper). A paper with several
relevant sentences has several rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from osler.errors import FieldError, FormatError, InputError
from osler.files.source import Source

COLUMNS = ("document", "label", "topic", "sentence")


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    document: str
    relevant: bool
    topic: str = ""
    sentence: str = ""


def read_labels(path: str | Path) -> list[Label]:
    """The labels of a TSV file. A row that contradicts another one is an error."""
    source = Source(path)
    labels = list(_rows(source))
    if not labels:
        raise InputError(f"{source.name} holds no labels", cure="mark at least one paper")
    check(labels, where=source.name)
    return labels


def check(labels: Iterable[Label], *, where: str = "the labels") -> None:
    """Raise where one paper is marked as relevant and as not, for the same topic."""
    marks: dict[tuple[str, str], bool] = {}
    for label in labels:
        key = (label.topic, label.document)
        if marks.setdefault(key, label.relevant) != label.relevant:
            raise FieldError(
                f"{where} marks {label.document} as relevant and as not", cure="keep one of the two"
            )


def _rows(source: Source) -> Iterator[Label]:
    header: list[str] | None = None
    for number, line in source.sure_lines():
        fields = [field.strip() for field in line.split("\t")]
        if header is None:
            header = [field.lower() for field in fields]
            if header[:2] != ["document", "label"] or set(header) - set(COLUMNS):
                raise FormatError(
                    f"{source.name} has no header of labels",
                    cure="begin it with: document, label[, topic, sentence], separated by tabs",
                )
            continue
        if len(fields) > len(header) or len(fields) < 2:
            raise FieldError(
                f"{source.name} line {number} has {len(fields)} fields, expected {len(header)}"
                f" ({', '.join(header)})"
            )
        row = dict(zip(header, fields, strict=False))
        if not row["document"]:
            raise FieldError(f"{source.name} line {number} names no document")
        if row["label"] not in ("0", "1"):
            raise FieldError(
                f"{source.name} line {number} has a label other than 1 (relevant) and 0 (not)"
            )
        yield Label(
            row["document"], row["label"] == "1", row.get("topic", ""), row.get("sentence", "")
        )
