"""Candidate answers out of a file: JSON lines, a table, or one answer a line."""

from __future__ import annotations

from pathlib import Path

import msgspec

from osler.errors import FieldError, InputError
from osler.files.source import Source
from osler.files.table import header_of, rows
from osler.kinds import Reject
from osler.match.matcher import Candidate

TEXTS = ("answer", "text")
IDS = ("id", "_id")


def read_answers(path: Path) -> list[Candidate]:
    """Answers with ids; without an id column an answer's id is its line.

    A table or JSON lines need ``answer`` (or ``text``); a ``.txt`` file has one answer a line.
    """
    source = Source(path)
    head = source.head()
    if head.text.lstrip().startswith("{"):
        rows = _json(source)
    elif head.suffix == ".txt":
        rows = [(str(n), line.strip()) for n, line in source.sure_lines()]
    else:
        rows = _table(source, header_of(head.text))
    candidates: dict[str, Candidate] = {}
    for id, text in rows:
        if id in candidates:
            raise FieldError(f"{source.name} names the answer {id[:100]!r} twice")
        candidates[id] = Candidate(id, text)
    if not candidates:
        raise InputError(f"{source.name} holds no answer")
    return list(candidates.values())


def _json(source: Source) -> list[tuple[str, str]]:
    rows = []
    for number, line in source.sure_lines():
        try:
            row = msgspec.json.decode(line, type=dict[str, object])
        except (ValueError, RecursionError):
            raise FieldError(f"{source.name} line {number} is not a JSON object") from None
        text = next((str(row[key]) for key in TEXTS if row.get(key)), "")
        if not text.strip():
            raise FieldError(
                f"{source.name} line {number} has no answer", cure='write {"id": ..., "text": ...}'
            )
        rows.append((next((str(row[key]) for key in IDS if key in row), str(number)), text))
    return rows


def _table(source: Source, header: list[str]) -> list[tuple[str, str]]:
    listed = []
    for row in rows(source):
        if isinstance(row, Reject):
            raise FieldError(f"{source.name} {row.place}: {row.reason}")
        number, cells = row
        named = {name.lower(): cell for name, cell in cells.items()}
        column = next((name for name in TEXTS if name in named), None)
        if column is None:
            raise FieldError(
                f"{source.name} has no column 'answer' or 'text'",
                cure=f"columns: {', '.join(header or named)[:200]}; a .txt file has one answer "
                "a line",
            )
        if named[column].strip():
            id = next((named[key] for key in IDS if named.get(key)), str(number))
            listed.append((id, named[column].strip()))
    return listed
