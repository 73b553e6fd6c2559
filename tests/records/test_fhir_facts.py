"""What FHIR says of a patient as facts: whether, when, whose, and nothing lost on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Entity, Fact, Note, Reject, Triple

ANN = {
    "resourceType": "Patient",
    "id": "p1",
    "name": [
        {"use": "maiden", "given": ["Ann"], "family": "Cole"},
        {"use": "nickname", "given": ["Annie"], "family": "Bee"},
        {"use": "official", "given": ["Ann"], "family": "Bee"},
    ],
    "birthDate": "1950-02-03",
    "gender": "female",
}
OF_ANN = {"reference": "Patient/p1"}


def bundle(path: Path, *resources: dict[str, Any], **fields: Any) -> Path:
    entries = [{"resource": r} for r in resources]
    whole = {"resourceType": "Bundle", "type": "collection", "entry": entries} | fields
    path.write_text(json.dumps(whole), "utf-8")
    return path


def read(path: Path, **options: Any) -> list[Any]:
    source = Source(path)
    return list(recognise(source, **options).read(source))


def facts(path: Path, kind: str = "", **options: Any) -> list[Fact]:
    found = [i for i in read(path, **options) if isinstance(i, Fact)]
    return [f for f in found if not kind or f.kind == kind]


def code(text: str) -> dict[str, Any]:
    return {"text": text}


def coded(word: str) -> dict[str, Any]:
    return {"coding": [{"system": "http://example.org/status", "code": word}]}


@pytest.mark.parametrize(
    ("fields", "status", "certainty"),
    [
        ({"clinicalStatus": coded("active")}, "active", "confirmed"),
        ({"clinicalStatus": coded("resolved")}, "completed", "confirmed"),
        ({"abatementDateTime": "2020"}, "completed", "confirmed"),
        ({"verificationStatus": coded("refuted")}, "active", "refuted"),
        ({"verificationStatus": coded("differential")}, "active", "provisional"),
        ({"verificationStatus": coded("entered-in-error")}, "entered in error", "confirmed"),
        ({"clinicalStatus": "active"}, "active", "confirmed"),
    ],
)
def test_a_condition_knows_whether(tmp_path, fields, status, certainty):
    one = {"resourceType": "Condition", "id": "c", "subject": OF_ANN, "code": code("Gout")}
    path = bundle(tmp_path / "b.json", ANN, one | fields)
    (fact,) = facts(path, "condition")
    assert (fact.status, fact.certainty, fact.role) == (status, certainty, "own")
    told = [i for i in read(path) if isinstance(i, Triple) and i.relation == "has condition"]
    assert bool(told) == fact.true


@pytest.mark.parametrize(
    ("resource", "status"),
    [
        ({"resourceType": "MedicationRequest", "status": "active"}, "active"),
        ({"resourceType": "MedicationRequest", "status": "on-hold"}, "on hold"),
        ({"resourceType": "MedicationRequest", "status": "stopped"}, "stopped"),
        ({"resourceType": "MedicationRequest", "status": "cancelled"}, "not done"),
        ({"resourceType": "MedicationRequest", "status": "draft"}, "planned"),
        (
            {"resourceType": "MedicationRequest", "status": "active", "doNotPerform": True},
            "not done",
        ),
        (
            {"resourceType": "MedicationRequest", "status": "active", "intent": "proposal"},
            "planned",
        ),
        ({"resourceType": "MedicationStatement", "status": "not-taken"}, "not done"),
        ({"resourceType": "MedicationStatement", "status": "intended"}, "planned"),
        ({"resourceType": "MedicationAdministration", "status": "not-done"}, "not done"),
        (
            {
                "resourceType": "MedicationAdministration",
                "status": "completed",
                "wasNotGiven": True,
            },
            "not done",
        ),
        ({"resourceType": "MedicationRequest", "status": "entered-in-error"}, "entered in error"),
        (
            {
                "resourceType": "MedicationRequest",
                "status": "entered-in-error",
                "doNotPerform": True,
            },
            "entered in error",
        ),
    ],
)
def test_a_drug_knows_whether(tmp_path, resource, status):
    one = {"id": "m", "subject": OF_ANN, "medicationCodeableConcept": code("Aspirin")} | resource
    (fact,) = facts(bundle(tmp_path / "b.json", ANN, one), "medication")
    assert fact.status == status
    assert fact.name == "Aspirin"


@pytest.mark.parametrize(
    ("kind", "field", "status", "expected"),
    [
        ("Procedure", "code", "not-done", "not done"),
        ("Procedure", "code", "preparation", "planned"),
        ("Procedure", "code", "completed", "completed"),
        ("Immunization", "vaccineCode", "not-done", "not done"),
        ("Encounter", "type", "cancelled", "not done"),
        ("Encounter", "type", "planned", "planned"),
        ("Encounter", "type", "finished", "completed"),
        ("CarePlan", "category", "revoked", "stopped"),
        ("Observation", "code", "entered-in-error", "entered in error"),
        ("Observation", "code", "cancelled", "not done"),
    ],
)
def test_what_was_not_done_is_no_edge(tmp_path, kind, field, status, expected):
    one = {"resourceType": kind, "id": "x", "status": status, field: [code("It")]}
    one |= {"subject": OF_ANN, "patient": OF_ANN}
    items = read(bundle(tmp_path / "b.json", ANN, one))
    (fact,) = [i for i in items if isinstance(i, Fact) and i.name == "It"]
    assert fact.status == expected
    assert any(isinstance(i, Triple) and i.tail == fact.entity for i in items) == fact.true


@pytest.mark.parametrize(
    ("value", "text", "number", "unit", "comparator"),
    [
        ({"valueQuantity": {"value": 0.125, "unit": "mg"}}, "0.125", 0.125, "mg", ""),
        (
            {"valueQuantity": {"value": 0.004, "unit": "ng/mL", "comparator": "<"}},
            "0.004",
            0.004,
            "ng/mL",
            "<",
        ),
        (
            {"valueQuantity": {"value": 176.35499866729558}},
            "176.35499866729558",
            176.354998,
            "",
            "",
        ),
        ({"valueBoolean": False}, "false", None, "", ""),
        ({"valueBoolean": True}, "true", None, "", ""),
        ({"valueInteger": 0}, "0", 0.0, "", ""),
        ({"valueDateTime": "2020-01-02"}, "2020-01-02", None, "", ""),
        ({"valueString": "turbid"}, "turbid", None, "", ""),
        ({"valueCodeableConcept": code("Never smoker")}, "Never smoker", None, "", ""),
        (
            {"valueSampledData": {"origin": {"value": 0, "unit": "mV"}, "data": "2 4 6"}},
            "2 4 6",
            None,
            "mV",
            "",
        ),
        (
            {"valueRange": {"low": {"value": 1}, "high": {"value": 2, "unit": "g"}}},
            "1 - 2 g",
            None,
            "",
            "",
        ),
        (
            {"valueRatio": {"numerator": {"value": 1}, "denominator": {"value": 8}}},
            "1/8",
            None,
            "",
            "",
        ),
    ],
)
def test_a_value_is_kept_as_written(tmp_path, value, text, number, unit, comparator):
    one = {"resourceType": "Observation", "id": "o", "subject": OF_ANN, "code": code("Test")}
    (fact,) = facts(bundle(tmp_path / "b.json", ANN, one | value), "observation")
    assert (fact.value, fact.unit, fact.comparator) == (text, unit, comparator)
    assert fact.number == (pytest.approx(number) if number is not None else None)


def test_digits_stay_as_written(tmp_path):
    """Trailing zeros say how exact a measure is; JSON readers that make floats lose them."""
    text = bundle(
        tmp_path / "b.json",
        ANN,
        {
            "resourceType": "Observation",
            "id": "o",
            "subject": OF_ANN,
            "code": code("Potassium"),
            "valueQuantity": {"value": "7.20"},
        },
    ).read_text()
    (tmp_path / "c.json").write_text(text.replace('"7.20"', "7.20"), "utf-8")
    (fact,) = facts(tmp_path / "c.json", "observation")
    assert fact.value == "7.20"


def test_range_interpretation_components(tmp_path):
    one = {
        "resourceType": "Observation",
        "id": "bp",
        "status": "final",
        "subject": OF_ANN,
        "code": code("Blood pressure"),
        "effectiveDateTime": "2020-01-02",
        "component": [
            {
                "code": code("Systolic"),
                "valueQuantity": {"value": 150, "unit": "mmHg"},
                "referenceRange": [{"low": {"value": 90}, "high": {"value": 130}}],
                "interpretation": [coded("H")],
            },
            {"code": code("Diastolic"), "valueQuantity": {"value": 90, "unit": "mmHg"}},
        ],
    }
    whole, upper, lower = facts(bundle(tmp_path / "b.json", ANN, one), "observation")
    assert (upper.low, upper.high, upper.interpretation) == (90.0, 130.0, "H")
    assert upper.part_of == lower.part_of == whole.id
    assert (lower.value, lower.start, lower.low) == ("90", "2020-01-02", None)


def test_every_name_with_its_use_and_death(tmp_path):
    person = ANN | {"deceasedDateTime": "2021-11-02T04:15:00Z"}
    items = read(bundle(tmp_path / "b.json", person))
    names = [(f.value, f.detail.get("use")) for f in items if isinstance(f, Fact)]
    assert [n for n in names if n[1]] == [
        ("Ann Bee", "official"),
        ("Annie Bee", "nickname"),
        ("Ann Cole", "maiden"),
    ]
    (death,) = [f for f in items if isinstance(f, Fact) and f.name == "death"]
    assert death.start == "2021-11-02T04:15:00Z"
    node = next(i for i in items if isinstance(i, Entity) and i.type == "patient")
    assert node.name == "Ann Bee"
    assert {"Annie Bee", "Ann Cole"} <= set(node.synonyms)


def test_alive_by_word_is_a_stated_absence(tmp_path):
    items = facts(bundle(tmp_path / "b.json", ANN | {"deceasedBoolean": False}))
    (death,) = [f for f in items if f.name == "death"]
    assert (death.value, death.certainty, death.true) == ("false", "absent", False)


def test_family_history_is_the_relatives(tmp_path):
    one = {
        "resourceType": "FamilyMemberHistory",
        "id": "f",
        "status": "completed",
        "patient": OF_ANN,
        "relationship": code("mother"),
        "condition": [{"code": code("Breast cancer")}, {"code": code("Gout")}],
    }
    items = read(bundle(tmp_path / "b.json", ANN, one))
    found = [f for f in items if isinstance(f, Fact) and f.kind == "condition"]
    assert [(f.name, f.role, f.relative) for f in found] == [
        ("Breast cancer", "family member", "mother"),
        ("Gout", "family member", "mother"),
    ]
    assert not any(isinstance(i, Entity) and i.name in ("Gout", "Breast cancer") for i in items)


def test_drugs_contained_by_name_and_in_another_file(tmp_path):
    folder = tmp_path / "ward"
    folder.mkdir()
    order = {"resourceType": "MedicationRequest", "status": "active", "subject": OF_ANN}
    inside = {"resourceType": "Medication", "id": "med", "code": code("Apixaban")}
    bundle(
        folder / "a.json",
        ANN,
        order | {"id": "1", "contained": [inside], "medicationReference": {"reference": "#med"}},
        order | {"id": "2", "medicationReference": {"display": "Warfarin"}},
        order | {"id": "3", "medicationReference": {"reference": "Medication/m9"}},
    )
    drug = {"resourceType": "Medication", "id": "m9", "code": code("Digoxin")}
    (folder / "z.json").write_text(json.dumps(drug), "utf-8")
    assert [f.name for f in facts(folder, "medication")] == ["Apixaban", "Warfarin", "Digoxin"]


def test_a_bundle_without_its_patient(tmp_path):
    one = {"resourceType": "Condition", "id": "c", "subject": OF_ANN, "code": code("Gout")}
    items = read(bundle(tmp_path / "b.json", one))
    assert not [i for i in items if isinstance(i, Reject)]
    person = next(i for i in items if isinstance(i, Entity) and i.type == "patient")
    assert person.name == "p1 (known by reference only)"
    named = one | {"subject": OF_ANN | {"display": "Ann Bee"}}
    items = read(bundle(tmp_path / "c.json", named))
    assert next(i for i in items if isinstance(i, Entity) and i.type == "patient").name == "Ann Bee"


def test_what_names_nobody_is_kept_and_told_of_nobody(tmp_path):
    one = {"resourceType": "Observation", "id": "o", "code": code("Sodium")}
    two = {"resourceType": "Observation", "id": "w", "code": code("Lead")}
    pond = two | {"subject": {"reference": "Location/pond"}}
    items = read(bundle(tmp_path / "b.json", ANN, one, pond))
    found = {f.name: f for f in items if isinstance(f, Fact) and f.kind == "observation"}
    assert {f.role for f in found.values()} == {"other"}
    assert found["Lead"].relative == "Location/pond"
    assert len({f.patient for f in found.values()}) == 2
    assert not any(isinstance(i, Entity) and i.name in found for i in items)


@pytest.mark.parametrize(
    "resources",
    [
        [{"resourceType": "AllergyIntolerance", "id": str(n), "code": {}} for n in range(3)],
        [{"resourceType": "AllergyIntolerance", "id": n, "code": code("Nuts")} for n in "aAb"],
        [{"resourceType": "Condition", "code": code("Gout")} for _ in range(3)],
        [{"resourceType": "Condition", "id": n, "code": code("Gout")} for n in ("x", "X", "x-")],
        [
            {"resourceType": "Immunization", "id": n, "vaccineCode": code(n)}
            | {"occurrenceDateTime": "2020-01-02"}
            for n in "ab"
        ],
        [
            {"resourceType": "MedicationRequest", "medicationCodeableConcept": code("Aspirin")}
            for _ in range(2)
        ],
        [
            {"resourceType": "Observation", "id": n, "code": code("Glucose")}
            | {"effectiveDateTime": "2020-01-02", "valueInteger": 5}
            for n in "abc"
        ],
    ],
    ids=["empty codes", "ids by case", "no id", "odd ids", "vaccines", "drugs", "one day"],
)
def test_nothing_vanishes(tmp_path, resources):
    listed = [r | {"subject": OF_ANN, "patient": OF_ANN} for r in resources]
    found = [f for f in facts(bundle(tmp_path / "b.json", ANN, *listed)) if f.kind != "patient"]
    assert len({f.id for f in found}) == len(resources)


def test_the_latest_version_wins_in_a_history(tmp_path):
    def version(number: int, name: str) -> dict[str, Any]:
        return {
            "resourceType": "Condition",
            "id": "c",
            "meta": {"versionId": str(number)},
            "subject": OF_ANN,
            "code": code(name),
        }

    path = bundle(
        *(tmp_path / "b.json", version(2, "Gout"), version(10, "Asthma"), version(9, "COPD")),
        type="history",
    )
    items = read(path)
    assert [f.name for f in items if isinstance(f, Fact) and f.kind == "condition"] == ["Asthma"]
    assert sum(i.count for i in items if isinstance(i, Note) and i.what == "replaced") == 2


def test_two_servers_in_one_bundle_stay_apart(tmp_path):
    entries = []
    for server, name in (("http://a", "Gout"), ("http://b", "Asthma")):
        one = {"resourceType": "Condition", "id": "c", "subject": OF_ANN, "code": code(name)}
        entries += [
            {"fullUrl": f"{server}/Patient/p1", "resource": ANN},
            {"fullUrl": f"{server}/Condition/c", "resource": one},
        ]
    found = facts(bundle(tmp_path / "b.json", entry=entries), "condition")
    assert len({f.patient for f in found}) == 2


def test_types_that_are_not_read_are_counted_and_named(tmp_path):
    others = [{"resourceType": "Parameters", "id": str(n)} for n in range(3)]
    notes = [i for i in read(bundle(tmp_path / "b.json", ANN, *others)) if isinstance(i, Note)]
    assert [(n.what, n.reason, n.count) for n in notes] == [
        ("skipped", "resources of type Parameters are not read", 3)
    ]


def test_a_broken_file_does_not_stop_a_folder(tmp_path):
    folder = tmp_path / "ward"
    folder.mkdir()
    bundle(folder / "a.json", ANN)
    (folder / "b.json").write_text('{"resourceType": "Bundle", "entry": [{"resource"', "utf-8")
    one = {"resourceType": "Condition", "id": "c", "subject": OF_ANN, "code": code("Gout")}
    bundle(folder / "c.json", one)
    items = read(folder)
    assert [i.file for i in items if isinstance(i, Reject)] == ["b.json"]
    assert [f.name for f in items if isinstance(f, Fact) and f.kind == "condition"] == ["Gout"]


def test_others_files_are_accounted_for(data_dir: Path) -> None:
    import csv

    from osler.store.facts import is_record

    folder = data_dir / "fhir_r4"
    with (folder / "files.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    for row in rows:
        items = read(folder / row["file"], format="fhir")
        told = sum(isinstance(i, Fact) and is_record(i) for i in items)
        told += sum(isinstance(i, Reject) for i in items)
        told += sum(i.count for i in items if isinstance(i, Note))
        assert told >= int(row["records"]), row["file"]
        rejects = [i.reason for i in items if isinstance(i, Reject)]
        assert len(rejects) <= int(row["unusable"]), (row["file"], rejects[:3])


def test_a_subject_by_identifier(tmp_path):
    """An identifier that a patient bears is that patient; in another system, or borne by nobody,
    it is a person of its own."""
    mrn = {"system": "http://example.org/mrn", "value": "7"}
    ann = ANN | {"identifier": [mrn]}

    def of(name: str, **subject: Any) -> dict[str, Any]:
        return {"resourceType": "Condition", "code": code(name), "subject": subject}

    found = facts(
        bundle(
            tmp_path / "b.json",
            ann,
            of("Gout", identifier=mrn),
            of("Asthma", identifier=mrn | {"system": "http://example.org/other"}),
            of("Migraine", identifier=mrn | {"value": "8"}),
            of("Stroke", **OF_ANN),
            of("Eczema", display="Bo Hill"),
            of("Ulcer", display="Bo Hill"),
            of("Warts", display="Ward 7", type="Group"),
        ),
        "condition",
    )
    owner = {fact.name: fact.patient for fact in found}
    assert owner["Gout"] == owner["Stroke"]
    assert len({owner["Stroke"], owner["Asthma"], owner["Migraine"]}) == 3
    # A name alone is nobody else's, not even of another entry; no more is a group.
    assert len({owner[name] for name in ("Stroke", "Eczema", "Ulcer", "Warts")}) == 4


@pytest.mark.parametrize(
    ("fields", "name", "start", "value"),
    [
        ({"code": code("Framingham"), "method": code("Sum")}, "Framingham", "2020-01-02", ""),
        ({"method": code("Sum"), "date": "2021-03-04"}, "Sum", "2020-01-02", ""),
        ({"method": code("Sum"), "mitigation": "walk"}, "Sum", "2020-01-02", "walk"),
        ({"mitigation": "walk"}, "risk assessment", "2020-01-02", "walk"),
        ({"occurrenceDateTime": "", "date": "2021-03-04"}, "risk assessment", "2021-03-04", ""),
    ],
)
def test_a_risk_is_named_by_what_it_has(tmp_path, fields, name, start, value):
    """By its code, else by its method, else by what it is; when it occurred, else when written."""
    risk = {
        "resourceType": "RiskAssessment",
        "status": "final",
        "subject": OF_ANN,
        "occurrenceDateTime": "2020-01-02",
    }
    (fact,) = facts(bundle(tmp_path / "b.json", ANN, risk | fields), "report")
    assert (fact.name.lower(), fact.start, fact.value) == (name.lower(), start, value)


def test_whom_a_subject_without_a_reference_names(tmp_path):
    """A name that may be a patient's is somebody; a group's, or no name, is nobody."""

    def of(name: str, **subject: Any) -> dict[str, Any]:
        return {"resourceType": "Condition", "code": code(name), "subject": subject}

    entries = [
        of("Warts", display="Ward 7", type="Group"),
        of("Ulcer", display="Bo Hill", type="Patient"),
        of("Eczema", display="Cy Day"),
        of("Cold"),
        of("Flu", type="Patient"),
    ]
    found = facts(bundle(tmp_path / "b.json", ANN, *entries), "condition")
    assert {f.name: f.role for f in found} == {
        "Warts": "other",
        "Ulcer": "own",
        "Eczema": "own",
        "Cold": "other",
        "Flu": "other",
    }


def test_whom_records_only_refer_to_is_counted(tmp_path):
    doctors = [{"resourceType": "Practitioner", "id": n, "name": [{"text": n}]} for n in "ab"]
    notes = [i for i in read(bundle(tmp_path / "b.json", ANN, *doctors)) if isinstance(i, Note)]
    assert [(n.what, n.count) for n in notes] == [("merged", 2)]


def test_of_one_server_an_id_is_enough(tmp_path):
    """Whole addresses stand in ids only where two servers' resources are in one source."""
    one = {"resourceType": "Condition", "id": "c", "subject": OF_ANN, "code": code("Gout")}
    entries = [
        {"fullUrl": f"http://one.org/{r['resourceType']}/{r['id']}", "resource": r}
        for r in (ANN, one)
    ]
    (fact,) = facts(bundle(tmp_path / "b.json", entry=entries), "condition")
    assert fact.patient == "record:b/p1"
