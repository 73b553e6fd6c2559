"""A chart: what one reader knows of one patient: facts, and entities and triples without repeats.

The graph of annotated notes keeps what the annotators marked, with its assertion or polarity beside
it (seed 004 asks about these); whether it is true of the patient stands in the facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from osler.kinds import Entity, Fact, FactSource, Triple
from osler.records.building import person_facts, record
from osler.records.cleanup import clean
from osler.records.ids import node_id, patient_id, patient_name
from osler.records.narrative import blocks
from osler.records.schema import CONTAINS, HAS_NARRATIVE, HAS_RECORD, PATIENT, RECORD
from osler.settings import MAX_NAME


class Chart:
    """Collects nodes and edges of one patient and hands them out once each."""

    def __init__(
        self, dataset: str, patient: str, *, name: str = "", synonyms: tuple[str, ...] = ()
    ) -> None:
        self.dataset = dataset
        self.own = patient
        self.patient = patient_id(dataset, patient)
        shown = name or patient_name(patient)
        other = tuple(s for s in (patient.strip(), *synonyms) if s and s != shown)
        self._entities: dict[str, Entity] = {
            self.patient: Entity(
                id=self.patient, name=shown, type=PATIENT, synonyms=tuple(dict.fromkeys(other))
            )
        }
        self._triples: dict[tuple[str, str, str], Triple] = {}
        self._count: dict[str, int] = {}
        self._sent: set[str] = set()
        self._facts: dict[tuple[str, str], Fact] = {}
        self._keys: Counter[tuple[str, str]] = Counter()

    def add(
        self,
        type: str,
        name: str,
        *,
        key: str | int | None = None,
        synonyms: tuple[str, ...] = (),
        xrefs: tuple[str, ...] = (),
        cleaned: bool = True,
    ) -> str:
        """A node of this patient. Without a key, nodes of one type and name are one node."""
        shown = (clean(name) if cleaned else " ".join(name.split()))[: MAX_NAME.get()] or "unnamed"
        id = node_id(self.patient, type, shown.casefold() if key is None else key)
        if id not in self._entities:
            others = tuple(dict.fromkeys(s for s in synonyms if s and s != shown))
            self._entities[id] = Entity(id=id, name=shown, type=type, synonyms=others, xrefs=xrefs)
        return id

    def fresh(self, type: str, name: str, **options: object) -> str:
        """A node of its own, even beside another of the same name (one prescription, one event)."""
        number = self._count.get(type, 0) + 1
        self._count[type] = number
        return self.add(type, name, key=number, **options)  # type: ignore[arg-type]

    def fact(
        self, kind: str, type: str, name: str, source: FactSource, *, key: str = "", **fields: Any
    ) -> None:
        """A fact as a record of its file has it. ``key`` tells the record: what comes again under
        it is the same one, said better; without one every fact is its own."""
        if not key:
            self._keys[type, source.place] += 1
            key = f"{source.place}#{self._keys[type, source.place]}"
        said = clean(name)[: MAX_NAME.get()] or "unnamed"
        # The graph of annotated notes is the chart's own: a fact has no node unless it is given.
        fields.setdefault("entity", "")
        self._facts[type, key] = record(
            self.patient, kind, f"{type} in {source.file}", key, said, source=source, **fields
        )

    def link(self, head: str, relation: str, tail: str, source: str) -> None:
        self._triples.setdefault((head, relation, tail), Triple(head, relation, tail, source))

    def has(self, relation: str, tail: str, source: str) -> None:
        self.link(self.patient, relation, tail, source)

    def narrative(self, record: str, text: str, file: str) -> None:
        """Narrative blocks of a note: of the patient, and contained in the record."""
        for block in blocks(text):
            node = self.fresh(block.heading, block.text, cleaned=False)
            source = f"{file}:{block.start}-{block.end}"
            self.has(HAS_NARRATIVE, node, source)
            self.link(record, CONTAINS, node, source)

    def record(self, name: str, file: str) -> str:
        node = self.add(RECORD, name, cleaned=False)
        self.has(HAS_RECORD, node, file)
        return node

    def items(self) -> Iterator[Fact | Entity | Triple]:
        if self.patient not in self._sent:
            yield from person_facts(self.patient, self.own, (), source=FactSource())
        yield from self._facts.values()
        self._facts.clear()
        for entity in self._entities.values():
            if entity.id not in self._sent:
                self._sent.add(entity.id)
                yield entity
        yield from self._triples.values()
        self._triples.clear()
