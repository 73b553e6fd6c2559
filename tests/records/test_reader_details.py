"""Small parts of the readers of records: names, frequencies, extensions, values that are words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Fact
from osler.records.readers.fhir_values import Value, frequency, name_forms, quantity, span
from osler.records.readers.fhir_ward import medication


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Abdul365 Koepp92", ("Abdul Koepp",)),
        ("Ana Luísa Sousa", ("Ana Sousa",)),
        ("Ana1 Luísa2 Sousa3", ("Ana Luísa Sousa", "Ana Sousa")),
        ("Ann Lee", ()),
        ("Madonna", ()),
        ("Seven7", ("Seven",)),
        # Figures alone are a name of their own.
        ("47 11", ()),
        ("", ()),
    ],
)
def test_how_else_a_name_is_written(name: str, forms: tuple[str, ...]) -> None:
    assert name_forms(name) == forms


@pytest.mark.parametrize(
    ("times", "period", "unit", "said"),
    [
        ("2", "1", "d", "2 per day"),
        ("1", "6", "h", "1 per 6 hours"),
        ("3", "1.0", "wk", "3 per week"),
        ("", "1", "d", ""),
        ("1", "", "d", ""),
    ],
)
def test_how_often_a_drug_is_taken(times: str, period: str, unit: str, said: str) -> None:
    assert frequency(times, period, unit) == said


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ({"value": 7.5, "unit": "mg"}, Value("7.5", 7.5, "mg")),
        ({"value": 7, "code": "mg", "comparator": "<"}, Value("7", 7.0, "mg", "<")),
        # A unit without a number is no nought.
        ({"unit": "mg"}, Value("", None, "mg")),
        ({"value": None, "comparator": "<"}, Value("", None, "")),
        ({}, Value("", None, "")),
    ],
)
def test_an_amount(said: dict[str, object], value: Value) -> None:
    assert quantity(said) == value


AMOXICILLIN = {"itemCodeableConcept": {"text": "Amoxicillin"}}


@pytest.mark.parametrize(
    ("drug", "name"),
    [
        ({"code": {"text": "Augmentin"}, "ingredient": [AMOXICILLIN]}, "Augmentin"),
        ({"ingredient": [AMOXICILLIN]}, "Amoxicillin"),
        (
            {"ingredient": [AMOXICILLIN, {"itemReference": {"display": "Clavulanate"}}]},
            "Amoxicillin / Clavulanate",
        ),
        (
            {"ingredient": [{}, AMOXICILLIN], "contained": [{"code": {"text": "Water"}}]},
            "Water / Amoxicillin",
        ),
        ({"ingredient": [{}, AMOXICILLIN]}, "Amoxicillin"),
        ({}, ""),
    ],
)
def test_a_drug_is_its_name_or_what_it_is_made_of(drug: dict[str, object], name: str) -> None:
    assert medication(drug).display == name


PERIOD = {"start": "2020-01", "end": "2021-02"}


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, ("", "")),
        ({"onsetDateTime": "2020-01-02"}, ("2020-01-02", "")),
        ({"onsetInstant": "2020-01-02T03:04:05Z"}, ("2020-01-02T03:04:05Z", "")),
        ({"onsetDate": "2020"}, ("2020", "")),
        ({"onset": "2020"}, ("2020", "")),
        ({"onsetPeriod": PERIOD}, ("2020-01", "2021-02")),
        ({"onset": PERIOD}, ("2020-01", "2021-02")),
        # A moment that is empty or none is passed over.
        ({"onsetDateTime": "", "onsetPeriod": PERIOD}, ("2020-01", "2021-02")),
        ({"onsetDateTime": 7, "onsetDate": "2020"}, ("2020", "")),
        ({"onsetTiming": {"event": ["2020-01-02", "2020-02-02"]}}, ("2020-01-02", "")),
        ({"onsetTiming": {"repeat": {"boundsPeriod": PERIOD}}}, ("2020-01", "2021-02")),
        (
            {"onsetTiming": {"event": ["2020-03-04"], "repeat": {"boundsPeriod": PERIOD}}},
            ("2020-01", "2021-02"),
        ),
        ({"onsetTiming": {"event": []}}, ("", "")),
        # Of something else.
        ({"abatementDateTime": "2020"}, ("", "")),
    ],
)
def test_when_something_was(fields: dict[str, object], told: tuple[str, str]) -> None:
    assert span(fields, "onset") == told


def _facts(path: Path) -> list[Fact]:
    source = Source(path)
    return [one for one in recognise(source).read(source) if isinstance(one, Fact)]


def test_an_extension_tells_what_it_is_named_for_if_it_has_a_value(tmp_path: Path) -> None:
    at = "http://example.org/"
    inside = [{"url": "ombCategory"}, {"url": "text", "valueString": "White"}]
    extensions = [
        {"url": f"{at}Race", "extension": inside},
        {"url": f"{at}birthplace", "valueAddress": {"city": "Hull", "country": "GB"}},
        {"url": f"{at}religion"},
        {"url": f"{at}shoe-size", "valueString": "42"},
    ]
    ann = {"resourceType": "Patient", "id": "p1", "extension": extensions}
    path = tmp_path / "b.json"
    path.write_text(
        json.dumps({"resourceType": "Bundle", "type": "collection", "entry": [{"resource": ann}]}),
        "utf-8",
    )
    told = {f.name: f.value for f in _facts(path) if f.name != "id"}
    assert told == {"race": "White", "birthplace": "Hull, GB"}


def test_a_measurement_in_words_by_its_concept_its_text_or_its_source(tmp_path: Path) -> None:
    folder = tmp_path / "hospital"
    folder.mkdir()
    tables = {
        "person": "person_id,gender_concept_id,year_of_birth\n1,8532,1950\n",
        "measurement": "measurement_id,person_id,measurement_concept_id,measurement_date,"
        "value_as_number,value_as_concept_id,value_as_string,value_source_value\n"
        "1,1,5,2020-01-01,7.20,9,,\n2,1,5,2020-01-02,,9,,pos\n3,1,5,2020-01-03,,0,weak,w\n"
        "4,1,5,2020-01-04,,0,,pos\n",
        "CONCEPT": "concept_id\tconcept_name\tvocabulary_id\tconcept_code\n"
        "5\tRapid test\tLOINC\t1-2\n9\tPositive\tSNOMED\t3-4\n",
    }
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, "utf-8")
    by_day = {f.start: (f.value, f.number) for f in _facts(folder) if f.kind == "observation"}
    assert by_day == {
        "2020-01-01": ("7.20", 7.2),
        "2020-01-02": ("Positive", None),
        "2020-01-03": ("weak", None),
        "2020-01-04": ("pos", None),
    }
