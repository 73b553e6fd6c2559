"""Each FHIR resource type as facts: what it says, whether, and when. One function a type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from osler.kinds import Fact
from osler.records.readers.fhir_case import Case
from osler.records.readers.fhir_status import condition_status, status_of
from osler.records.readers.fhir_values import (
    Concept,
    Resource,
    child,
    code_of,
    concept,
    dosage_of,
    listed,
    number_of,
    objects,
    quantity,
    span,
    value_of,
    word,
)

Writer = Callable[[Case], Iterator[Fact]]


def _condition(case: Case) -> Iterator[Fact]:
    r = case.resource
    status, certainty = condition_status(r)
    start, _ = span(r, "onset")
    end, _ = span(r, "abatement")
    yield case.fact(
        "condition",
        concept(r.get("code")),
        status=status,
        certainty=certainty,
        start=start,
        end=end,
        recorded=word(r, "recordedDate", "assertedDate", "dateRecorded"),
        detail={
            "clinical status": code_of(r.get("clinicalStatus")) if r.get("clinicalStatus") else "",
            "onset": _age(r, "onset"),
            "abatement": _age(r, "abatement"),
            "severity": concept(r.get("severity")).display,
            "body site": concept(r.get("bodySite")).display,
        },
    )


def _age(r: Resource, name: str) -> str:
    """An onset or end that is no date: an age, a range of ages, words."""
    if isinstance(r.get(f"{name}Age"), dict):
        age = quantity(r[f"{name}Age"])
        return f"age {age.text} {age.unit}".strip()
    if isinstance(r.get(f"{name}Range"), dict):
        return f"age {value_of({'valueRange': r[f'{name}Range']}).text}"
    return word(r, f"{name}String", f"{name}Boolean")


def _medication(case: Case) -> Iterator[Fact]:
    """MedicationRequest, MedicationStatement, MedicationAdministration, MedicationDispense."""
    r = case.resource
    dosages = [*objects(r.get("dosageInstruction")), *objects(r.get("dosage"))]
    dosage = dosage_of(dosages)
    start, end = span(r, "effective")
    start = start or word(r, "authoredOn", "whenHandedOver", "whenPrepared", "dateWritten")
    yield case.fact(
        "medication",
        case.medication(),
        status=status_of(r),
        start=start,
        end=end or dosage.end,
        recorded=word(r, "authoredOn", "dateAsserted"),
        dose=dosage.text,
        detail={
            **dosage.detail,
            "status": word(r, "status"),
            "status reason": concept(r.get("statusReason")).display,
            "intent": word(r, "intent"),
            "source type": r["resourceType"],
        },
    )


def _observation(case: Case) -> Iterator[Fact]:
    r = case.resource
    start, end = span(r, "effective")
    whole = case.fact(
        "observation",
        concept(r.get("code")),
        status=status_of(r, "completed"),
        certainty="provisional" if r.get("status") == "preliminary" else "confirmed",
        start=start or word(r, "issued"),
        end=end,
        recorded=word(r, "issued"),
        **_measured(r),
    )
    yield whole
    for number, component in enumerate(objects(r.get("component")), 1):
        said = concept(component.get("code"))
        yield case.part(whole, f"component/{number}", said, **_measured(component))


def _measured(part: Resource) -> dict[str, Any]:
    """Value, unit, comparator, range and interpretation of an observation or a component."""
    value = value_of(part)
    limits: Resource = next(objects(part.get("referenceRange")), {})
    judged = concept(part.get("interpretation"))
    code = next((code for _, code in judged.codes), judged.display)
    return {
        "value": value.text,
        "number": value.number,
        "unit": value.unit,
        "comparator": value.comparator,
        "low": number_of(child(limits, "low").get("value")),
        "high": number_of(child(limits, "high").get("value")),
        "interpretation": code,
        "detail": {
            key: text
            for key, text in (
                ("value codes", " ".join(f"{s}|{c}" for s, c in value.codes)),
                ("reference range", word(limits, "text")),
                ("value absent", concept(part.get("dataAbsentReason")).display),
                ("category", concept(part.get("category")).display),
            )
            if text
        },
    }


def _procedure(case: Case) -> Iterator[Fact]:
    r = case.resource
    start, end = span(r, "performed")
    yield case.fact(
        "procedure",
        concept(r.get("code")),
        status=status_of(r),
        start=start or word(r, "performedString"),
        end=end,
        detail={"status reason": concept(r.get("statusReason")).display},
    )


def _encounter(case: Case) -> Iterator[Fact]:
    r = case.resource
    start, end = span(r, "period")
    kind = code_of(r.get("class")) if r.get("class") else ""
    said = concept(r.get("type"))
    yield case.fact(
        "encounter",
        said or Concept(kind.upper() or "encounter"),
        status=status_of(r),
        start=start,
        end=end,
        detail={"class": kind.upper()},
    )


def _allergy(case: Case) -> Iterator[Fact]:
    r = case.resource
    status, certainty = condition_status(r)
    said = concept(r.get("code")) or concept(r.get("substance"))
    reactions = [*objects(r.get("reaction"))]
    if not said:
        said = concept(next((x["substance"] for x in reactions if x.get("substance")), None))
    signs = [concept(s).display for x in reactions for s in listed(x.get("manifestation"))]
    start, _ = span(r, "onset")
    yield case.fact(
        "allergy",
        said,
        status=status,
        certainty=certainty,
        start=start or word(r, "recordedDate"),
        recorded=word(r, "recordedDate", "assertedDate"),
        detail={
            "criticality": word(r, "criticality"),
            "reaction": "\n".join(dict.fromkeys(s for s in signs if s)),
            "clinical status": "",
            "category": ", ".join(str(c) for c in listed(r.get("category"))),
        },
    )


def _care_plan(case: Case) -> Iterator[Fact]:
    r = case.resource
    kinds = [c for c in (concept(v) for v in listed(r.get("category"))) if c]
    start, end = span(r, "period")
    acts = [concept(child(a, "detail").get("code")).display for a in objects(r.get("activity"))]
    yield case.fact(
        "care plan",
        (kinds[-1] if kinds else Concept(word(r, "title") or "care plan")),
        status=status_of(r),
        start=start or word(r, "created"),
        end=end,
        detail={"activity": "\n".join(dict.fromkeys(a for a in acts if a))},
    )


def _immunization(case: Case) -> Iterator[Fact]:
    r = case.resource
    start, _ = span(r, "occurrence")
    yield case.fact(
        "immunization",
        concept(r.get("vaccineCode")),
        status=status_of(r, "completed"),
        start=start or word(r, "occurrenceString", "date"),
        detail={"status reason": concept(r.get("statusReason")).display},
    )


def _report(case: Case) -> Iterator[Fact]:
    r = case.resource
    start, end = span(r, "effective")
    drawn = [concept(c).display for c in listed(r.get("conclusionCode"))]
    yield case.fact(
        "report",
        concept(r.get("code")),
        status=status_of(r, "completed"),
        certainty="provisional" if r.get("status") == "preliminary" else "confirmed",
        start=start or word(r, "issued"),
        end=end,
        recorded=word(r, "issued"),
        value=word(r, "conclusion") or "; ".join(d for d in drawn if d),
    )


def _family(case: Case) -> Iterator[Fact]:
    """FamilyMemberHistory: the relative, and each condition as a fact of the relative."""
    r = case.resource
    relative = concept(r.get("relationship")).display or word(r, "name") or "relative"
    died = word(r, "deceasedDate", "deceasedString", "deceasedBoolean") or _age(r, "deceased")
    whole = case.fact(
        "note",
        "family history",
        status=status_of(r, "completed"),
        role="family member",
        relative=relative,
        start=word(r, "date"),
        value=relative,
        detail={"death": died, "born": word(r, "bornDate", "bornString")},
    )
    whole = msgspec.structs.replace(whole, entity="", relation="")
    yield whole
    for number, one in enumerate(objects(r.get("condition")), 1):
        yield case.part(
            whole,
            f"condition/{number}",
            concept(one.get("code")),
            kind="condition",
            entity="",
            start=span(one, "onset")[0],
            detail={k: v for k, v in (("onset", _age(one, "onset")),) if v},
        )


def _device(case: Case) -> Iterator[Fact]:
    r = case.resource
    named = concept(r.get("type"))
    titles = [word(n, "name") for n in objects(r.get("deviceName"))]
    yield case.fact(
        "device",
        named or Concept(next((t for t in titles if t), "") or word(r, "modelNumber", "model")),
        status="stopped" if r.get("status") == "inactive" else status_of(r, "active"),
        start=word(r, "manufactureDate"),
        detail={"maker": word(r, "manufacturer")},
    )


WRITERS: dict[str, Writer] = {
    "Condition": _condition,
    "MedicationRequest": _medication,
    "MedicationOrder": _medication,
    "MedicationStatement": _medication,
    "MedicationAdministration": _medication,
    "MedicationDispense": _medication,
    "Observation": _observation,
    "Procedure": _procedure,
    "Encounter": _encounter,
    "AllergyIntolerance": _allergy,
    "CarePlan": _care_plan,
    "Immunization": _immunization,
    "DiagnosticReport": _report,
    "FamilyMemberHistory": _family,
    "Device": _device,
}
