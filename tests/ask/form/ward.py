"""A small ward of invented people as facts, for the tests of forms."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.relation import MemoryFacts
from osler.kinds import Fact, FactSource

TODAY = datetime.date(2024, 6, 1)
SNOMED, LOINC = "http://snomed.info/sct", "http://loinc.org"


def patient(id: str, *names: str, **told: str) -> Iterator[Fact]:
    own = f"record:ward/{id}"
    yield Fact(id=own, patient=own, kind="patient", name="id", value=id)
    for at, name in enumerate(names):
        yield Fact(id=f"{own}/n{at}", patient=own, kind="patient", name="name", value=name)
    for what, value in told.items():
        label = what.replace("_", " ")
        yield Fact(id=f"{own}/{what}", patient=own, kind="patient", name=label, value=value)


_count = 0


def fact(id: str, kind: str, name: str, **more: Any) -> Fact:
    global _count
    _count += 1
    own = f"record:ward/{id}"
    text = f"{name} as the chart writes it"
    source = FactSource(file="chart.json", place=f"entry {_count}", text=text)
    return Fact(id=f"{own}/f{_count}", patient=own, kind=kind, name=name, source=source, **more)  # type: ignore[arg-type]


def result(id: str, name: str, day: str, number: float, unit: str = "mg/dL", **more: Any) -> Fact:
    return fact(
        id,
        "observation",
        name,
        status="completed",
        start=day,
        value=f"{number:g}",
        number=number,
        unit=unit,
        **more,
    )


def ward() -> list[Fact]:
    """Ann Lee and her namesake, Ben Okoro, Cora Diaz, 王丽; each fact is a case of its own."""
    return [
        *patient("p1", "Ann Lee", birth_date="1950-02-03", sex="female", city="Leeds"),
        *patient("p2", "Ann Lee", birth_date="1980-07-09", sex="female", city="York"),
        *patient("P2", "Ben Okoro", birth_date="1962-11-30", sex="male", city="Leeds"),
        *patient("p3", "Cora Diaz", "Cora Marsh", birth_date="1971-01-01", sex="female"),
        *patient("p4", "王丽", "Wang Li", birth_date="1990-10-10", sex="female"),
        Fact(id="x", patient="record:ward/P2", kind="patient", name="death", value="2020-05-06"),
        Fact(id="mrn", patient="record:ward/p1", kind="patient", name="identifier", value="MRN-7"),
        # What is true, over, refuted, in error, suspected, of a relative.
        fact(
            "p1", "condition", "Essential hypertension", start="2010-01-01", codes=((SNOMED, "1"),)
        ),
        fact(
            "p1", "condition", "Pneumonia", status="completed", start="2018-01-05", end="2018-02-01"
        ),
        fact("P2", "condition", "Essential hypertension", start="2011-03-03"),
        fact("P2", "condition", "Type 2 diabetes mellitus", start="2012-04-04"),
        fact(
            "p3",
            "condition",
            "Malignant neoplasm of breast",
            certainty="refuted",
            start="2019-01-01",
        ),
        fact("p3", "condition", "Systemic lupus erythematosus", status="entered in error"),
        fact("p3", "condition", "Celiac disease", certainty="provisional", start="2021-01-01"),
        fact("p3", "condition", "Childhood asthma", start="1980-01-01"),
        fact("p3", "condition", "Pulmonary hypertension", start="2020-01-01"),
        fact(
            "p3",
            "condition",
            "Stroke",
            status="completed",
            role="family member",
            relative="father",
        ),
        fact("p3", "condition", "History of myocardial infarction (situation)", start="2015-01-01"),
        fact("p2", "condition", "Suspected lung cancer (situation)", start="2022-01-01"),
        # Drugs: on, off, on hold, forbidden, planned.
        fact(
            "p1",
            "medication",
            "Lisinopril 20 MG Oral Tablet",
            start="2012-01-01",
            dose="20 mg, 1 per day",
            reason="Essential hypertension",
        ),
        fact(
            "p1", "medication", "Lisinopril 10 MG Oral Tablet", status="stopped", start="2010-01-01"
        ),
        fact(
            "p1",
            "medication",
            "Simvastatin 20 MG Oral Tablet",
            status="on hold",
            start="2011-01-01",
        ),
        fact(
            "P2", "medication", "Warfarin 5 MG Oral Tablet", status="not done", start="2013-01-01"
        ),
        fact("P2", "medication", "Apixaban 5 MG Oral Tablet", start="2013-02-01"),
        fact("P2", "medication", "Metoprolol tartrate 50 MG Oral Tablet", start="2014-02-01"),
        fact(
            "p3",
            "medication",
            "Amoxicillin 500 MG Oral Capsule",
            status="completed",
            start="2016-05-01",
            end="2016-05-08",
        ),
        # Results.
        result("p1", "Creatinine", "2018-06-01", 1.0, low=0.6, high=1.1),
        result("p1", "Creatinine", "2021-06-01", 1.9, low=0.6, high=1.1, interpretation="H"),
        result("p1", "Creatinine", "2020-06-01", 1.4, low=0.6, high=1.1),
        fact(
            "p1",
            "observation",
            "Creatinine",
            status="entered in error",
            start="2023-01-01",
            value="9.9",
            number=9.9,
            unit="mg/dL",
        ),
        result("P2", "Creatinine", "2019-01-01", 0.9, low=0.7, high=1.3),
        result("p1", "Hemoglobin", "2021-06-01", 10.1, "g/dL", low=12.0, high=16.0),
        result("p1", "Hemoglobin A1c/Hemoglobin.total in Blood", "2021-06-01", 6.9, "%"),
        result("P2", "Troponin I", "2019-01-01", 0.01, "ng/mL", comparator="<"),
        fact(
            "p1",
            "observation",
            "Tobacco smoking status",
            status="completed",
            start="2020-01-01",
            value="Never smoker",
        ),
        fact(
            "P2",
            "observation",
            "Tobacco smoking status",
            status="completed",
            start="2019-01-01",
            value="Former smoker",
        ),
        fact(
            "p3",
            "observation",
            "Tobacco smoking status",
            status="completed",
            start="2019-01-01",
            value="Current every day smoker",
        ),
        # Procedures, visits, vaccines, allergies, a report.
        fact("p1", "procedure", "Colonoscopy", status="completed", start="2017-03-03"),
        fact(
            "P2",
            "procedure",
            "Colonoscopy",
            status="not done",
            start="2018-03-03",
            detail={"status reason": "Patient refused"},
        ),
        fact("p3", "procedure", "Screening mammography", status="planned", start="2025-01-01"),
        fact("p1", "encounter", "General practice visit", status="completed", start="2020-02-02"),
        fact("p1", "encounter", "General practice visit", status="completed", start="2021-06-01"),
        fact("p1", "encounter", "General practice visit", status="not done", start="2022-01-01"),
        fact("p1", "encounter", "General practice visit", status="planned", start="2030-01-01"),
        fact("p1", "allergy", "Penicillin", detail={"reaction": "Rash\nHives"}),
        fact("p1", "allergy", "Latex", certainty="refuted"),
        fact("P2", "allergy", "No known drug allergy"),
        fact("p1", "immunization", "Influenza vaccine", status="completed", start="2020-10-01"),
        fact("p1", "immunization", "Influenza vaccine", status="completed", start="2021-10-01"),
        fact(
            "p1",
            "report",
            "CT angiography of chest",
            status="completed",
            start="2021-01-01",
            value="No embolism.",
        ),
    ]


def answerer() -> FormAnswerer:
    return FormAnswerer(MemoryFacts(ward()), today=lambda: TODAY)


def over(*facts: Fact) -> FormAnswerer:
    """An answerer over a few facts, on the ward's day."""
    return FormAnswerer(MemoryFacts(facts), today=lambda: TODAY)
