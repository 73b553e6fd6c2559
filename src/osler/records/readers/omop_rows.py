"""Rows of OMOP CDM tables as facts. One function a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from osler.files.source import Source
from osler.files.table import rows
from osler.kinds import Fact, FactSource, Reject
from osler.kinds.fact import Certainty
from osler.records.building import Said, record
from osler.records.ids import node_id
from osler.records.readers.fhir_values import number_of

Row = dict[str, str]

VOCABULARIES = {
    "snomed": "http://snomed.info/sct",
    "loinc": "http://loinc.org",
    "rxnorm": "http://www.nlm.nih.gov/research/umls/rxnorm",
    "icd10": "http://hl7.org/fhir/sid/icd-10",
    "icd10cm": "http://hl7.org/fhir/sid/icd-10-cm",
    "icd9cm": "http://hl7.org/fhir/sid/icd-9-cm",
    "cvx": "http://hl7.org/fhir/sid/cvx",
}
"""OMOP's vocabularies as FHIR writes their systems, so that one question finds both."""
STANDARD = {
    "8507": "male",
    "8532": "female",
    "4171756": "<",
    "4171754": "<=",
    "4172704": ">",
    "4171755": ">=",
    "4172703": "=",
}
"""Concepts that are the same in every OMOP database: sex, and operators of measurements."""
_NOTHING = ("", "0")


@dataclass
class Concepts:
    """Names and codes of the concepts that the tables use; others are not kept."""

    names: dict[str, str] = field(default_factory=dict)
    codes: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, tables: dict[str, list[Source]]) -> Concepts:
        """Out of the table ``concept``, after a look at which concepts the others use: a
        vocabulary holds millions."""
        held = cls(dict(STANDARD))
        if "concept" not in tables:
            return held
        used: set[str] = set()
        for table, parts in tables.items():
            if table == "concept":
                continue
            for part in parts:
                for row in rows(part):
                    if not isinstance(row, Reject):
                        used.update(
                            v.strip() for k, v in row[1].items() if k.lower().endswith("concept_id")
                        )
        for part in tables["concept"]:
            for row in rows(part):
                if isinstance(row, Reject):
                    continue
                cells = {k.lower(): v.strip() for k, v in row[1].items()}
                id = cells.get("concept_id", "")
                if id in used and id not in _NOTHING:
                    held.names.setdefault(id, cells.get("concept_name", ""))
                    vocabulary = cells.get("vocabulary_id", "")
                    system = VOCABULARIES.get(vocabulary.lower(), vocabulary)
                    held.codes[id] = (system, cells.get("concept_code", ""))
        return held

    def name(self, row: Row, about: str) -> str:
        """What a row calls something: its concept, else the source's own word for it."""
        id = row.get(f"{about}_concept_id", "")
        said = self.names.get(id, "") if id not in _NOTHING else ""
        return (
            said
            or row.get(f"{about}_source_value", "")
            or (f"concept {id}" if id not in _NOTHING else "")
        )

    def coded(self, row: Row, about: str) -> tuple[tuple[str, str], ...]:
        codes = []
        for column in (f"{about}_concept_id", f"{about}_source_concept_id"):
            id = row.get(column, "")
            if id not in _NOTHING:
                codes += [c for c in (self.codes.get(id), ("OMOP", id)) if c and c[1]]
        return tuple(dict.fromkeys(codes))


def person_said(concepts: Concepts, row: Row, place: Row, deaths: list[Row]) -> Iterator[Said]:
    sex = concepts.name(row, "gender")
    if sex:
        yield "sex", sex.lower(), {}
    born = _born(row)
    if born:
        yield "birth date", born, {"start": born}
    for name in ("race", "ethnicity"):
        if concepts.name(row, name):
            yield name, concepts.name(row, name), {}
    if place.get("city"):
        yield "city", place["city"], {}
    if row.get("person_source_value"):
        value = row["person_source_value"]
        yield "identifier", value, {"codes": (("person_source_value", value),)}
    for death in deaths:
        when = death.get("death_date", "") or death.get("death_datetime", "")
        cause = concepts.name(death, "cause")
        fields: dict[str, Any] = {"detail": {"cause": cause}} if cause else {}
        yield "death", when or "true", fields | ({"start": when} if when else {})


