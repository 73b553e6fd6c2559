"""A small OMOP database of invented people, for SQLite and PostgreSQL alike."""

from __future__ import annotations

import datetime

from sqlalchemy import Engine

from osler.ask.form.omop import _tables

_CONCEPTS = {
    1: ("Essential hypertension", "SNOMED", "59621000"),
    2: ("Type 2 diabetes mellitus", "SNOMED", "44054006"),
    3: ("Pneumonia", "SNOMED", "233604007"),
    4: ("Lisinopril 10 MG Oral Tablet", "RxNorm", "314076"),
    5: ("Metformin hydrochloride 500 MG Oral Tablet", "RxNorm", "861007"),
    6: ("Hemoglobin A1c/Hemoglobin.total in Blood", "LOINC", "4548-4"),
    7: ("Creatinine [Mass/volume] in Serum or Plasma", "LOINC", "2160-0"),
    8: ("Colonoscopy", "SNOMED", "73761001"),
    9: ("Office Visit", "Visit", "OV"),
    10: ("Tobacco smoking status", "LOINC", "72166-2"),
    11: ("Never smoker", "SNOMED", "266919005"),
    12: ("Current every day smoker", "SNOMED", "449868002"),
    4171756: ("<", "Meas Value Operator", "<"),
}


def day(text: str) -> datetime.date | None:
    return datetime.date.fromisoformat(text) if text else None


def fill(engine: Engine) -> None:
    """Make the tables and write four people."""
    tables = _tables(None)
    tables["person"].metadata.create_all(engine)
    rows: dict[str, list[dict[str, object]]] = {
        "concept": [
            {"concept_id": id, "concept_name": n, "vocabulary_id": v, "concept_code": c}
            for id, (n, v, c) in _CONCEPTS.items()
        ],
        "person": [
            _person(1, 8532, 1950, 3, 9, "A-1"),
            _person(2, 8507, 1980, 11, 30, "A-2"),
            _person(3, 8532, 1990, 1, 2, "a-1"),
            _person(4, 8507, 1961, None, None, "A-4"),
        ],
        "death": [{"person_id": 4, "death_date": day("2020-05-06")}],
        "condition_occurrence": [
            _event("condition", 1, 1, 1, "2015-01-01", ""),
            _event("condition", 2, 1, 2, "2016-02-02", ""),
            _event("condition", 3, 2, 3, "2018-12-20", "2019-01-15"),
            _event("condition", 4, 3, 1, "2019-05-05", ""),
        ],
        "drug_exposure": [
            _drug(1, 1, 4, "2015-01-02", "2018-01-01", "10 mg daily"),
            _drug(2, 1, 5, "2016-02-03", "", "500 mg twice a day"),
            _drug(3, 3, 4, "2019-05-06", "", ""),
        ],
        "procedure_occurrence": [
            {
                "procedure_occurrence_id": 1,
                "person_id": 2,
                "procedure_concept_id": 8,
                "procedure_source_value": "col",
                "procedure_date": day("2017-07-07"),
            }
        ],
        "visit_occurrence": [
            _visit(1, 1, "2015-01-01"),
            _visit(2, 1, "2021-09-09"),
            _visit(3, 2, "2019-01-15"),
        ],
        "measurement": [
            _result(1, 1, 6, "2016-02-02", 9.1),
            _result(2, 1, 6, "2021-09-09", 7.25),
            _result(3, 2, 7, "2019-01-15", 1.9, low=0.7, high=1.3),
            _result(4, 3, 7, "2019-05-05", 0.3, low=0.6, high=1.1, operator=4171756),
        ],
        "observation": [
            _said(1, 1, 10, "2021-09-09", 11),
            _said(2, 2, 10, "2019-01-15", 12),
        ],
    }
    with engine.begin() as connection:
        for name, some in rows.items():
            connection.execute(tables[name].insert(), some)


def _person(
    id: int, sex: int, year: int, month: int | None, day_: int | None, own: str
) -> dict[str, object]:
    return {
        "person_id": id,
        "gender_concept_id": sex,
        "year_of_birth": year,
        "month_of_birth": month,
        "day_of_birth": day_,
        "person_source_value": own,
    }


