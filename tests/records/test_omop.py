# ruff: noqa: E501 - lines of the tables themselves
"""OMOP CDM tables as facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from osler import Library
from osler.files.reader import recognise
from osler.files.source import Source
from osler.kinds import Fact, Note, Reject, Triple

TABLES = {
    "person": """person_id,gender_concept_id,year_of_birth,month_of_birth,day_of_birth,person_source_value
1,8532,1950,2,3,mrn-1
01,8507,1961,,,mrn-2
""",
    "death": """person_id,death_date,cause_concept_id
1,2021-11-02,201820
9,2020-01-01,0
""",
    "visit_occurrence": """visit_occurrence_id,person_id,visit_concept_id,visit_start_date,visit_end_date
7,1,9201,2020-01-02,2020-01-05
""",
    "condition_occurrence": """condition_occurrence_id,person_id,condition_concept_id,condition_start_date,condition_end_date,condition_status_source_value,visit_occurrence_id,condition_source_value
1,1,201820,2015-05-06,,,7,E11
2,01,201820,2015-05-06,2016-01-01,Ruled out diagnosis,,E11
2,01,0,2017-01-01,,Preliminary diagnosis,,gout?
,1,0,2018-01-01,,,,
3,,201820,2018-01-01,,,,
""",
    "drug_exposure": """drug_exposure_id,person_id,drug_concept_id,drug_exposure_start_date,drug_exposure_end_date,stop_reason,sig
1,1,1503297,2019-01-01,,,500 mg twice a day
2,1,1503297,2019-01-01,2019-02-01,cough,
""",
    "measurement": """measurement_id,person_id,measurement_concept_id,measurement_date,operator_concept_id,value_as_number,unit_source_value,range_low,range_high
1,1,3004410,2020-01-02,4171756,0.004,%,0,0.04
2,1,3004410,2020-01-02,,7.20,%,,
""",
    "procedure_occurrence": """procedure_occurrence_id,person_id,procedure_concept_id,procedure_date
1,1,4000,2020-01-03
""",
    "CONCEPT": """concept_id\tconcept_name\tvocabulary_id\tconcept_code
201820\tDiabetes mellitus\tSNOMED\t73211009
1503297\tmetformin\tRxNorm\t6809
3004410\tHemoglobin A1c\tLOINC\t4548-4
9201\tInpatient Visit\tVisit\tIP
""",
    "cdm_source": "cdm_source_name,x\nmine,1\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "hospital"
    made.mkdir()
    for name, text in TABLES.items():
        (made / f"{name}.csv").write_text(text, "utf-8")
    return made


def items(path: Path) -> list:
    source = Source(path)
    reader = recognise(source)
    assert reader.name == "omop"
    return list(reader.read(source))


def test_facts(folder):
    found = [i for i in items(folder) if isinstance(i, Fact)]
    by = {(f.patient.rpartition("/")[2], f.kind, f.name, f.start): f for f in found}
    first = by["1", "condition", "Diabetes mellitus", "2015-05-06"]
    assert (first.status, first.certainty) == ("active", "confirmed")
    assert ("http://snomed.info/sct", "73211009") in first.codes
    assert first.encounter == by["1", "encounter", "Inpatient Visit", "2020-01-02"].id
    other = by["01", "condition", "Diabetes mellitus", "2015-05-06"]
    assert (other.status, other.certainty, other.true) == ("completed", "refuted", False)
    assert by["01", "condition", "gout?", "2017-01-01"].certainty == "provisional"
    drugs = [f for f in found if f.kind == "medication"]
    assert [(f.name, f.status) for f in drugs] == [
        ("metformin", "active"),
        ("metformin", "stopped"),
    ]
    values = [(f.comparator, f.value, f.number, f.high) for f in found if f.kind == "observation"]
    assert values == [("<", "0.004", 0.004, 0.04), ("", "7.20", 7.2, None)]
    assert by["1", "patient", "death", "2021-11-02"].detail == {"cause": "Diabetes mellitus"}
    assert by["1", "patient", "birth date", "1950-02-03"].value == "1950-02-03"
    assert by["01", "patient", "birth date", "1961"]
    assert by["1", "patient", "sex", ""].value == "female"
    assert ("9", "patient", "death", "2020-01-01") in by


def test_every_row_is_accounted_for(folder):
    found = items(folder)
    rejects = [i for i in found if isinstance(i, Reject)]
    assert [r.reason for r in rejects] == ["a row of condition_occurrence without a person_id"]
    kept = [f for f in found if isinstance(f, Fact) and f.kind == "condition"]
    assert len({f.id for f in kept}) == 4
    notes = {(n.file, n.what, n.count) for n in found if isinstance(n, Note)}
    assert notes == {("cdm_source.csv", "skipped", 1), ("death.csv", "merged", 2)}


def test_what_was_ruled_out_is_no_edge(folder):
    found = items(folder)
    refuted = next(f for f in found if isinstance(f, Fact) and f.certainty == "refuted")
    assert not [t for t in found if isinstance(t, Triple) and refuted.id in (t.head, t.tail)]


def test_into_a_library_and_a_table_alone(folder, tmp_path):
    with Library.create(tmp_path / "library") as library:
        summary = library.add([folder])
        assert not summary.failed
        assert library.verify() == []
        assert library.add([folder / "condition_occurrence.csv"]).counts["records"] == 4
