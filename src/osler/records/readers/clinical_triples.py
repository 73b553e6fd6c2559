"""Typed triples of any hospital's making: head, head_type, relation, tail, tail_type (TSV or CSV).

Recognised when a type is a patient's: other triple files are knowledge, not records. An id column
(``head_id``, ``tail_id``) is taken as it is; without one an entity is its type and name. In a
library both are inside the named source, so that P7 of two hospitals is two people. A ``source``
column says where a triple comes from; without one it is the file and the line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject, Triple
from osler.records.ids import shared_id
from osler.records.schema import patient_rank
from osler.settings import MAX_NAME

NEEDED = ("head", "head_type", "relation", "tail", "tail_type")


@readers.register("clinical-triples")
class ClinicalTriples(Reader):
    name = "clinical-triples"
    help = "typed triples of patients: head, head_type, relation, tail, tail_type (TSV or CSV)"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            return False
        first, _, rest = head.text.partition("\n")
        columns = _cells(first, _separator(first))
        if not set(NEEDED) <= {c.strip().lower() for c in columns}:
            return False
        lowered = [c.strip().lower() for c in columns]
        places = [lowered.index("head_type"), lowered.index("tail_type")]
        for line in rest.split("\n")[:2000]:
            cells = _cells(line, _separator(first))
            if any(len(cells) > p and patient_rank(cells[p]) >= 0 for p in places):
                return True
        return False

    def read(self, source: Source) -> Iterator[Item]:
        columns: list[str] = []
        separator = "\t"
        seen: set[str] = set()
        limit = MAX_NAME.get()
        for number, line in source.lines():
            if number == 1:
                separator = _separator(line or "")
                columns = [c.strip().lower() for c in _cells(line or "", separator)]
                missing = [c for c in NEEDED if c not in columns]
                if missing:
                    raise FormatError(
                        f"{source.name} lacks the columns {', '.join(missing)}",
                        cure=f"its first line names the columns: {', '.join(NEEDED)}",
                    )
                continue
            if line is not None and not line.strip():
                continue
            cells = [c.strip() for c in _cells(line, separator)] if line is not None else []
            row = dict(zip(columns, cells, strict=False))
            if len(cells) < len(columns) or not all(
                row.get(c) for c in ("head", "relation", "tail")
            ):
                yield Reject(
                    source.name,
                    f"line {number}",
                    f"expected {len(columns)} fields, none of head, relation, tail empty",
                )
                continue
            if max(len(row["head"]), len(row["tail"])) > limit:
                yield Reject(
                    source.name, f"line {number}", f"a name longer than {limit} characters"
                )
                continue
            ends = []
            for side in ("head", "tail"):
                type = row.get(f"{side}_type") or ""
                id = self._id(type, row[side], row.get(f"{side}_id") or "")
                if id not in seen:
                    seen.add(id)
                    yield Entity(id=id, name=row[side], type=type)
                ends.append(id)
            where = row.get("source") or f"{source.name}:{number}"
            yield Triple(ends[0], row["relation"], ends[1], where)

    def _id(self, type: str, name: str, given: str) -> str:
        named = str(self.options.get("source") or "")
        if not named:
            return given or f"{type}:{name}"
        return shared_id(named, given) if given else shared_id(named, type, name)


def _separator(line: str) -> str:
    return "\t" if "\t" in line else ","


def _cells(line: str, separator: str) -> list[str]:
    if separator == "\t":
        return line.rstrip("\r\n").split("\t")
    try:
        return next(csv.reader([line.rstrip("\r\n")]), [])
    except csv.Error:
        # A stray carriage return, a field without end: no row of a table.
        return []
