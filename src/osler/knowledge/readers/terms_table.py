"""An ontology as one table: id, name, synonyms, parents, xrefs, alt_ids; lists split by ``|``."""

from __future__ import annotations

from collections.abc import Iterator

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject
from osler.knowledge.ids import canonical
from osler.knowledge.readers._common import rows, settle, split

_NEEDED = ("id", "name", "synonyms", "parents")


@readers.register("terms")
class TermsTable(Reader):
    name = "terms"
    help = "an ontology as a table: id, name, synonyms, parents, xrefs, alt_ids"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        header = head.text.split("\n", 1)[0].rstrip("\r").split("\t")
        return header[:2] == ["id", "name"] and set(_NEEDED) <= set(header)

    def read(self, source: Source) -> Iterator[Item]:
        self.rejects: list[Reject] = []
        yield from settle(self._found(source), source.name)
        yield from self.rejects

    def _found(self, source: Source) -> Iterator[tuple[str, Entity]]:
        for row in rows(source, _NEEDED):
            if isinstance(row, Reject):
                self.rejects.append(row)
                continue
            number, cells = row
            id = canonical(cells["id"])
            name = cells["name"].strip()
            xrefs = split(cells.get("xrefs", "")) + split(cells.get("alt_ids", ""))
            yield (
                f"line {number}",
                Entity(
                    id=id,
                    name=name,
                    type=cells.get("type", "").strip() or _type(id),
                    synonyms=tuple(term for term in split(cells["synonyms"]) if term != name),
                    definition=cells.get("definition", "").strip(),
                    parents=tuple(canonical(parent) for parent in split(cells["parents"])),
                    xrefs=tuple(dict.fromkeys(canonical(x) for x in xrefs if ":" in x)),
                    language=cells.get("language", "").strip() or "en",
                ),
            )


def _type(id: str) -> str:
    known = {"HP": "Phenotype", "MONDO": "Disease", "DOID": "Disease"}
    return known.get(id.partition(":")[0], "")
