"""``osler ask``, ``osler records``, ``osler train ask`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from osler.cli.main import build
from osler.errors import InputError, OslerError

TRIPLES = (
    "head\thead_type\trelation\ttail\ttail_type\n"
    "P7\tpatient\ttakes\taspirin\tdrug\n"
    "P8\tpatient\ttakes\tibuprofen\tdrug\n"
)


def run(*arguments: object) -> str:
    result = CliRunner().invoke(build(), [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def refused(*arguments: object) -> OslerError:
    with pytest.raises(OslerError) as caught:
        CliRunner().invoke(build(), [str(a) for a in arguments], catch_exceptions=False)
    return caught.value


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    path = tmp_path / "ward.tsv"
    path.write_text(TRIPLES, encoding="utf-8")
    return path


def test_one_question(ward: Path, tmp_path: Path) -> None:
    text = run("ask", ward, "Which drugs does P7 take?", "--explain", "--html", tmp_path / "a.html")
    assert "aspirin" in text
    assert "ibuprofen" not in text
    assert "ward.tsv:2" in text
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "aspirin" in page
    answer = json.loads(run("ask", ward, "Which drugs does P7 take?", "--json"))
    assert answer["answers"] == ["aspirin"]
    assert answer["entities"] == ["drug:aspirin"]


def test_markup_in_names_is_only_text(tmp_path: Path) -> None:
    path = tmp_path / "w.tsv"
    path.write_text(TRIPLES.replace("aspirin", "<script>alert(1)</script>[red]x"), encoding="utf-8")
    text = run("ask", path, "Which drugs does P7 take?", "--html", tmp_path / "a.html")
    assert "[red]x" in text
    assert "<script>" not in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_many_questions(ward: Path, tmp_path: Path) -> None:
    asked = tmp_path / "q.jsonl"
    rows = [
        {"id": "a", "question": "Which drugs does P7 take?"},
        {"id": "b", "question": "What does P99 take?"},
        {"id": "c", "question": ""},
    ]
    asked.write_text("\n".join(json.dumps(r) for r in rows) + "\n", encoding="utf-8")
    run("ask", ward, "--questions", asked, "--out", tmp_path / "a.jsonl")
    answers = [
        json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [a["id"] for a in answers] == ["a", "b", "c"]
    assert set(answers[0]) == {"id", "answers", "entities", "confidence", "path"}
    assert answers[0]["answers"] == ["aspirin"]
    assert answers[1]["answers"] == answers[2]["answers"] == []


def test_errors_say_what_to_do(ward: Path, tmp_path: Path) -> None:
    assert isinstance(refused("ask", ward), InputError)
    assert isinstance(refused("ask", ward, "--questions", ward), InputError)
    assert "reader" in str(refused("ask", ward, "x", "--method", "oracle"))
    bad = tmp_path / "bad.jsonl"
    for text in (b"not json\n", b'{"id": "1", "question": "\xff"}\n', b"[" * 90_000 + b"\n"):
        bad.write_bytes(text)
        assert "line 1" in str(refused("ask", ward, "--questions", bad, "--out", tmp_path / "o"))


def test_from_simulation_to_a_trained_model(tmp_path: Path) -> None:
    run(
        "records",
        "simulate",
        "--out",
        tmp_path / "r",
        "--scale",
        0.03,
        "--topic",
        "medications",
        "--topic",
        "smoking",
    )
    lib = tmp_path / "lib"
    run("new", lib)
    run("add", lib, tmp_path / "r" / "medication_2009", tmp_path / "r" / "smoking_2006.xml")
    text = run("records", "qa", lib, "--out", tmp_path / "qa", "--scale", 0.05)
    assert "smoking" in text
    gold = [
        json.loads(line)
        for line in (tmp_path / "qa" / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(gold) > 50
    run("train", "ask", lib, "--questions", tmp_path / "qa" / "gold.jsonl")
    assert (lib / "models" / "ask" / "model.safetensors").is_file()
    run(
        "ask",
        lib,
        "--questions",
        tmp_path / "qa" / "questions.jsonl",
        "--out",
        tmp_path / "a.jsonl",
        "--method",
        "reader",  # the simulator's answers know nothing of what was stopped, as the graph does not
    )
    answers = [
        json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    right = sum(
        set(a["entities"]) == set(g["entities"]) for a, g in zip(answers, gold, strict=True)
    )
    assert right / len(gold) > 0.85


def test_the_library_answers_from_python(make_library, tmp_path):
    table = tmp_path / "triples.tsv"
    table.write_text(
        "head\thead_type\trelation\ttail\ttail_type\n"
        "P1\tpatient\thas condition\tasthma\tcondition\n"
        "P1\tpatient\ttakes\tsalbutamol\tmedication\n"
        "P2\tpatient\ttakes\tmetformin\tmedication\n"
    )
    library = make_library([])
    library.add([table], format="clinical-triples")
    answer = library.ask("Which medication does P1 take?")
    assert answer.answers == ["salbutamol"]
    assert len(library.records().triples) >= 3
