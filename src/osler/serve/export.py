"""What a view shows as a file: JSON, CSV, RIS for papers, a TREC run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from starlette.responses import Response

from osler.corpus.writing import ris
from osler.errors import ChoiceError
from osler.explain.flat import hit_columns, hit_row, stance_cells
from osler.files.spreadsheet import csv_rows
from osler.kinds import Document, Hit, StanceReason
from osler.verbs.formats import MEDIA, run_line

FORMATS = ("json", "csv", "ris", "trec")


def file_answer(name: str, format: str, body: bytes | str) -> Response:
    if format not in FORMATS:
        raise ChoiceError("format", format, FORMATS)
    return Response(
        body,
        media_type=MEDIA[format],
        headers={"Content-Disposition": f'attachment; filename="osler-{name}.{format}"'},
    )


def json_file(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1)


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as CSV."""
    return csv_rows([columns, *rows])


def hits_file(
    name: str,
    format: str,
    value: Any,
    hits: Sequence[Hit],
    *,
    tag: str,
    documents: Callable[[], Sequence[Document]],
) -> Response:
    """Hits in any of the formats; ``documents`` are asked for when a format needs them."""
    if format == "json":
        return file_answer(name, format, json_file(value))
    if format == "csv":
        sided = any(isinstance(reason, StanceReason) for hit in hits for reason in hit.reasons)
        rows = [
            hit_row(number, hit) + (stance_cells(hit) if sided else [])
            for number, hit in enumerate(hits, 1)
        ]
        return file_answer(name, format, table(hit_columns(stance=sided), rows))
    if format == "ris":
        return file_answer(name, format, "".join(map(ris, documents())))
    if format == "trec":
        return file_answer(name, format, run(hits, tag))
    raise ChoiceError("format", format, FORMATS)


def run(hits: Sequence[Hit], tag: str) -> str:
    """A TREC run of one query."""
    return "".join(run_line(hit.id, rank, hit.score, tag) for rank, hit in enumerate(hits, 1))
