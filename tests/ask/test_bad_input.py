"""Bad input through the command line: a clear answer or error, and never another patient's data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from osler.cli.main import build
from osler.errors import InputError, LimitError, OslerError, QueryError


def run(*arguments: object) -> str:
    result = CliRunner().invoke(build(), [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code in (0, 1, 3), result.output  # 3: something was rejected
    return result.output


def failed(*arguments: object) -> OslerError:
    with pytest.raises(OslerError) as caught:
        CliRunner().invoke(build(), [str(a) for a in arguments], catch_exceptions=False)
    return caught.value


def asked(lib: Path, question: str) -> dict[str, Any]:
    return json.loads(run("ask", lib, question, "--json"))


def medication(id: str, patient: str, name: str) -> dict[str, Any]:
    return {
        "resourceType": "MedicationRequest",
        "id": id,
        "subject": {"reference": f"Patient/{patient}"},
        "medicationCodeableConcept": {"coding": [{"code": id, "display": name}]},
    }


@pytest.fixture
def fhir(tmp_path: Path) -> Path:
    """One patient; one prescription of somebody who is not there, one with a lost reason."""
    lost = medication("m3", "p1", "warfarin")
    lost["reasonReference"] = [{"reference": "Condition/gone"}]
    entries = [
        {"resourceType": "Patient", "id": "p1", "name": [{"given": ["Ann"], "family": "Bee"}]},
        {"resourceType": "Patient", "id": "p2", "name": [{"given": ["Cal"], "family": "Dee"}]},
        medication("m1", "p1", "metformin"),
        medication("m2", "nobody", "digoxin"),
        lost,
    ]
    bundle = {"resourceType": "Bundle", "entry": [{"resource": e} for e in entries]}
    (tmp_path / "bundle.json").write_text(json.dumps(bundle), encoding="utf-8")
    run("new", tmp_path / "lib")
    run("add", tmp_path / "lib", tmp_path / "bundle.json")
    return tmp_path / "lib"


def test_dangling_references(fhir: Path) -> None:
    assert set(asked(fhir, "Which medications does Ann Bee take?")["answers"]) == {
        "metformin",
        "warfarin",
    }
    assert not asked(fhir, "Which medications does Cal Dee take?").get("answers")
    # A patient whom only a reference names is known by that id, and is nobody else.
    assert asked(fhir, "Who takes digoxin?")["answers"] == ["nobody"]
    # Nothing of it is rejected: another file may describe that patient.
    assert "digoxin" not in run("status", fhir, "--rejects")


def test_offsets_past_the_text(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "7.txt").write_text("He has asthma.\n", encoding="utf-8")
    lines = ["T1\tDisease_disorder 7 13\tasthma", "T2\tDisease_disorder 900 904\tgout"]
    (folder / "7.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run("new", tmp_path / "lib")
    run("add", tmp_path / "lib", folder, "--as", "brat")
    assert not asked(tmp_path / "lib", "Which patients have gout?").get("answers")
    assert "past" in run("status", tmp_path / "lib", "--rejects") or "T2" in run(
        "status", tmp_path / "lib", "--rejects"
    )


def test_a_note_without_its_annotation(tmp_path: Path) -> None:
    folder = tmp_path / "relations"
    folder.mkdir()
    (folder / "a.txt").write_text("chest pain resolved .\n", encoding="utf-8")
    (folder / "a.con").write_text('c="chest pain" 1:0 1:1||t="problem"\n', encoding="utf-8")
    (folder / "b.txt").write_text("no complaint .\n", encoding="utf-8")
    run("new", tmp_path / "lib")
    run("add", tmp_path / "lib", folder, "--as", "i2b2-2010-relations")
    assert "b" in run("status", tmp_path / "lib", "--rejects")
    assert asked(tmp_path / "lib", "Which problems does patient a have?")["answers"] == [
        "chest pain"
    ]
    assert not asked(tmp_path / "lib", "Which problems does patient b have?").get("answers")


TRIPLES = (
    "head\thead_type\trelation\ttail\ttail_type\n"
    "P7\tpatient\ttakes\taspirin\tdrug\n"
    "P8\tpatient\ttakes\tibuprofen\tdrug\n"
    "P8\tpatient\tsuffers from\tgout\tdisease\n"
)


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    path = tmp_path / "ward.tsv"
    path.write_text(TRIPLES, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs does P9 take?",
        "Which drugs does patient P99 take?",
        "What does patient number 12345 take?",
        "Which drugs does Mary Smith take?",
        "Does P10 have gout?",
        "P12的药物有哪些？",
    ],
)
def test_an_unknown_patient(ward: Path, question: str) -> None:
    answer = asked(ward, question)
    assert not answer.get("answers")
    assert not answer.get("entities")
    assert "no patient" in answer["note"] or "nothing" in answer["note"]


@pytest.mark.parametrize("question", ["Does P7 have gout?", "Why does P7 take ibuprofen?"])
def test_another_patients_facts_stay_with_them(ward: Path, question: str) -> None:
    assert not asked(ward, question).get("answers")


def test_no_question(ward: Path) -> None:
    assert isinstance(failed("ask", ward, ""), InputError)
    assert isinstance(failed("ask", ward, "  "), QueryError)
    assert isinstance(failed("ask", ward, "?!"), QueryError)


def test_a_long_question(ward: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "Which drugs does P7 take, " + "and please look twice, " * 220
    assert len(long) > 5_000
    answer = asked(ward, long)
    assert set(answer.get("answers", [])) <= {"aspirin"}
    monkeypatch.setenv("OSLER_MAX_QUERY", "1000")
    error = failed("ask", ward, long)
    assert isinstance(error, LimitError)
    assert "P7" not in str(error)


def test_a_long_question_in_a_file_does_not_stop_the_rest(ward: Path, tmp_path: Path) -> None:
    rows = [
        {"id": "1", "question": "x" * 20_000},
        {"id": "2", "question": "   "},
        {"id": "3", "question": "Which drugs does P7 take?"},
        {"id": "4"},
    ]
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
    run("ask", ward, "--questions", path, "--out", tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text("utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    assert [a["answers"] for a in answers] == [[], [], ["aspirin"], []]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("P7的药物有哪些？", ["aspirin"]),
        ("哪些患者服用 ibuprofen？", ["P8"]),
        ("今天天气怎么样？", []),
        ("P7的电话号码是多少？", []),
    ],
)
def test_a_question_in_chinese(ward: Path, question: str, answers: list[str]) -> None:
    assert asked(ward, question).get("answers", []) == answers
