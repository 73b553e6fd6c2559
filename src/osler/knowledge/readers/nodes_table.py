"""A graph's nodes as a table: ``id``, ``name``, ``type`` (Hetionet, DrugMechDB), or ``name`` and
``type`` alone, where the id is ``type:name``."""

from __future__ import annotations

from collections.abc import Iterator

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject
from osler.knowledge.ids import canonical
from osler.knowledge.readers._common import rows, settle, split


@readers.register("nodes")
class NodesTable(Reader):
    """One entity a line; ``other_names`` are synonyms, separated by ``|``."""

    name = "nodes"
    help = "a graph's entities as TSV: id, name, type, optional other_names"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        header = head.text.split("\n", 1)[0].rstrip("\r").split("\t")
        return header[:3] == ["id", "name", "type"] or header[:3] == ["name", "type", "triples"]

    def read(self, source: Source) -> Iterator[Item]:
        self.rejects: list[Reject] = []
        yield from settle(self._found(source), source.name)
        yield from self.rejects

    def _found(self, source: Source) -> Iterator[tuple[str, Entity]]:
        for row in rows(source, ("name", "type")):
            if isinstance(row, Reject):
                self.rejects.append(row)
                continue
            number, cells = row
            name, type = cells["name"].strip(), cells["type"].strip()
            id = canonical(cells["id"]) if "id" in cells else f"{type}:{name}"
            others = split(cells.get("other_names", ""))
            yield (
                f"line {number}",
                Entity(
                    id=id,
                    name=name,
                    type=type,
                    synonyms=tuple(other for other in others if other != name),
                ),
            )
