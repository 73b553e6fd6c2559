"""MeSH's supplementary records (``supp20xx.xml``): chemicals, rare diseases, organisms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.files import xml
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject
from osler.knowledge.readers._common import settle

# SCRClass of NLM's DTD.
CLASSES = {
    "1": "Chemical or drug",
    "2": "Technique",
    "3": "Disease",
    "4": "Organism",
    "5": "Population",
    "6": "Anatomy",
}


@readers.register("mesh-supplementary")
class MeshSupplementary(Reader):
    """Records with all their terms. The parents are the descriptors that a record is mapped to,
    which stand in another file: without it they are left out of the hierarchy."""

    name = "mesh-supplementary"
    help = "MeSH supplementary records as XML (supp20xx.xml)"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return xml.root_name(head.start) == "SupplementalRecordSet"

    def read(self, source: Source) -> Iterator[Item]:
        rejects: list[Reject] = []
        yield from settle(_records(source, rejects), source.name, closed=False)
        yield from rejects


def _records(source: Source, rejects: list[Reject]) -> Iterator[tuple[str, Entity]]:
    for batch in xml.batches(source, ("SupplementalRecord",), root="SupplementalRecordSet"):
        for place, element in enumerate(batch.elements):
            where = f"record {batch.first + place}"
            if element is None:
                rejects.append(Reject(source.name, where, batch.reasons[place]))
            else:
                yield where, _entity(element)


def _entity(element: Any) -> Entity:
    id = element.findtext("SupplementalRecordUI", "").strip()
    name = element.findtext("SupplementalRecordName/String", "").strip()
    terms = element.iterfind("ConceptList/Concept/TermList/Term/String")
    names = dict.fromkeys(term.text.strip() for term in terms if term.text and term.text.strip())
    names.pop(name, None)
    # A star marks the descriptor that indexers put first.
    mapped = element.iterfind("HeadingMappedToList/HeadingMappedTo/DescriptorReferredTo")
    above = (m.findtext("DescriptorUI", "").strip().lstrip("*") for m in mapped)
    return Entity(
        id=f"MESH:{id}" if id else "",
        name=name,
        type=CLASSES.get(element.get("SCRClass", ""), ""),
        synonyms=tuple(names),
        definition=" ".join(element.findtext("Note", "").split()),
        parents=tuple(f"MESH:{descriptor}" for descriptor in dict.fromkeys(above) if descriptor),
        language="en",
    )
