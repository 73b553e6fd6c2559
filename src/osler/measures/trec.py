"""The files that experiments exchange: runs, qrels and queries.

| file | a line |
| --- | --- |
| run | ``query Q0 document rank score tag`` |
| qrels | ``query iteration document grade``; or, under BEIR's header, ``query document grade`` |
| queries | ``{"_id": ..., "text": ...}`` (``id`` and ``question`` serve as well) |

Fields of runs and qrels are separated by blanks or tabs, so an id holds none. A line that cannot
be used is an error that names file and line: a judgement that is dropped silently would change a
measure.

Ties
    trec_eval ignores the rank column. It reads scores in single precision, highest first, and
    orders equal ones by document id, *descending*. Osler shows ties by id ascending. So that both
    see one order, ``write_run`` sorts by score, then by id ascending, and lowers a score that
    single precision cannot tell from the one above it to the next number below (``untied``). All
    other scores are written in the shortest text that reads back as the same number.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from osler.errors import FieldError, FormatError, InputError, StorageError
from osler.files.source import Source
from osler.kinds import Run

Qrels = dict[str, dict[str, int]]
"""Grades by query and document."""

_BLANKS = re.compile(r"[ \t\r\v\f]+")
# What would split a field in two, or end it early, in this or another program's reader.
_UNFIT = re.compile(r"[\x00-\x20\x7f]")
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BEIR_HEADER = ("query-id", "corpus-id", "score")
_FLOAT32_MAX = float(np.finfo(np.float32).max)


def read_run(path: str | Path) -> Run:
    """Scores by query and document. The rank column must be a number and is not used."""
    source = Source(path)
    run: Run = {}
    places: dict[tuple[str, str], int] = {}
    for number, fields in _rows(source):
        if len(fields) != 6:
            raise _wrong(source, number, fields, "6 (query, Q0, document, rank, score, tag)")
        query, _, document, rank, score, _ = fields
        if not _INTEGER.fullmatch(rank):
            raise FieldError(f"{source.name} line {number}: the rank is not a whole number")
        if not _NUMBER.fullmatch(score) or abs(float(score)) > _FLOAT32_MAX:
            raise FieldError(f"{source.name} line {number}: the score is not a finite number")
        _once(source, places, query, document, number)
        run.setdefault(query, {})[document] = float(score)
    return run


def read_qrels(path: str | Path) -> Qrels:
    """Grades by query and document. BEIR's three columns are read only under BEIR's header."""
    source = Source(path)
    qrels: Qrels = {}
    places: dict[tuple[str, str], int] = {}
    beir = False
    for index, (number, fields) in enumerate(_rows(source)):
        if index == 0 and tuple(fields) == _BEIR_HEADER:
            beir = True
            continue
        if beir and len(fields) == 3:
            query, document, grade = fields
        elif beir:
            raise _wrong(source, number, fields, "3 (query-id, corpus-id, score)")
        elif len(fields) == 4:
            query, _, document, grade = fields
        else:
            raise _wrong(source, number, fields, "4 (query, iteration, document, grade)")
        if not _INTEGER.fullmatch(grade):
            raise FieldError(f"{source.name} line {number}: the grade is not a whole number")
        _once(source, places, query, document, number)
        qrels.setdefault(query, {})[document] = int(grade)
    if not qrels:
        raise FormatError(f"{source.name} holds no judgement")
    return qrels


def read_queries(path: str | Path) -> dict[str, str]:
    """Texts by query id, in the file's order."""
    source = Source(path)
    queries: dict[str, str] = {}
    places: dict[str, int] = {}
    for number, line in source.sure_lines():
        try:
            row: Any = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError):
            raise FieldError(f"{source.name} line {number} is not JSON") from None
        if not isinstance(row, dict):
            raise FieldError(f"{source.name} line {number} is not a JSON object")
        name = row.get("_id", row.get("id"))
        text = row.get("text", row.get("question"))
        if isinstance(name, int) and not isinstance(name, bool):
            name = str(name)
        if not isinstance(name, str) or not name:
            raise FieldError(f"{source.name} line {number} has no id", cure='give "_id" or "id"')
        if not fit(name):
            raise FieldError(f"{source.name} line {number}: the id holds a blank")
        if not isinstance(text, str) or not text.strip():
            raise FieldError(
                f"{source.name} line {number} has no text", cure='give "text" or "question"'
            )
        if name in places:
            raise FieldError(f"{source.name} line {number} repeats the id of line {places[name]}")
        places[name] = number
        queries[name] = text
    if not queries:
        raise FormatError(f"{source.name} holds no query")
    return queries


