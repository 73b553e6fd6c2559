"""SNOMED CT in Release Format 2: the snapshot files of a release folder.

Read are ``sct2_Concept_Snapshot*``, ``sct2_Description_Snapshot-<language>*`` (as many languages
as there are), ``sct2_TextDefinition_Snapshot*``, ``sct2_Relationship_Snapshot*`` and the language
reference sets ``der2_cRefset_Language*``, active rows only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Reject, Triple
from osler.knowledge.readers._common import rows, settle, shown

IS_A = "116680003"
FSN = "900000000000003001"
SYNONYM = "900000000000013009"
PREFERRED = "900000000000548007"
US_ENGLISH = "900000000000509007"

_TAG = re.compile(r"\s*\(([^()]+)\)\s*$")


@dataclass
class _Concept:
    full: str = ""
    tag: str = ""
    preferred: str = ""
    language: str = ""
    rank: int = 9
    terms: dict[str, None] = field(default_factory=dict)
    definition: str = ""
    parents: list[str] = field(default_factory=list)


@readers.register("snomed-rf2")
class RF2(Reader):
    """A release's folder. ``options``: ``language`` of the preferred names, English by default."""

    name = "snomed-rf2"
    help = "SNOMED CT: a folder of RF2 snapshot files"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return any("sct2_Concept_Snapshot" in name for name in head.names)

    def read(self, source: Source) -> Iterator[Item]:
        if not source.is_folder:
            raise FormatError(f"{source.name} is no folder of RF2 files", cure="give the folder")
        self.rejects: list[Reject] = []
        self.triples: list[tuple[str, str, str]] = []
        concepts = self._concepts(source)
        self._descriptions(source, concepts)
        self._relationships(source, concepts)
        kept: set[str] = set()
        for item in settle(self._entities(concepts), source.name):
            if isinstance(item, Entity):
                kept.add(item.id)
            yield item
        for head, kind, tail in self.triples:
            named = concepts.get(kind)
            # A type whose descriptions are not in the release goes by its number.
            name = (named.preferred or named.full if named is not None else "") or kind
            if f"SCTID:{head}" in kept and f"SCTID:{tail}" in kept:
                yield Triple(f"SCTID:{head}", name, f"SCTID:{tail}", source.name)
        yield from self.rejects

    def _files(self, source: Source, pattern: str, *, needed: bool = False) -> list[Source]:
        found = sorted(path for path in source.path.rglob(pattern) if path.is_file())
        if needed and not found:
            raise FormatError(
                f"{source.name} has no {pattern}", cure="give the release's whole snapshot folder"
            )
        return [Source(path, name=f"{source.name}/{path.name}") for path in found]

    def _rows(self, file: Source, *columns: str) -> Iterator[tuple[int, dict[str, str]]]:
        """Active rows; those that cannot be read are kept as rejects."""
        for row in rows(file, ("active", *columns)):
            if isinstance(row, Reject):
                self.rejects.append(row)
            elif row[1]["active"] == "1":
                yield row

    def _concepts(self, source: Source) -> dict[str, _Concept]:
        files = self._files(source, "sct2_Concept_Snapshot*", needed=True)
        self._files(source, "sct2_Description_Snapshot*", needed=True)
        return {row["id"]: _Concept() for file in files for _, row in self._rows(file, "id")}

    def _descriptions(self, source: Source, concepts: dict[str, _Concept]) -> None:
        ranks = self._ranks(source)
        wanted = str(self.options.get("language") or "en")
        for file in self._files(source, "sct2_Description_Snapshot*"):
            for _, row in self._rows(file, "id", "conceptId", "languageCode", "typeId", "term"):
                concept = concepts.get(row["conceptId"])
                # Descriptions of inactive concepts stay active in a release: they are no fault.
                if concept is not None:
                    _describe(concept, row, ranks.get(row["id"], 2), wanted)
        for file in self._files(source, "sct2_TextDefinition_Snapshot*"):
            for _, row in self._rows(file, "conceptId", "languageCode", "term"):
                concept = concepts.get(row["conceptId"])
                if concept is None:
                    continue
                if not concept.definition or row["languageCode"] == wanted:
                    concept.definition = row["term"].strip()

    def _ranks(self, source: Source) -> dict[str, int]:
        """Preferred descriptions by the language reference sets: 0 in American English, else 1."""
        ranks: dict[str, int] = {}
        for file in self._files(source, "der2_cRefset_Language*"):
            for _, row in self._rows(file, "refsetId", "referencedComponentId", "acceptabilityId"):
                if row["acceptabilityId"] == PREFERRED:
                    rank = 0 if row["refsetId"] == US_ENGLISH else 1
                    id = row["referencedComponentId"]
                    ranks[id] = min(rank, ranks.get(id, 9))
        return ranks

    def _relationships(self, source: Source, concepts: dict[str, _Concept]) -> None:
        for file in self._files(source, "sct2_Relationship_Snapshot*"):
            for number, row in self._rows(file, "sourceId", "destinationId", "typeId"):
                head, tail = row["sourceId"], row["destinationId"]
                missing = next((id for id in (head, tail) if id not in concepts), None)
                if missing is not None:
                    reason = f"concept{shown(missing)} is not active in the release"
                    self.rejects.append(Reject(file.name, f"line {number}", reason, head[:40]))
                elif not row["typeId"].strip():
                    reason = "a relationship without a type"
                    self.rejects.append(Reject(file.name, f"line {number}", reason, head[:40]))
                elif row["typeId"] == IS_A:
                    concepts[head].parents.append(tail)
                else:
                    self.triples.append((head, row["typeId"], tail))

    def _entities(self, concepts: dict[str, _Concept]) -> Iterator[tuple[str, Entity]]:
        for id, concept in concepts.items():
            name = concept.preferred or concept.full
            terms = {**concept.terms, concept.full: None}
            yield (
                f"concept {id}",
                Entity(
                    id=f"SCTID:{id}",
                    name=name,
                    type=concept.tag,
                    synonyms=tuple(term for term in terms if term and term != name),
                    definition=concept.definition,
                    parents=tuple(f"SCTID:{parent}" for parent in dict.fromkeys(concept.parents)),
                    language=concept.language,
                ),
            )


def _describe(concept: _Concept, row: dict[str, str], rank: int, wanted: str) -> None:
    term = row["term"].strip()
    language = row["languageCode"]
    if row["typeId"] == FSN:
        if not concept.full or language == wanted:
            tag = _TAG.search(term)
            concept.full = _TAG.sub("", term)
            concept.tag = tag.group(1) if tag else concept.tag
            concept.language = concept.language or language
    elif row["typeId"] == SYNONYM:
        concept.terms[term] = None
        # The wanted language first, then what a reference set prefers, then the first that came.
        order = rank + (0 if language == wanted else 4)
        if rank < 2 and order < concept.rank:
            concept.preferred, concept.language, concept.rank = term, language, order