def _event(
    what: str, id: int, person: int, concept: int, start: str, end: str
) -> dict[str, object]:
    return {
        f"{what}_occurrence_id": id,
        "person_id": person,
        f"{what}_concept_id": concept,
        f"{what}_source_value": "x",
        f"{what}_start_date": day(start),
        f"{what}_end_date": day(end),
    }


def _drug(id: int, person: int, concept: int, start: str, end: str, sig: str) -> dict[str, object]:
    return {
        "drug_exposure_id": id,
        "person_id": person,
        "drug_concept_id": concept,
        "drug_source_value": "x",
        "sig": sig,
        "drug_exposure_start_date": day(start),
        "drug_exposure_end_date": day(end),
    }


def _visit(id: int, person: int, on: str) -> dict[str, object]:
    return {
        "visit_occurrence_id": id,
        "person_id": person,
        "visit_concept_id": 9,
        "visit_source_value": "x",
        "visit_start_date": day(on),
        "visit_end_date": day(on),
    }


def _result(
    id: int,
    person: int,
    concept: int,
    on: str,
    value: float,
    *,
    low: float | None = None,
    high: float | None = None,
    operator: int | None = None,
) -> dict[str, object]:
    return {
        "measurement_id": id,
        "person_id": person,
        "measurement_concept_id": concept,
        "value_as_concept_id": None,
        "operator_concept_id": operator,
        "measurement_source_value": "x",
        "unit_source_value": "mg/dL",
        "measurement_date": day(on),
        "value_as_number": value,
        "range_low": low,
        "range_high": high,
    }


def _said(id: int, person: int, concept: int, on: str, value: int) -> dict[str, object]:
    return {
        "observation_id": id,
        "person_id": person,
        "observation_concept_id": concept,
        "value_as_concept_id": value,
        "observation_source_value": "x",
        "unit_source_value": "",
        "observation_date": day(on),
        "value_as_number": None,
        "value_as_string": None,
    }


ASKED: dict[str, list[str]] = {
    "How many patients have hypertension?": ["2"],
    "Which patients take lisinopril?": ["a-1"],
    "Which patients have ever been on lisinopril?": ["A-1", "a-1"],
    "How many patients with hypertension do not have diabetes?": ["1"],
    "How many women have hypertension?": ["2"],
    "Does A-2 currently have pneumonia?": ["no"],
    "Did A-2 have pneumonia?": ["yes"],
    "When did the pneumonia of A-2 resolve?": ["2019-01-15"],
    "What is A-1 taking?": ["Metformin hydrochloride 500 MG Oral Tablet"],
    "What dose of metformin does A-1 take?": ["500 mg twice a day"],
    "Is A-1 still on lisinopril?": ["no"],
    "What was the last A1c of A-1?": ["7.25 mg/dL"],
    "Did the A1c of A-1 rise or fall?": ["falling"],
    "What was the A1c of A-1 in 2016?": ["9.1 mg/dL"],
    "Who has a creatinine above the reference range?": ["A-2"],
    "What is the creatinine of a-1?": ["<0.3 mg/dL"],
    "How many patients have a creatinine over 0.2?": ["1"],
    "Has A-2 had a colonoscopy?": ["yes"],
    "Has A-1 had a colonoscopy?": [],
    "Which patients have never had a colonoscopy?": ["A-1", "A-4", "a-1"],
    "Is A-4 dead?": ["yes"],
    "When did A-4 die?": ["2020-05-06"],
    "Is A-1 alive?": ["yes"],
    "When was patient A-1 born?": ["1950-03-09"],
    "When was A-1 last seen?": ["2021-09-09"],
    "How many visits has A-1 had?": ["2"],
    "Who smokes?": ["A-2"],
    "Does A-1 smoke?": ["no"],
    "How many patients were born before 1960?": ["1"],
    "What is A-9 taking?": [],
}
"""Questions with answers worked out by hand from the rows above."""