def fit(name: str) -> bool:
    """Whether an id can stand in a run or a qrels file: not empty, no blank, valid UTF-8."""
    return (
        bool(name) and not _UNFIT.search(name) and not any("\ud800" <= c <= "\udfff" for c in name)
    )


def ordered(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """Documents in Osler's order: score descending, ties by id ascending."""
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def untied(scores: Mapping[str, float]) -> dict[str, float]:
    """The same documents in Osler's order with scores that differ in single precision.

    A score is kept as it is unless single precision cannot tell it from (or puts it above) the
    one before it; then it becomes the next single-precision number below that one. Applying it
    twice changes nothing more.
    """
    kept: dict[str, float] = {}
    above = np.float32(np.inf)
    for document, score in ordered(scores):
        if not math.isfinite(score) or abs(score) > _FLOAT32_MAX:
            raise FieldError(f"the score of document {document!r} is not a finite number")
        single = np.float32(score)
        if single >= above:
            if above == -_FLOAT32_MAX:
                raise FieldError("scores are too low to be told apart", cure="scale them")
            single = np.nextafter(above, np.float32(-np.inf))
            score = float(single)
        above = single
        kept[document] = float(score)
    return kept


def write_run(
    path: str | Path, run: Mapping[str, Mapping[str, float]], *, tag: str = "osler"
) -> None:
    """Write a run, queries by id, documents in Osler's order; the same run gives the same bytes.

    The file appears whole or not at all.
    """
    if not fit(tag):
        raise InputError("the tag of a run holds a blank, or is empty")
    _write(path, _run_lines(run, tag))


def write_qrels(path: str | Path, qrels: Mapping[str, Mapping[str, int]]) -> None:
    """Write judgements, sorted by query and document."""
    _write(path, _qrels_lines(qrels))


def _run_lines(run: Mapping[str, Mapping[str, float]], tag: str) -> Iterator[str]:
    for query in sorted(run):
        _check(query)
        for rank, (document, score) in enumerate(untied(run[query]).items(), 1):
            _check(document)
            yield f"{query} Q0 {document} {rank} {score!r} {tag}\n"


def _qrels_lines(qrels: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for query in sorted(qrels):
        _check(query)
        for document, grade in sorted(qrels[query].items()):
            _check(document)
            yield f"{query} 0 {document} {grade}\n"


def _check(name: str) -> None:
    if not fit(name):
        raise FieldError(f"the id {name!r} cannot stand in a TREC file: empty, or holds a blank")


def _write(path: str | Path, lines: Iterator[str]) -> None:
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(lines)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StorageError(f"{path} cannot be written: {error.strerror}") from None
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    for number, line in source.sure_lines():
        yield number, [field for field in _BLANKS.split(line) if field]


def _wrong(source: Source, number: int, fields: list[str], expected: str) -> FieldError:
    count = f"{len(fields)} field" + ("" if len(fields) == 1 else "s")
    return FieldError(f"{source.name} line {number} has {count}, expected {expected}")


def _once(
    source: Source, places: dict[tuple[str, str], int], query: str, document: str, number: int
) -> None:
    first = places.setdefault((query, document), number)
    if first != number:
        raise FieldError(
            f"{source.name} line {number} repeats the query and document of line {first}"
        )
