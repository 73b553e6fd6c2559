"""Orphanet's rare diseases (``en_product1.xml`` of Orphadata, in any of its languages)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.files import xml
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject
from osler.knowledge.ids import prefix
from osler.knowledge.readers._common import settle

LANG = "lang"


@readers.register("orphanet")
class Orphanet(Reader):
    """Disorders with synonyms, definition and cross references. The file has no hierarchy."""

    name = "orphanet"
    help = "Orphanet's rare diseases and cross references (en_product1.xml)"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return xml.root_name(head.start) == "JDBOR" and b"<DisorderList" in head.start

    def read(self, source: Source) -> Iterator[Item]:
        rejects: list[Reject] = []
        yield from settle(_disorders(source, rejects), source.name)
        yield from rejects


def _disorders(source: Source, rejects: list[Reject]) -> Iterator[tuple[str, Entity]]:
    for batch in xml.batches(source, ("Disorder",), root="JDBOR"):
        for place, element in enumerate(batch.elements):
            where = f"record {batch.first + place}"
            if element is None:
                rejects.append(Reject(source.name, where, batch.reasons[place]))
            else:
                yield where, _entity(element)


def _entity(element: Any) -> Entity:
    code = (element.findtext("OrphaCode") or element.findtext("OrphaNumber") or "").strip()
    called = element.find("Name")
    name = _text(called)
    synonyms = dict.fromkeys(_text(s) for s in element.iterfind("SynonymList/Synonym"))
    synonyms.pop(name, None)
    synonyms.pop("", None)
    xrefs = []
    for reference in element.iterfind("ExternalReferenceList/ExternalReference"):
        source, id = _text(reference.find("Source")), _text(reference.find("Reference"))
        if source and id:
            xrefs.append(f"{prefix(source)}:{id}")
    sections = element.iterfind(".//TextSection")
    definition = next((_text(s.find("Contents")) for s in sections), "")
    return Entity(
        id=f"ORPHA:{code}" if code else "",
        name=name,
        type=_text(element.find("DisorderType/Name")) or "Disease",
        synonyms=tuple(synonyms),
        definition=definition,
        xrefs=tuple(dict.fromkeys(xrefs)),
        language=(called.get(LANG) or "") if called is not None else "",
    )


def _text(element: Any) -> str:
    return " ".join(str(xml.text_of()(element)).split()) if element is not None else ""
