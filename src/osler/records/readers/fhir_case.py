"""A resource with its owner, and what the facts of all resource types have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from osler.kinds import Fact, FactSource
from osler.records.derive import RELATIONS
from osler.records.ids import node_id
from osler.records.readers.fhir_stream import Entry
from osler.records.readers.fhir_values import (
    Concept,
    Resource,
    child,
    concept,
    listed,
    objects,
    word,
)
from osler.records.readers.fhir_ward import Owner, Ward

UNNAMED = "(no code or text)"
"""The name of a fact whose resource says of what it is with neither: it is kept all the same."""


@dataclass(frozen=True)
class Case:
    """A resource with its owner: what a writer of facts needs."""

    ward: Ward
    entry: Entry
    owner: Owner
    id: str
    content: str
    source: FactSource

    @property
    def patient(self) -> str:
        return self.owner.id

    @property
    def resource(self) -> Resource:
        return self.entry.resource or {}

    def fact(self, kind: str, said: Concept | str, **fields: Any) -> Fact:
        """The record itself, with what all kinds have in common."""
        named = Concept(said) if isinstance(said, str) else said
        r = self.resource
        detail = {key: value for key, value in fields.pop("detail", {}).items() if value}
        if self.owner.nobody:
            fields |= {"role": "other", "relative": self.owner.nobody}
        reasons, nodes = self._reasons()
        if nodes:
            detail["reason entity"] = " ".join(nodes)
        unlinked = [reason for reason, node in reasons if not node]
        if unlinked:
            detail["reason"] = "\n".join(unlinked)
        return Fact(
            id=self.id,
            patient=self.patient,
            kind=kind,  # type: ignore[arg-type]
            name=named.display or UNNAMED,
            codes=named.codes,
            other_names=named.others,
            entity=self.id,
            relation=RELATIONS.get(kind, ""),
            recorded=fields.pop("recorded", "") or word(r, "recordedDate", "assertedDate"),
            reason="; ".join(reason for reason, _ in reasons if reason),
            author=self._author(),
            encounter=self._encounter(),
            revised=word(child(r, "meta"), "lastUpdated"),
            content=self.content,
            detail=detail,
            source=self.source,
            **fields,
        )

    def part(self, whole: Fact, key: str, said: Concept | str, **fields: Any) -> Fact:
        """A part of the record: what it does not say itself it has from the whole."""
        named = Concept(said) if isinstance(said, str) else said
        id = f"{whole.id}/{key}"
        plain = FactSource(file=whole.source.file, place=whole.source.place)
        fresh: dict[str, Any] = {
            "id": id,
            "entity": id,
            "name": named.display or UNNAMED,
            "codes": named.codes,
            "other_names": named.others,
            "part_of": whole.id,
            "value": "",
            "number": None,
            "unit": "",
            "comparator": "",
            "low": None,
            "high": None,
            "interpretation": "",
            "reason": "",
            "detail": {},
            "source": plain,
        }
        return msgspec.structs.replace(whole, **(fresh | fields))

    def _reasons(self) -> tuple[list[tuple[str, str]], list[str]]:
        """Reasons as (text, node of the patient's own condition); and the nodes."""
        reasons: list[tuple[str, str]] = []
        r = self.resource
        for reference in [*objects(r.get("reasonReference")), *objects(r.get("addresses"))]:
            target = self.ward.target(word(reference, "reference"), self.entry)
            text = target.concept.display if target else ""
            node = ""
            if target and target.kind == "Condition" and target.subject:
                owner = self.ward.owner(target.subject, self.entry)
                if owner is not None and owner.id == self.patient:
                    node = node_id(self.patient, "Condition", target.key)
            reasons.append((text or word(reference, "display"), node))
        for value in listed(r.get("reasonCode")):
            text = concept(value).display
            reasons.append((text, self.ward.condition(self.patient, text)))
        reasons = [pair for pair in dict.fromkeys(reasons) if any(pair)]
        return reasons, [node for _, node in reasons if node]

    def _encounter(self) -> str:
        holder = self.resource.get("encounter") or self.resource.get("context")
        if not isinstance(holder, dict):
            return ""
        target = self.ward.target(word(holder, "reference"), self.entry)
        if target is None or target.kind != "Encounter":
            return ""
        return node_id(self.patient, "Encounter", target.key)

    def _author(self) -> str:
        r = self.resource
        for name in ("recorder", "requester", "asserter", "performer", "informationSource"):
            for holder in objects(r.get(name)):
                actor = child(holder, "actor") or holder
                target = self.ward.target(word(actor, "reference"), self.entry)
                said = word(actor, "display") or (target.concept.display if target else "")
                if said:
                    return said
        return ""

    def medication(self) -> Concept:
        """The drug of an order or statement: a concept, a reference, one contained, or a name."""
        r = self.resource
        named = concept(r.get("medicationCodeableConcept"))
        holder = r.get("medicationReference") or r.get("medication")
        if named or not isinstance(holder, dict):
            return named
        target = self.ward.target(word(holder, "reference"), self.entry)
        if target is not None and target.concept:
            return target.concept
        return Concept(word(holder, "display") or word(holder, "reference"))
