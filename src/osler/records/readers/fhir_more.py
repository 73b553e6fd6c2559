"""FHIR resource types around a patient's care that are no finding of their own: orders, documents,
assessments, goals. They are kept as facts that say what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from osler.kinds import Fact
from osler.records.readers.fhir_case import Case
from osler.records.readers.fhir_resources import Writer
from osler.records.readers.fhir_status import status_of
from osler.records.readers.fhir_values import (
    Concept,
    Resource,
    code_of,
    concept,
    human_name,
    objects,
    span,
    value_of,
    word,
)
from osler.records.readers.fhir_ward import medication


def _order(case: Case) -> Iterator[Fact]:
    """ServiceRequest: a procedure or test that is asked for; done or not, it is a plan here, and
    nothing that was done where it was revoked or waits."""
    r = case.resource
    status = {"stopped": "not done", "not done": "not done", "entered in error": "entered in error"}
    start, _ = span(r, "occurrence")
    yield case.fact(
        "procedure",
        concept(r.get("code")),
        status=status.get(status_of(r), "planned"),
        start=start or word(r, "authoredOn"),
        recorded=word(r, "authoredOn"),
        detail={"status": word(r, "status"), "source type": r["resourceType"]},
    )


def _document(case: Case) -> Iterator[Fact]:
    """DocumentReference, Composition: that a document is there, and what it is called."""
    r = case.resource
    files = [c.get("attachment") for c in objects(r.get("content"))]
    titles = [word(file, "title") for file in files if isinstance(file, dict)]
    title = word(r, "title", "description") or next((t for t in titles if t), "")
    yield case.fact(
        "note",
        concept(r.get("type")) or Concept(title or "document"),
        status=status_of(r, "completed"),
        start=span(r, "date")[0] or word(r, "indexed"),
        value=title,
    )


def _assessment(case: Case) -> Iterator[Fact]:
    """RiskAssessment, ClinicalImpression: a report, with what it foresees as its value."""
    r = case.resource
    start, end = span(r, "occurrence")
    if not start:
        start, end = span(r, "effective")
    seen = []
    for one in objects(r.get("prediction")):
        share = value_of(
            {
                "value" + k.removeprefix("probability"): v
                for k, v in one.items()
                if k.startswith("probability")
            }
        )
        text = concept(one.get("outcome")).display
        seen.append(f"{text} {share.text}".strip())
    yield case.fact(
        "report",
        concept(r.get("code")) or concept(r.get("method")) or Concept(in_words(r["resourceType"])),
        status=status_of(r, "completed"),
        start=start or word(r, "date"),
        end=end,
        value="; ".join(s for s in seen if s) or word(r, "summary", "mitigation"),
        detail={"source type": r["resourceType"]},
    )


def _goal(case: Case) -> Iterator[Fact]:
    r = case.resource
    life = code_of(r.get("lifecycleStatus") or r.get("status"))
    error = life == "entered-in-error"
    yield case.fact(
        "care plan",
        concept(r.get("description")),
        status="entered in error" if error else "planned",
        start=span(r, "start")[0],
        detail={"status": life, "source type": r["resourceType"]},
    )


def other(case: Case) -> Iterator[Fact]:
    """Any further resource of a patient (Coverage, Specimen, Claim ...): that it is there, what it
    is called, its status and date."""
    r = case.resource
    kind = in_words(r["resourceType"])
    said = next(
        (c for n in ("code", "type", "category", "title") if (c := concept(r.get(n)))), None
    )
    start, end = span(r, "period")
    if not start:
        start, end = span(r, "created")
    yield case.fact(
        "other",
        said or Concept(kind),
        status=status_of(r),
        start=start or word(r, "authoredOn", "date", "started", "receivedTime", "recorded"),
        end=end,
        detail={"source type": r["resourceType"]},
    )


def in_words(kind: str) -> str:
    """``CareTeam`` is ``care team``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()


def called(resource: Resource) -> str:
    """What a resource that is nobody's (an organization, a drug) goes by."""
    kind = resource["resourceType"]
    if kind in ("Practitioner", "RelatedPerson", "Person"):
        return next((human_name(n) for n in objects(resource.get("name"))), "")
    if kind == "Medication":
        return medication(resource).display
    name = resource.get("name")
    if isinstance(name, str) and name.strip():
        return name.strip()
    said = next((c.display for n in ("code", "type") if (c := concept(resource.get(n)))), "")
    return said or in_words(kind)


DIRECTORY = frozenset(
    [
        *("Organization", "Practitioner", "PractitionerRole", "Location", "Medication", "Group"),
        *("Substance", "HealthcareService", "Person", "RelatedPerson"),
    ]
)
"""Whom and what records name, and who are no patients: kept as names in the graph."""

MORE: dict[str, Writer] = {
    "ServiceRequest": _order,
    "DocumentReference": _document,
    "Composition": _document,
    "RiskAssessment": _assessment,
    "ClinicalImpression": _assessment,
    "Goal": _goal,
}
