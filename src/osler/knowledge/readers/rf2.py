"""SNOMED CT in Release Format 2: the files of a release folder.

Read are ``sct2_Concept_*``, ``sct2_Description_*-<language>`` (as many languages as there are),
``sct2_TextDefinition_*``, ``sct2_Relationship_*`` and the language reference sets
``der2_cRefset_Language*``. Of a release's kinds the snapshot is taken, else the full history, in
which the latest row of each id counts (by effectiveTime), else files that do not name their kind,
else a delta. Rows that are not active are left out, and a note counts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Entity, Note, Reject, Triple
from osler.knowledge.readers._common import rows, settle, shown

IS_A = "116680003"
FSN = "900000000000003001"
SYNONYM = "900000000000013009"
PREFERRED = "900000000000548007"
US_ENGLISH = "900000000000509007"

KINDS = ("Snapshot", "Full", "", "Delta")
"""The kinds of a release's files, the one that is taken first."""

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
    help = "SNOMED CT: a folder of RF2 files: snapshot, full or delta"
    gives = "terminology"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        return any("sct2_Concept_" in name for name in head.names)

    def read(self, source: Source) -> Iterator[Item]:
        if not source.is_folder:
            raise FormatError(f"{source.name} is no folder of RF2 files", cure="give the folder")
        self.rejects: list[Reject] = []
        self.triples: list[tuple[str, str, str]] = []
        self.inactive = 0
        self.kind = _kind(source)
        concepts = self._concepts(source)
        self._descriptions(source, concepts)
        self._relationships(source, concepts)
        kept: set[str] = set()
        for item in settle(self._entities(concepts), source.name, closed=self.kind != "Delta"):
            if isinstance(item, Entity):
                kept.add(item.id)
            yield item
        for head, kind, tail in self.triples:
            named = concepts.get(kind)
            # A type whose descriptions are not in the release goes by its number.
            name = (named.preferred or named.full if named is not None else "") or kind
            if f"SCTID:{head}" in kept and f"SCTID:{tail}" in kept:
                yield Triple(f"SCTID:{head}", name, f"SCTID:{tail}", source.name)
            else:
                reason = "a relationship of a concept that was rejected"
                yield Reject(source.name, f"concept {head[:40]}", reason)
        yield from self.rejects
        yield from self._notes(source)

    def _notes(self, source: Source) -> Iterator[Note]:
        where = "the whole release"
        if self.inactive:
            reason = "rows that are not active, or not the latest, are not read"
            yield Note(source.name, where, "skipped", reason, count=self.inactive)
        if not self._files(source, "sct2_Relationship"):
            reason = "the release has no relationships: its concepts have no parents"
            yield Note(source.name, where, "skipped", reason, count=0)
        if self.kind == "Delta":
            reason = "a delta: concepts that it retires are not taken out of the library"
            yield Note(source.name, where, "skipped", reason, count=0)

    def _files(self, source: Source, pattern: str, *, needed: bool = False) -> list[Source]:
        paths = [path for path in _all(source, pattern) if _kind_of(path.name) == self.kind]
        if needed and not paths:
            raise FormatError(f"{source.name} has no {pattern}", cure="give the release's folder")
        return [Source(path, name=f"{source.name}/{path.name}") for path in paths]

    def _rows(self, file: Source, *columns: str) -> Iterator[tuple[int, dict[str, str]]]:
        """Active rows, of each id the latest; those that cannot be read are kept as rejects."""
        latest: dict[str, tuple[int, dict[str, str]]] = {}
        history = self.kind != "Snapshot"
        for row in rows(file, ("active", *columns)):
            if isinstance(row, Reject):
                self.rejects.append(row)
            elif history and row[1].get("id") and row[1].get("effectiveTime"):
                before = latest.get(row[1]["id"])
                self.inactive += before is not None
                if before is None or before[1]["effectiveTime"] <= row[1]["effectiveTime"]:
                    latest[row[1]["id"]] = row
            elif row[1]["active"] == "1":
                yield row
            else:
                self.inactive += 1
        for row in latest.values():
            if row[1]["active"] == "1":
                yield row
            else:
                self.inactive += 1

    def _concepts(self, source: Source) -> dict[str, _Concept]:
        files = self._files(source, "sct2_Concept", needed=True)
        self._files(source, "sct2_Description", needed=True)
        return {row["id"]: _Concept() for file in files for _, row in self._rows(file, "id")}

    def _descriptions(self, source: Source, concepts: dict[str, _Concept]) -> None:
        ranks = self._ranks(source)
        wanted = str(self.options.get("language") or "en")
        for file in self._files(source, "sct2_Description"):
            for _, row in self._rows(file, "id", "conceptId", "languageCode", "typeId", "term"):
                concept = concepts.get(row["conceptId"])
                # Descriptions of inactive concepts stay active in a release: they are no fault.
                if concept is not None:
                    _describe(concept, row, ranks.get(row["id"], 2), wanted)
        for file in self._files(source, "sct2_TextDefinition"):
            for _, row in self._rows(file, "conceptId", "languageCode", "term"):
                concept = concepts.get(row["conceptId"])
                if concept is None:
                    continue
                if not concept.definition or row["languageCode"] == wanted:
                    concept.definition = row["term"].strip()

    def _ranks(self, source: Source) -> dict[str, int]:
        """Preferred descriptions by the language reference sets: 0 in American English, else 1."""
        ranks: dict[str, int] = {}
        for file in self._files(source, "der2_cRefset_Language"):
            for _, row in self._rows(file, "refsetId", "referencedComponentId", "acceptabilityId"):
                if row["acceptabilityId"] == PREFERRED:
                    rank = 0 if row["refsetId"] == US_ENGLISH else 1
                    id = row["referencedComponentId"]
                    ranks[id] = min(rank, ranks.get(id, 9))
        return ranks

    def _relationships(self, source: Source, concepts: dict[str, _Concept]) -> None:
        for file in self._files(source, "sct2_Relationship"):
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


def _all(source: Source, start: str) -> list[Path]:
    """The tables of one sort, whatever their kind. A beta's names begin with an x."""
    return sorted(
        path
        for path in source.path.rglob(f"*{start}*")
        if path.is_file()
        and path.name.removeprefix("x").startswith((f"{start}_", f"{start}S", f"{start}F",
                                                    f"{start}D", f"{start}-"))
    )  # fmt: skip


def _kind_of(name: str) -> str:
    return next((kind for kind in ("Snapshot", "Full", "Delta") if kind in name), "")


def _kind(source: Source) -> str:
    there = {_kind_of(path.name) for path in _all(source, "sct2_Concept")}
    return next((kind for kind in KINDS if kind in there), "Snapshot")


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