def _born(row: Row) -> str:
    parts = [row.get(f"{name}_of_birth", "") for name in ("year", "month", "day")]
    known = []
    for part, width in zip(parts, (4, 2, 2), strict=True):
        if not part.isdigit():
            break
        known.append(part.zfill(width))
    return "-".join(known) or row.get("birth_datetime", "")


def _common(concepts: Concepts, row: Row, about: str, where: FactSource) -> dict[str, Any]:
    return {
        "codes": concepts.coded(row, about),
        "start": _moment(row, f"{about}_start") or _moment(row, about),
        "end": _moment(row, f"{about}_end"),
        "source": where,
    }


def _moment(row: Row, name: str) -> str:
    return row.get(f"{name}_datetime", "") or row.get(f"{name}_date", "")


def _visit(patient: str, row: Row) -> str:
    id = row.get("visit_occurrence_id", "")
    return node_id(patient, "visit_occurrence", id) if id not in _NOTHING else ""


def _named(concepts: Concepts, row: Row, about: str) -> str:
    return concepts.name(row, about) or "(no concept or source value)"


def _condition(c: Concepts, patient: str, key: str, row: Row, where: FactSource) -> Fact:
    fields = _common(c, row, "condition", where)
    judged = c.name(row, "condition_status").lower()
    certainty: Certainty = "confirmed"
    if "rule out" in judged or "ruled out" in judged or "refuted" in judged:
        certainty = "refuted"
    elif any(word in judged for word in ("preliminary", "provisional", "differential", "suspect")):
        certainty = "provisional"
    return record(
        *(patient, "condition", "condition_occurrence", key, _named(c, row, "condition")),
        status="completed" if fields["end"] or row.get("stop_reason") else "active",
        certainty=certainty,
        encounter=_visit(patient, row),
        detail={"condition status": judged} if judged else {},
        **fields,
    )


def _drug(c: Concepts, patient: str, key: str, row: Row, where: FactSource) -> Fact:
    fields = _common(c, row, "drug_exposure", where) | {"codes": c.coded(row, "drug")}
    stopped = row.get("stop_reason", "")
    detail = {
        "route": c.name(row, "route"),
        "instruction": " ".join(row.get("sig", "").split()),
        "quantity": row.get("quantity", ""),
        "status reason": stopped,
    }
    return record(
        *(patient, "medication", "drug_exposure", key, _named(c, row, "drug")),
        status="stopped" if stopped else "completed" if fields["end"] else "active",
        dose=row.get("sig", ""),
        encounter=_visit(patient, row),
        detail={name: value for name, value in detail.items() if value},
        **fields,
    )


def _measured(about: str) -> Callable[[Concepts, str, str, Row, FactSource], Fact]:
    def write(c: Concepts, patient: str, key: str, row: Row, where: FactSource) -> Fact:
        number = row.get("value_as_number", "")
        concept = c.name(row, "value_as") if not number else ""
        text = number or concept or row.get("value_as_string", "") or row.get("value_source_value")
        sign = c.name(row, "operator")
        return record(
            *(patient, "observation", about, key, _named(c, row, about)),
            status="completed",
            value=text or "",
            number=_number(number),
            unit=row.get("unit_source_value", "") or c.name(row, "unit"),
            comparator="" if sign == "=" else sign,
            low=_number(row.get("range_low", "")),
            high=_number(row.get("range_high", "")),
            encounter=_visit(patient, row),
            **_common(c, row, about, where),
        )

    return write


def _procedure(c: Concepts, patient: str, key: str, row: Row, where: FactSource) -> Fact:
    return record(
        *(patient, "procedure", "procedure_occurrence", key, _named(c, row, "procedure")),
        status="completed",
        encounter=_visit(patient, row),
        **_common(c, row, "procedure", where),
    )


def _encounter(c: Concepts, patient: str, key: str, row: Row, where: FactSource) -> Fact:
    return record(
        *(patient, "encounter", "visit_occurrence", key, _named(c, row, "visit")),
        status="completed" if _moment(row, "visit_end") else "active",
        **_common(c, row, "visit", where),
    )


def _number(text: str) -> float | None:
    try:
        return number_of(Decimal(text)) if text else None
    except ArithmeticError:
        return None


WRITERS: dict[str, Callable[[Concepts, str, str, Row, FactSource], Fact]] = {
    "visit_occurrence": _encounter,
    "condition_occurrence": _condition,
    "drug_exposure": _drug,
    "measurement": _measured("measurement"),
    "observation": _measured("observation"),
    "procedure_occurrence": _procedure,
}
