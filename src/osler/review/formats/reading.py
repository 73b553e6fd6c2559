"""A file of references with decisions, whichever program wrote it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from osler.corpus.columns import Columns
from osler.errors import ChoiceError
from osler.files.archive import is_archive
from osler.files.source import Source
from osler.files.table import rows
from osler.kinds import Document, Reject
from osler.review.formats import asreview_file, eppi, rayyan, ris, tables
from osler.review.formats.seal import Carried, opened, unseal

Written = Callable[[Sequence[Carried]], str | bytes]

WRITERS: dict[str, tuple[str, str, Written]] = {
    "ris": ("ris", "RIS with notes, as reference managers and ASReview read it", ris.write),
    "csv": ("csv", "a table with a row a paper", tables.write_csv),
    "asreview": ("csv", "ASReview's table, with the column included", tables.write_asreview),
    "asreview-project": ("asreview", "ASReview's project file", asreview_file.write),
    "rayyan": ("csv", "Rayyan's table, decisions in its notes", rayyan.write),
    "covidence": ("csv", "Covidence's table, reasons in its notes", tables.write_covidence),
    "eppi": ("json", "EPPI-Reviewer's JSON, a code set a stage", eppi.write),
}
"""By name: how a file ends, what it is, who writes it."""

_DECISIONS = {
    *tables.LABELS,
    *tables.NAMES.values(),
    tables.SEAL_COLUMN,
    "notes",
    "tags",
    "reason",
    "reviewers",
    "record_id",
    "ref",
    "study",
}
_SPELLED = {"Volume": "volume", "Issue": "issue", "Pages": "pages"}


def written(format: str, papers: Sequence[Carried]) -> bytes:
    """Papers in a format, with all that was decided on them."""
    if format not in WRITERS:
        raise ChoiceError("format", format, WRITERS)
    text = WRITERS[format][2](papers)
    return text if isinstance(text, bytes) else text.encode("utf-8")


def read(source: Source) -> Iterator[Carried | Reject]:
    """The papers of a file; its kind is told by how it begins."""
    if is_archive(source):
        return _project(source)
    with source.open() as stream:
        start = stream.read(4_096).lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return eppi.read(source)
    head = start.decode("utf-8", "replace")
    return ris.read(source) if "TY  -" in head or "TY -" in head else _table(source)


def _project(source: Source) -> Iterator[Carried | Reject]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "project.csv"
        file.write_text(asreview_file.table_of(source), encoding="utf-8")
        yield from _table(Source(file, name=source.name))


def _table(source: Source) -> Iterator[Carried | Reject]:
    for item, row in zip(Columns().read(source), rows(source), strict=True):
        if isinstance(item, Reject) or isinstance(row, Reject):
            yield item if isinstance(item, Reject) else row  # type: ignore[misc]
            continue
        if isinstance(item, Document):
            yield _opened(item, row[1])


def _opened(document: Document, cells: dict[str, str]) -> Carried:
    sealed, damaged = None, False
    bare = {}
    for name, value in cells.items():
        bare[name], inside, broken = unseal(value)
        sealed, damaged = inside or sealed, broken or damaged
    # What was decided is no property of the paper.
    kept = {
        _SPELLED.get(name, name): value
        for name, value in document.metadata.items()
        if name.lower() not in _DECISIONS and not name.lower().startswith("asreview_")
    }
    document = msgspec.structs.replace(document, metadata=kept)
    notes = next((value for name, value in bare.items() if name.lower() == "notes"), "")
    shown = rayyan.read_notes(notes, document.id, "rayyan")
    shown = shown or tables.shown_in_row(bare, document.id)
    return opened(document, sealed, shown, damaged=damaged)
