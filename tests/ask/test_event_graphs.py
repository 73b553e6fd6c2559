# ruff: noqa: E501 - lines of the formats themselves
"""A hospital that keeps events between patients and facts: admissions, prescriptions, lab events."""

from __future__ import annotations

import pytest

from osler.ask.reader import ReaderAnswerer
from osler.records.kb import ClinicalKB

PEOPLE = (
    ("2560", "michelle medina", "F", "private"),
    ("2561", "troy friedman", "M", "medicaid"),
    ("2562", "walter locher", "M", "private"),
)
DIAGNOSES = ("pneumonia", "asthma", "gout")
DRUGS = ("metformin", "aspirin", "heparin")


def rows() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for i, (id, name, gender, insurance) in enumerate(PEOPLE):
        found += [
            (id, "patient", "full_name", name, "name"),
            (id, "patient", "gender", gender, "gender"),
            (id, "patient", "insurance", insurance, "insurance"),
        ]
        for k in range(2):
            stay, order, lab = f"adm{id}{k}", f"rx{id}{k}", f"lab{id}{k}"
            found += [
                (id, "patient", "admission", stay, "admission"),
                (stay, "admission", "admit_time", f"21{10 + i}-0{k + 1}-05", "date"),
                (stay, "admission", "diagnosis", DIAGNOSES[(i + k) % 3], "diagnosis"),
                (stay, "admission", "prescription", order, "prescription"),
                (order, "prescription", "drug", DRUGS[(i + k) % 3], "drug"),
                (order, "prescription", "route", ("po", "iv")[k], "route"),
                (order, "prescription", "dose", ("500 mg", "81 mg")[k], "dose"),
                (stay, "admission", "lab_event", lab, "lab event"),
                (lab, "lab event", "lab_item", ("creatinine", "glucose")[k], "lab item"),
                (lab, "lab event", "lab_value", f"{1.1 + i + k:.1f}", "value"),
            ]
    return found


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> ReaderAnswerer:
    path = tmp_path_factory.mktemp("kb") / "hospital.tsv"
    lines = [("head", "head_type", "relation", "tail", "tail_type"), *rows()]
    path.write_text("\n".join("\t".join(line) for line in lines) + "\n", encoding="utf-8")
    return ReaderAnswerer(ClinicalKB.read(path))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which drugs were prescribed to patient 2560?", {"metformin", "aspirin"}),
        ("how many patients were prescribed metformin?", {"2"}),
        ("what is the route of administration of metformin for patient 2560?", {"po"}),
        ("what dose of metformin did patient 2560 receive?", {"500 mg"}),
        ("What was the last creatinine value of patient 2561?", {"2.1"}),
        ("which patients had a glucose above 3?", {"2561", "2562"}),
        ("how many female patients are there?", {"1"}),
        ("which patients were admitted before 2112?", {"2560", "2561"}),
        ("what diagnoses did michelle medina have?", {"pneumonia", "asthma"}),
        ("Which patients have both gout and asthma?", {"2561"}),
        ("how many patients with private insurance were diagnosed with gout?", {"1"}),
        ("What is the phone number of patient 2560?", set()),
        ("Has patient 2560 been diagnosed with gout?", set()),
        ("which drugs were prescribed to patient 9999?", set()),
    ],
)
def test_through_events(reader: ReaderAnswerer, question: str, answers: set[str]) -> None:
    found = reader.ask(question)
    assert set(found.answers) == answers, (found.path, found.note)


def test_another_patients_events_stay_out(reader: ReaderAnswerer) -> None:
    found = reader.ask("what dose of aspirin did patient 2560 receive?", explain=True)
    mine = {s for s in found.sources if s}
    path = "hospital.tsv"
    allowed = {f"{path}:{n}" for n in range(2, 25)}
    assert mine <= allowed
    assert found.answers == ["81 mg"]
