# ruff: noqa: E501 - lines of the formats themselves
"""FHIR bundles, NDJSON, flattened tables: facts kept with codes, values, units, dates; dangling references refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from osler.errors import FormatError
from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Entity, Reject, Triple


def concept(
    display: str, code: str = "1", system: str = "http://snomed.info/sct"
) -> dict[str, Any]:
    return {"coding": [{"code": code, "system": system, "display": display}]}


def resources() -> list[dict[str, Any]]:
    one = {"reference": "urn:uuid:p1"}
    return [
        {
            "resourceType": "Patient",
            "id": "p1",
            "name": [{"given": ["Ann12"], "family": "Bee34"}],
            "gender": "female",
            "birthDate": "1950-02-03",
            "address": [{"city": "Hull"}],
        },
        {
            "resourceType": "Encounter",
            "id": "e1",
            "subject": one,
            "type": [concept("Check up")],
            "period": {"start": "2020-01-02T10:00:00Z", "end": "2020-01-02T11:00:00Z"},
            "class": {"code": "AMB"},
        },
        {
            "resourceType": "Condition",
            "id": "c1",
            "subject": one,
            "code": concept("Asthma (disorder)", "195967001"),
            "onsetDateTime": "2001-05-06T00:00:00Z",
            "clinicalStatus": concept("active"),
            "encounter": {"reference": "urn:uuid:e1"},
        },
        {
            "resourceType": "MedicationRequest",
            "id": "m1",
            "subject": one,
            "medicationCodeableConcept": concept(
                "Albuterol 5 MG", "2123111", "http://www.nlm.nih.gov/research/umls/rxnorm"
            ),
            "authoredOn": "2020-01-02",
            "status": "active",
            "reasonReference": [{"reference": "urn:uuid:c1"}],
            "dosageInstruction": [
                {
                    "asNeededBoolean": True,
                    "doseAndRate": [{"doseQuantity": {"value": 2.0, "unit": "puff"}}],
                    "timing": {"repeat": {"frequency": 2, "period": 1.0, "periodUnit": "d"}},
                }
            ],
        },
        {
            "resourceType": "Observation",
            "id": "o1",
            "subject": one,
            "code": concept("Hemoglobin A1c", "4548-4", "http://loinc.org"),
            "effectiveDateTime": "2020-03-04T00:00:00Z",
            "valueQuantity": {"value": 7.25, "unit": "%"},
        },
        {
            "resourceType": "Observation",
            "id": "o2",
            "subject": one,
            "code": concept("Blood Pressure", "85354-9", "http://loinc.org"),
            "effectiveDateTime": "2020-03-04T00:00:00Z",
            "component": [
                {
                    "code": concept("Systolic Blood Pressure", "8480-6", "http://loinc.org"),
                    "valueQuantity": {"value": 131, "unit": "mm[Hg]"},
                }
            ],
        },
        {
            "resourceType": "Procedure",
            "id": "r1",
            "subject": one,
            "code": concept("Spirometry (procedure)"),
            "performedPeriod": {"start": "2020-01-02"},
            "reasonReference": [{"reference": "urn:uuid:nowhere"}],
        },
        {
            "resourceType": "AllergyIntolerance",
            "id": "a1",
            "patient": one,
            "code": concept("Allergy to mould"),
            "criticality": "low",
        },
        {
            "resourceType": "Condition",
            "id": "c9",
            "subject": {"reference": "urn:uuid:stranger"},
            "code": concept("Gout"),
        },
        {"resourceType": "Condition", "id": "c8", "subject": one, "code": {}},
        {
            "resourceType": "Observation",
            "id": "bad",
            "subject": one,
            "code": concept("X"),
            "valueQuantity": "seven",
        },
        {"resourceType": "Claim", "id": "x"},
    ]


def gather(path: Path) -> tuple[dict[str, Entity], set[tuple[str, str, str]], list[Reject]]:
    source = Source(path)
    items = list(recognise(source).read(source))
    entities = {i.id: i for i in items if isinstance(i, Entity)}
    name = {id: e.name for id, e in entities.items()}
    triples = {
        (name.get(t.head, t.head), t.relation, name.get(t.tail, t.tail))
        for t in items
        if isinstance(t, Triple)
    }
    return entities, triples, [i for i in items if isinstance(i, Reject)]


def expected(triples: set[tuple[str, str, str]], patient: str) -> None:
    for wanted in (
        (patient, "has condition", "Asthma"),
        ("Asthma", "has onset", "2001-05-06"),
        ("Asthma", "has code", "195967001"),
        ("Asthma", "during encounter", "Check up"),
        (patient, "prescribed", "Albuterol 5 MG"),
        ("Albuterol 5 MG", "has dosage", "2 puff"),
        ("Albuterol 5 MG", "has frequency", "2 per day"),
        ("Albuterol 5 MG", "has frequency", "as needed"),
        ("Albuterol 5 MG", "has reason", "Asthma"),
        ("Hemoglobin A1c", "has value", "7.25 %"),
        ("Hemoglobin A1c", "measured on", "2020-03-04"),
        ("Systolic Blood Pressure", "has value", "131 mm[Hg]"),
        (patient, "underwent", "Spirometry"),
        (patient, "allergic to", "Allergy to mould"),
    ):
        assert wanted in triples, wanted


def test_bundle(tmp_path: Path) -> None:
    path = tmp_path / "bundle.json"
    entries = [{"fullUrl": f"urn:uuid:{r['id']}", "resource": r} for r in resources()]
    path.write_text(
        json.dumps({"resourceType": "Bundle", "type": "transaction", "entry": [*entries, {}]}),
        encoding="utf-8",
    )
    entities, triples, rejects = gather(path)
    expected(triples, "Ann12 Bee34")
    patient = next(e for e in entities.values() if e.type == "patient")
    assert "p1" in patient.synonyms
    assert "Ann Bee" in patient.synonyms
    gout = {t for t in triples if "Gout" in t}
    stranger = "urn:uuid:stranger (known by reference only)"
    assert (stranger, "has condition", "Gout") in gout
    assert not any(t[0] == "Ann12 Bee34" for t in gout), "another's condition is given to nobody"
    assert ("Ann12 Bee34", "has condition", "(no code or text)") in triples
    assert {r.reason for r in rejects} == {
        "an entry without a resource",
        "a Observation whose fields are not as FHIR R4 has them",
    }
    code = next(e for e in entities.values() if e.name == "4548-4")
    assert code.xrefs == ("LOINC:4548-4",)


def test_ndjson_in_parts(tmp_path: Path) -> None:
    by_type: dict[str, list[str]] = {}
    for resource in resources():
        text = (
            json.dumps(resource)
            .replace("urn:uuid:p1", "Patient/p1")
            .replace("urn:uuid:e1", "Encounter/e1")
            .replace("urn:uuid:c1", "Condition/c1")
        )
        by_type.setdefault(resource["resourceType"], []).append(text)
    (tmp_path / "all.ndjson").write_text(
        "\n".join(t for texts in by_type.values() for t in texts) + "\n{broken\n", encoding="utf-8"
    )
    _, triples, rejects = gather(tmp_path / "all.ndjson")
    expected(triples, "Ann12 Bee34")
    assert any(r.reason == "a line that is no FHIR resource" for r in rejects)
    alone = tmp_path / "Condition.ndjson"
    alone.write_text(by_type["Condition"][0], encoding="utf-8")
    entities, triples, _ = gather(alone)
    assert ("p1 (known by reference only)", "has condition", "Asthma") in triples
    assert "record:Condition/p1" in entities


def test_broken_bundle(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text('{"resourceType": "Bundle", "entry": [', encoding="utf-8")
    with pytest.raises(FormatError):
        gather(path)


PATIENT = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Bee"}]}


@pytest.mark.parametrize("kind", [{"a": 1}, ["Patient"], 5, "", None])
@pytest.mark.parametrize("lines", [False, True])
def test_a_type_that_is_no_word_is_a_reject(tmp_path: Path, kind: object, lines: bool) -> None:
    """Found by atheris: an object for a type was a bare exception."""
    odd = {"resourceType": kind, "id": "x"}
    if lines:
        path = tmp_path / "odd.ndjson"
        path.write_text("\n".join(json.dumps(r) for r in (PATIENT, odd)), encoding="utf-8")
    else:
        path = tmp_path / "odd.json"
        entries = [{"fullUrl": {"a": 1}, "resource": r} for r in (PATIENT, odd)]
        path.write_text(json.dumps({"resourceType": "Bundle", "entry": entries}), encoding="utf-8")
    source = Source(path)
    items = list(recognise(source).read(source))
    assert [i.place for i in items if isinstance(i, Reject)] == ["line 2" if lines else "entry 2"]
    assert "Bee" in [i.name for i in items if isinstance(i, Entity)]


@pytest.mark.parametrize("entry", [5, {"a": 1}, "x"])
def test_a_bundle_whose_entries_are_no_list(tmp_path: Path, entry: object) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"resourceType": "Bundle", "entry": entry}), encoding="utf-8")
    source = Source(path)
    with pytest.raises(FormatError, match="list of entries"):
        list(recognise(source).read(source))


def test_tables(tmp_path: Path) -> None:
    (tmp_path / "patients.tsv").write_text(
        "patient\tname\tgender\tbirthDate\tdeceased\trace\tcity\nu1\tAnn Bee\tfemale\t1950-02-03\t\tWhite\tHull\nshort\n",
        encoding="utf-8",
    )
    (tmp_path / "conditions.tsv").write_text(
        "patient\tcondition_id\tcode\tdisplay\tonset\tabatement\tclinicalStatus\tencounter\nu1\tc1\t195967001\tAsthma (disorder)\t2001-05-06T00:00:00\t\tactive\te1\n",
        encoding="utf-8",
    )
    (tmp_path / "prescriptions.tsv").write_text(
        "patient\tprescription_id\tcode\tdisplay\tstatus\tauthoredOn\tdose_value\tfrequency\tperiod\tperiodUnit\tasNeeded\treason\tencounter\nu1\tm1\t21\tAlbuterol\tactive\t2020-01-02\t2\t3\t1\td\tTrue\tAsthma (disorder)\te1\n",
        encoding="utf-8",
    )
    (tmp_path / "observations_latest.tsv").write_text(
        "patient\tcode\tdisplay\tvalue\tunit\tdate\nu1\t4548-4\tHemoglobin A1c\t7.25\t%\t2020-03-04T00:00:00\n",
        encoding="utf-8",
    )
    entities, triples, rejects = gather(tmp_path)
    for wanted in (
        ("Ann Bee", "has condition", "Asthma"),
        ("Albuterol", "has reason", "Asthma"),
        ("Albuterol", "has frequency", "3 per day"),
        ("Hemoglobin A1c", "has value", "7.25 %"),
        ("Ann Bee", "lives in", "Hull"),
    ):
        assert wanted in triples
    assert len(rejects) == 1
    assert sum(e.name == "Asthma" for e in entities.values()) == 1


def test_real_tables_and_bundles_agree(data_dir: Path) -> None:
    folder = data_dir / "synthea_fhir_r4"
    entities, triples, rejects = gather(folder)
    assert sum(e.type == "patient" for e in entities.values()) == 615
    assert not rejects
    bundle = next((folder / "bundles").glob("*.json.gz"))
    _, from_bundle, _ = gather(bundle)
    conditions = {t for t in from_bundle if t[1] == "has condition"}
    assert conditions
    assert {t[2] for t in conditions} <= {t[2] for t in triples}
