"""MeSH descriptors as the National Library of Medicine gives them: ``desc20xx.xml``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.files import xml
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject
from osler.knowledge.readers._mesh import descriptors, type_of


@readers.register("mesh-xml")
class MeshXML(Reader):
    """Descriptors with all terms of all their concepts, scope note and tree numbers."""

    name = "mesh-xml"
    help = "MeSH descriptors as XML (desc20xx.xml)"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return xml.root_name(head.start) == "DescriptorRecordSet"

    def read(self, source: Source) -> Iterator[Item]:
        self.rejects: list[Reject] = []
        yield from descriptors(self._found(source), source.name)
        yield from self.rejects

    def _found(self, source: Source) -> Iterator[tuple[str, Entity]]:
        for batch in xml.batches(source, ("DescriptorRecord",), root="DescriptorRecordSet"):
            for place, element in enumerate(batch.elements):
                where = f"record {batch.first + place}"
                if element is None:
                    self.rejects.append(Reject(source.name, where, batch.reasons[place]))
                else:
                    yield where, _entity(element)


def _entity(element: Any) -> Entity:
    id = element.findtext("DescriptorUI", "").strip()
    name = element.findtext("DescriptorName/String", "").strip()
    trees = (tree.text.strip() for tree in element.iterfind(".//TreeNumber") if tree.text)
    places = tuple(dict.fromkeys(trees))
    terms = element.iterfind("ConceptList/Concept/TermList/Term/String")
    names = dict.fromkeys(term.text.strip() for term in terms if term.text)
    names.pop(name, None)
    note = element.findtext("ConceptList/Concept[@PreferredConceptYN='Y']/ScopeNote", "")
    return Entity(
        id=f"MESH:{id}" if id else "",
        name=name,
        type=type_of(places),
        synonyms=tuple(names),
        definition=" ".join(note.split()),
        places=places,
        language="en",
    )
