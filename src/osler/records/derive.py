"""The graph of seed 004 out of facts: entities and triples of what is true of a patient.

A fact that is refuted, not done, entered in error, planned or somebody else's gives nothing: who
walks the graph must not meet it. What stands beside a fact (dates, codes, values, doses) is a node
of the same patient.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from osler.kinds import Entity, Fact, Triple
from osler.records.ids import node_id
from osler.records.schema import CODE, DATE, PATIENT, VALUE
from osler.settings import MAX_NAME

RELATIONS = {
    "condition": "has condition",
    "medication": "prescribed",
    "observation": "has observation",
    "procedure": "underwent",
    "encounter": "had encounter",
    "allergy": "allergic to",
    "immunization": "received vaccine",
    "care plan": "has care plan",
    "report": "has report",
    "device": "uses device",
    "note": "has note",
}
"""The edge from a patient to a fact's node, by kind."""
DATES = {
    "condition": ("has onset", "has abatement"),
    "medication": ("prescribed on", "taken until"),
    "observation": ("measured on", ""),
    "procedure": ("performed on", ""),
    "encounter": ("started on", "ended on"),
    "allergy": ("has onset", ""),
    "immunization": ("given on", ""),
    "care plan": ("started on", "ended on"),
    "report": ("reported on", ""),
    "device": ("used from", "used until"),
    "note": ("written on", ""),
}
DETAILS = {
    "clinical status": ("has clinical status", "clinical status"),
    "status": ("has status", "status"),
    "dosage": ("has dosage", "dosage"),
    "frequency": ("has frequency", "frequency"),
    "route": ("has route", "route"),
    "instruction": ("has instruction", "instruction"),
    "class": ("has class", "encounter class"),
    "criticality": ("has criticality", "criticality"),
    "reaction": ("has reaction", "reaction"),
    "activity": ("includes activity", "activity"),
}
"""Lines of a fact's ``detail`` that are nodes of their own: key, relation, type."""
PERSON = {
    "sex": ("has gender", "gender"),
    "birth date": ("born on", DATE),
    "death": ("died on", DATE),
    "race": ("has race", "race"),
    "city": ("lives in", "city"),
    "marital status": ("has marital status", "marital status"),
}
"""What is said of a person, as an edge."""

SYSTEMS = {
    "http://snomed.info/sct": "SNOMED",
    "http://loinc.org": "LOINC",
    "http://www.nlm.nih.gov/research/umls/rxnorm": "RXNORM",
    "http://hl7.org/fhir/sid/icd-10": "ICD10",
    "http://hl7.org/fhir/sid/icd-10-cm": "ICD10CM",
    "http://hl7.org/fhir/sid/icd-9-cm": "ICD9CM",
    "http://hl7.org/fhir/sid/cvx": "CVX",
}
_SUFFIX = re.compile(
    r"\s*\((?:disorder|finding|procedure|situation|regime/therapy|morphologic abnormality|event"
    r"|qualifier value|substance|record artifact)\)$"
)


def shown(display: str) -> tuple[str, tuple[str, ...]]:
    """A display name without the terminology's tag in brackets, and the full one as a synonym."""
    short = _SUFFIX.sub("", display.strip())
    return short, (display.strip(),) if short != display.strip() else ()


def day(moment: str) -> str:
    return moment[:10]


def of_person(facts: Sequence[Fact]) -> Iterator[Entity | Triple]:
    """The node of a patient out of its record (the fact ``id``) and its parts."""
    record = facts[0]
    names = [
        name
        for fact in facts
        if fact.name == "name" and fact.true
        for name in (fact.value, *fact.other_names)
    ]
    numbers = [f.value for f in facts if f.name in ("id", "identifier") and f.value]
    name = (names or [*record.other_names, record.value])[0]
    others = tuple(dict.fromkeys(n for n in (*numbers, *names[1:]) if n != name))
    yield Entity(id=record.patient, name=_cut(name), type=PATIENT, synonyms=others)
    for fact in facts:
        relation, type = PERSON.get(fact.name, ("", ""))
        if relation and fact.entity and fact.true:
            node = day(fact.start or fact.value) if type == DATE else fact.value
            synonyms = (fact.start or fact.value,) if type == DATE else ()
            yield _entity(fact.entity, node, type, synonyms)
            yield Triple(record.patient, relation, fact.entity, _place(fact))


def person_entity(patient: str, name: str, value: str) -> str:
    """The node that a fact about a person is an edge to; empty where it is none."""
    relation, type = PERSON.get(name, ("", ""))
    if not relation or not value:
        return ""
    return node_id(patient, type, day(value) if type == DATE else value.casefold())


def of_fact(fact: Fact) -> Iterator[Entity | Triple]:
    """A fact's own node, its edge from the patient and what hangs on it; nothing if not true."""
    if not fact.true or not fact.entity or fact.kind not in RELATIONS:
        return
    place = _place(fact)
    name, full = shown(fact.name)
    yield _entity(fact.entity, name or fact.name, fact.kind, (*full, *fact.other_names))
    yield Triple(fact.patient, fact.relation or RELATIONS[fact.kind], fact.entity, place)
    began, ended = DATES[fact.kind]
    for relation, moment in ((began, fact.start), (ended, fact.end)):
        if relation and moment:
            date = node_id(fact.patient, DATE, day(moment))
            yield _entity(date, day(moment), DATE, (moment,))
            yield Triple(fact.entity, relation, date, place)
    for system, code in fact.codes:
        scheme = SYSTEMS.get(system, system)
        written = f"{scheme}:{code}" if scheme else code
        node = node_id(fact.patient, CODE, written)
        yield Entity(id=node, name=_cut(code), type=CODE, synonyms=(written,), xrefs=(written,))
        yield Triple(fact.entity, "has code", node, place)
    yield from _value(fact, place)
    yield from _details(fact, place)


def _value(fact: Fact, place: str) -> Iterator[Entity | Triple]:
    if fact.value and fact.kind != "note":
        unit = "" if fact.unit.startswith("{") else fact.unit
        name = f"{fact.comparator}{fact.value} {unit}".strip()
        node = node_id(fact.patient, VALUE, name)
        yield _entity(node, name, VALUE, (fact.value,))
        yield Triple(fact.entity, "has value", node, place)


def _details(fact: Fact, place: str) -> Iterator[Entity | Triple]:
    for key, (relation, type) in DETAILS.items():
        for line in fact.detail.get(key, "").split("\n"):
            if line:
                node = node_id(fact.patient, type, line.casefold())
                yield _entity(node, line, type)
                yield Triple(fact.entity, relation, node, place)
    for node in fact.detail.get("reason entity", "").split():
        yield Triple(fact.entity, "has reason", node, place)
    for reason in fact.detail.get("reason", "").split("\n"):
        if reason:
            name, full = shown(reason)
            node = node_id(fact.patient, "condition", name.casefold())
            yield _entity(node, name, "condition", full)
            yield Triple(fact.entity, "has reason", node, place)
    if fact.encounter:
        yield Triple(fact.entity, "during encounter", fact.encounter, place)


def _entity(id: str, name: str, type: str, synonyms: Sequence[str] = ()) -> Entity:
    name = " ".join(name.split())
    others = tuple(dict.fromkeys(s for s in synonyms if s and s != name))
    return Entity(id=id, name=_cut(name) or "unnamed", type=type, synonyms=others)


def _cut(name: str) -> str:
    return name[: MAX_NAME.get()]


def _place(fact: Fact) -> str:
    joint = "" if not fact.source.place else "#" if fact.source.place[:1] != ":" else ""
    return f"{fact.source.file}{joint}{fact.source.place}"
