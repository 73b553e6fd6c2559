"""FHIR R4 resources as facts of a patient; bundles, NDJSON and flattened tables share this.

Keys come from the resource (its id, or code and date), so that the same fact read from a bundle
and from a table is one node.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from osler.records.chart import Chart
from osler.records.schema import CODE, DATE, VALUE

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
_UNITS = {
    "h": "hour",
    "d": "day",
    "wk": "week",
    "mo": "month",
    "min": "minute",
    "a": "year",
    "s": "second",
}


def shown(display: str) -> tuple[str, tuple[str, ...]]:
    """A display name without the terminology's tag in brackets, and the full one as a synonym."""
    short = _SUFFIX.sub("", display.strip())
    return short, (display.strip(),) if short != display.strip() else ()


def day(moment: str) -> str:
    return moment[:10]


def tidy(number: str | float | int) -> str:
    """A value for people: 176.35499866729558 is 176.35; 7 stays 7."""
    try:
        value = float(number)
    except ValueError:
        return str(number)
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Facts:
    """Writes a patient's facts; every method takes where the fact stands."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart

    def dated(self, node: str, relation: str, moment: str, source: str) -> None:
        if moment:
            date = self.chart.add(DATE, day(moment), synonyms=(moment,), cleaned=False)
            self.chart.link(node, relation, date, source)

    def coded(self, node: str, code: str, system: str, source: str) -> None:
        if code:
            scheme = SYSTEMS.get(system, system)
            full = f"{scheme}:{code}" if scheme else code
            tail = self.chart.add(
                CODE, code, key=full, synonyms=(full,), xrefs=(full,), cleaned=False
            )
            self.chart.link(node, "has code", tail, source)

    def said(self, node: str, relation: str, type: str, text: str, source: str) -> None:
        if text:
            self.chart.link(node, relation, self.chart.add(type, text, cleaned=False), source)

    def person(
        self, *, gender: str, born: str, died: str, race: str, city: str, source: str
    ) -> None:
        patient = self.chart.patient
        self.said(patient, "has gender", "gender", gender, source)
        self.dated(patient, "born on", born, source)
        self.dated(patient, "died on", died, source)
        self.said(patient, "has race", "race", race, source)
        self.said(patient, "lives in", "city", city, source)

    def fact(self, type: str, relation: str, display: str, key: str, source: str) -> str:
        name, synonyms = shown(display)
        node = self.chart.add(type, name, key=key, synonyms=synonyms, cleaned=False)
        self.chart.has(relation, node, source)
        return node

    def measured(self, node: str, value: str, unit: str, source: str) -> None:
        if value:
            unit = "" if unit.startswith("{") else unit
            exact = str(value)
            name = f"{tidy(value)} {unit}".strip()
            key = f"{exact}-{unit}"
            tail = self.chart.add(VALUE, name, key=key, synonyms=(exact,), cleaned=False)
            self.chart.link(node, "has value", tail, source)

    def frequency(self, node: str, times: str, period: str, unit: str, source: str) -> None:
        if times and period:
            length = tidy(period)
            word = _UNITS.get(unit, unit)
            text = (
                f"{tidy(times)} per {word}"
                if length == "1"
                else f"{tidy(times)} per {length} {word}s"
            )
            self.said(node, "has frequency", "frequency", text, source)

    def reason(
        self, node: str, display: str, conditions: Callable[[str], str], source: str
    ) -> None:
        """The reason's own condition node where the patient has one by that name."""
        if display:
            name, synonyms = shown(display)
            target = conditions(name) or self.chart.add(
                "condition", name, synonyms=synonyms, cleaned=False
            )
            self.chart.link(node, "has reason", target, source)


def coding(concept: Any) -> tuple[str, str, str]:
    """Display, code and system of a CodeableConcept, best effort."""
    concept = concept if isinstance(concept, dict) else {}
    first = next((c for c in concept.get("coding") or () if isinstance(c, dict)), {})
    display = concept.get("text") or first.get("display") or first.get("code") or ""
    return str(display), str(first.get("code") or ""), str(first.get("system") or "")
