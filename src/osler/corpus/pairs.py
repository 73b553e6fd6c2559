"""Questions with their answers, as services keep them: CSV, TSV or JSON lines.

Columns (or keys): ``question``, ``answer``, and where there are such ``id`` (or ``_id``),
``department`` and ``title``. A title, the question's short form, is put in front of it. Where a
pair says what it is about (``focus``) and what else that is called (``synonyms``, a list or
between bars), `match` meets those names too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from osler.corpus import fields, making
from osler.errors import FieldError, FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import BAD_LINE, Head, Source
from osler.files.table import header_of, rows
from osler.kinds import Pair, Reject
from osler.settings import MAX_FIELD

NEEDED = ("question", "answer")
BETWEEN = "|"
TAKEN = frozenset({"id", "_id", "question", "answer", "department", "title"})
_KEY = re.compile(r'[{,]\s*"([A-Za-z_]{1,40})"\s*:')


@readers.register("pairs")
class Pairs(Reader):
    """One pair a row. Other columns are kept in the metadata."""

    name = "pairs"
    help = "questions with answers as CSV, TSV or JSON lines: question, answer, department"
    gives = "pairs"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        line = head.text.lstrip().split("\n", 1)[0]
        names = set(_KEY.findall(line)) if line.startswith("{") else set(header_of(head.text))
        return set(NEEDED) <= {name.lower() for name in names}

    def read(self, source: Source) -> Iterator[Item]:
        start = source.head().text.lstrip()
        rows = _lines(source) if start.startswith("{") else _table(source)
        for place, record in rows:
            yield record if isinstance(record, Reject) else _pair(record, source.name, place)


def _table(source: Source) -> Iterator[tuple[str, dict[str, Any] | Reject]]:
    known = False
    for row in rows(source):
        if isinstance(row, Reject):
            yield "", row
            continue
        number, cells = row
        record = {name.lower(): cell for name, cell in cells.items()}
        if not known:
            _require(record, source.name)
            known = True
        yield f"line {number}", record


def _lines(source: Source) -> Iterator[tuple[str, dict[str, Any] | Reject]]:
    empty = True
    for number, line in source.lines():
        place = f"line {number}"
        if line is None:
            yield place, Reject(source.name, place, BAD_LINE)
        elif line.strip():
            record = making.json_object(line)
            if record is None:
                yield place, Reject(source.name, place, "not a JSON object")
            else:
                yield place, record
        else:
            continue
        empty = False
    if empty:
        raise FormatError(f"{source.name} is empty")


def _require(record: Mapping[str, Any], name: str) -> None:
    missing = [column for column in NEEDED if column not in record]
    if missing:
        raise FieldError(
            f"{name} has no column {' and no column '.join(map(repr, missing))}",
            # Not the columns that it has: without a header these are somebody's question.
            cure="the first line of a file of pairs names the columns question and answer",
        )


def _pair(record: Mapping[str, Any], file: str, place: str) -> Pair | Reject:
    def cell(*names: str) -> str:
        for name in names:
            value = record.get(name)
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
                return fields.clean(str(value)).strip()
        return ""

    question, answer, title = cell("question"), cell("answer"), cell("title")
    if title and title not in question:
        question = f"{title}\n{question}".strip()
    if not question or not answer:
        return Reject(file, place, "no question" if not question else "no answer")
    if max(len(question), len(answer)) > MAX_FIELD.get():
        return Reject(file, place, f"a text longer than {MAX_FIELD.get()} characters")
    id = cell("_id", "id")
    if not id:
        hashed = f"{question}\x1f{answer}".encode("utf-8", "surrogatepass")
        id = f"pair:{hashlib.sha256(hashed).hexdigest()[:16]}"
    if len(id) > 500:
        return Reject(file, place, "an id of more than 500 characters")
    more = {
        fields.clean(str(name)): fields.clean(str(value))
        for name, value in ((name, _joined(value)) for name, value in record.items())
        if name not in TAKEN and isinstance(value, str | int | float) and str(value).strip()
    }
    return Pair(
        id=id, question=question, answer=answer, department=cell("department"), metadata=more
    )


def _joined(value: Any) -> Any:
    """A list of texts as one, between bars."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return BETWEEN.join(value)
    return value
