"""Triples as a table: TSV or CSV with a header ``head``, ``relation``, ``tail``, and, where there
are such, ``head_type``, ``tail_type``, ``head_id``, ``tail_id``.

Without an id column an entity is ``type:name``, since one name can stand under two types. A value
such as Hetionet's ``Gene::10062`` is an id already: its name comes with the table of nodes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from osler.errors import FieldError, FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject, Triple
from osler.knowledge.ids import canonical
from osler.settings import MAX_NAME

_NEEDED = ("head", "relation", "tail")
_OPTIONAL = {"head_type", "tail_type", "head_id", "tail_id"}


@readers.register("triples")
class Triples(Reader):
    """One triple a line; tab or comma as the header has it."""

    name = "triples"
    help = "triples as TSV or CSV: head, relation, tail, optional types and ids"
    gives = "triples"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        # Two of the three are enough: the third, when it is missing, is then named as missing.
        header = set(_cells(head.text.split("\n", 1)[0].rstrip("\r")))
        needed = header & set(_NEEDED)
        return len(needed) == 3 or (len(needed) == 2 and bool(header & _OPTIONAL))

    def read(self, source: Source) -> Iterator[Item]:
        header: list[str] | None = None
        mark = "\t"
        seen: set[str] = set()
        longest = MAX_NAME.get()
        for number, line in source.lines():
            if line is None:
                yield Reject(source.name, f"line {number}", "not UTF-8")
                continue
            if not line.strip():
                continue
            if header is None:
                mark = "\t" if "\t" in line else ","
                header = [cell.strip().lower() for cell in _cells(line)]
                missing = [column for column in _NEEDED if column not in header]
                if missing:
                    raise FieldError(
                        f"{source.name} line {number} has no column {', '.join(missing)}",
                        cure=f"a file of triples has the columns {', '.join(_NEEDED)}",
                    )
                continue
            cells = _cells(line, mark)
            if len(cells) != len(header):
                reason = f"{len(cells)} fields, expected {len(header)}"
                yield Reject(source.name, f"line {number}", reason)
                continue
            yield from _items(dict(zip(header, cells, strict=True)), source, number, seen, longest)
        if header is None:
            raise FormatError(f"{source.name} is empty")


def _items(
    row: dict[str, str], source: Source, number: int, seen: set[str], longest: int
) -> Iterator[Item]:
    place = f"line {number}"
    relation = row["relation"].strip()
    if not relation or not row["head"].strip() or not row["tail"].strip():
        yield Reject(source.name, place, "an empty head, relation or tail")
        return
    if max(len(row["head"]), len(relation), len(row["tail"])) > longest:
        yield Reject(source.name, place, "a name is too long")
        return
    ends = []
    for side in ("head", "tail"):
        entity = _end(row[side].strip(), row.get(f"{side}_type", ""), row.get(f"{side}_id"))
        if entity is None:
            yield Reject(source.name, place, f"an empty {side}_id")
            return
        ends.append(entity)
    for entity in ends:
        # An id that names itself tells nothing that a table of nodes would not tell better.
        if entity.id not in seen and entity.name != entity.id:
            seen.add(entity.id)
            yield entity
    yield Triple(ends[0].id, relation, ends[1].id, row.get("source", "").strip() or source.name)


def _end(name: str, type: str, id: str | None) -> Entity | None:
    type = type.strip()
    if id is not None:
        return Entity(id=canonical(id), name=name, type=type) if id.strip() else None
    if type:
        return Entity(id=f"{type}:{name}", name=name, type=type)
    if "::" in name:
        return Entity(id=name, name=name)
    if ":" in name and " " not in name:
        bare = canonical(name)
        return Entity(id=bare, name=bare)
    return Entity(id=f"entity:{name}", name=name)


def _cells(line: str, mark: str | None = None) -> list[str]:
    mark = mark or ("\t" if "\t" in line else ",")
    if mark == "\t":
        return line.split("\t")
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []
