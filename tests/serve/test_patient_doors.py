"""Joining patients across sources and taking records out, through REST, page and command line: the
same as from Python, and nobody's id in an address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from osler import Library
from osler.cli.main import build
from samples import TrigramEncoder

SYSTEM = "urn:number"


def ward(path: Path, patient: str, number: str, condition: str) -> Path:
    person = {
        "resourceType": "Patient",
        "id": patient,
        "name": [{"text": "Ada Lark"}],
        "identifier": [{"system": SYSTEM, "value": number}],
    }
    one = {
        "resourceType": "Condition",
        "id": "c1",
        "subject": {"reference": f"Patient/{patient}"},
        "code": {"text": condition},
    }
    entries = [{"resource": person}, {"resource": one}]
    path.write_text(json.dumps({"resourceType": "Bundle", "entry": entries}), "utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library.create(tmp_path / "library", encoder=TrigramEncoder()) as library:  # type: ignore[arg-type]
        library.add([ward(tmp_path / "north.json", "p1", "77", "Goutnorth")])
        library.add([ward(tmp_path / "south.json", "p1", "77", "Feversouth")])
        library.add([ward(tmp_path / "west.json", "p1", "78", "Ricketswest")])
    return tmp_path / "library"


@pytest.fixture
def door(folder: Path) -> Iterator[TestClient]:
    from osler.serve.app import create_app

    app = create_app(folder, encoder=TrigramEncoder())  # type: ignore[arg-type]
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as made:
        yield made


def conditions(folder: Path) -> dict[str, set[str]]:
    with Library.open(folder) as library:
        rows = library.truth.reader.execute(
            "SELECT patient, name FROM facts WHERE kind = 'condition'"
        ).fetchall()
    held: dict[str, set[str]] = {}
    for patient, name in rows:
        held.setdefault(patient, set()).add(name)
    return held


JOINED = {"record:north/p1": ["record:north/p1", "record:south/p1"]}


def test_rest_joins_and_parts(door, folder):
    before = door.get("/api/v1/patients").json()
    assert before["sources"] == {"north": 1, "south": 1, "west": 1}
    assert before["joined"] == {}
    answer = door.post("/api/v1/patients/join", json={"system": SYSTEM})
    assert answer.status_code == 200
    assert answer.json()["joined"] == JOINED
    assert door.get("/api/v1/status").json()["patients"]["joined"] == JOINED
    assert conditions(folder) == {
        "record:north/p1": {"Goutnorth", "Feversouth"},
        "record:west/p1": {"Ricketswest"},
    }
    answer = door.post("/api/v1/patients/join", json={"system": SYSTEM, "undo": True})
    assert answer.json()["systems"] == []
    assert len(conditions(folder)) == 3


@pytest.mark.parametrize(
    ("what", "gone", "left"),
    [
        (("patient", "record:north/p1"), "Goutnorth", {"record:south/p1", "record:west/p1"}),
        (("source", "south"), "Feversouth", {"record:north/p1", "record:west/p1"}),
    ],
)
def test_rest_removes_for_good(door, folder, what, gone, left):
    assert door.get("/api/v1/patients").status_code == 200  # a reader is at it
    body = {"kind": what[0], "name": what[1], "confirm": what[1]}
    answer = door.post("/api/v1/patients/remove", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {"facts": 4, "patients": 1, "notes": []}
    assert set(conditions(folder)) == left
    held = [p.name for p in folder.rglob("*") if p.is_file() and gone.encode() in p.read_bytes()]
    assert held == []
    again = door.post("/api/v1/patients/remove", json=body)
    assert again.status_code == 404


def test_a_removed_person_is_gone_from_every_joined_source(door, folder):
    door.post("/api/v1/patients/join", json={"system": SYSTEM})
    name = "record:north/p1"
    body = {"kind": "patient", "name": name, "confirm": name}
    answer = door.post("/api/v1/patients/remove", json=body)
    assert answer.json()["patients"] == 2
    assert conditions(folder) == {"record:west/p1": {"Ricketswest"}}
    assert door.get("/api/v1/patients").json()["sources"] == {"west": 1}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "patient", "name": "record:north/p1", "confirm": "record:north/p2"}, 409),
        ({"kind": "patient", "name": "record:north/p1"}, 422),
        ({"kind": "all", "name": "north", "confirm": "north"}, 422),
        ({"kind": "patient", "name": "p1", "confirm": "p1"}, 404),
        ({"kind": "source", "name": "North", "confirm": "North"}, 404),
    ],
)
def test_nothing_is_removed_by_half_a_word(door, folder, body, status):
    assert door.post("/api/v1/patients/remove", json=body).status_code == status
    assert len(conditions(folder)) == 3


def test_the_page_joins_and_removes(door, folder):
    page = door.get("/library").text
    assert "Joined across sources" not in page
    page = door.post("/library/join", data={"system": SYSTEM}).text
    assert "Joined across sources" in page
    assert "record:north/p1, record:south/p1" in page
    page = door.post("/library/join", data={"system": SYSTEM, "undo": "1"}).text
    assert "joins nobody any more" in page
    wrong = door.post("/library/remove", data={"kind": "source", "name": "west", "confirm": "we"})
    assert wrong.status_code == 409
    assert "once more" in wrong.text
    assert len(conditions(folder)) == 3
    asked = door.post("/library/remove", data={"kind": "source", "name": "west"}).text
    assert "1 patient and 4 facts would go" in asked
    assert "cannot be undone" in asked
    assert 'name="confirm" value="west"' in asked
    nobody = door.post("/library/remove", data={"kind": "source", "name": "east"})
    assert nobody.status_code == 404
    assert len(conditions(folder)) == 3
    one = {"kind": "patient", "name": "record:west/p1"}
    asked = door.post("/library/remove", data=one).text
    assert "1 patient and 4 facts would go" in asked
    odd = door.post("/library/remove", data={**one, "name": "record:west/p9"})
    assert odd.status_code == 404
    form = {"kind": "source", "name": "west", "confirm": "west"}
    page = door.post("/library/remove", data=form).text
    assert "1 patient removed, 4 facts" in page
    assert len(conditions(folder)) == 2
    odd = door.post("/library/remove", data={**form, "kind": "all"})
    assert odd.status_code == 400


def test_a_form_of_another_site_removes_nobody(door, folder):
    for path, data in (
        ("/library/remove", {"kind": "source", "name": "west", "confirm": "west"}),
        ("/library/join", {"system": SYSTEM}),
    ):
        answer = door.post(path, data=data, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403
    assert len(conditions(folder)) == 3


def test_status_lists_whom_it_joined_and_what_was_merged(folder, tmp_path):
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "1", "title": "One", "text": "x"}\n' * 3, "utf-8"
    )
    with Library.open(folder) as library:
        library.add([tmp_path / "corpus.jsonl"])
        library.join(SYSTEM)
        status = library.status()
    assert status["patients"]["joined"] == JOINED
    assert status["noted"] == [
        {"what": "merged", "reason": "its id stands in the file more than once", "count": 2}
    ]
    told = CliRunner().invoke(build(), ["status", str(folder)]).output
    assert "record:south/p1" in told.replace("\n", "")
    assert "merged" in told
    lines = CliRunner().invoke(build(), ["status", str(folder), "--notes"]).output
    assert len([line for line in lines.splitlines() if '"merged"' in line]) == 2


def test_the_command_line_removes_and_tells(folder):
    told = CliRunner().invoke(build(), ["remove", str(folder), "--source", "west"])
    assert told.exit_code == 0
    assert "1 patient removed, 4 facts" in told.output
    assert set(conditions(folder)) == {"record:north/p1", "record:south/p1"}


@pytest.mark.parametrize("who", ["Ada Lark", "ada lark", "patient p1"])
def test_of_namesakes_with_one_id_no_door_tells_anything(door, folder, who):
    """Three sources, each with an Ada Lark who is p1: who was meant is asked back, everywhere."""
    question = f"What conditions does {who} have?"
    with Library.open(folder) as library:
        answer = library.ask(question)
    rest = door.post("/api/v1/ask", json={"question": question}).json()
    page = door.post("/patients", data={"q": question}).text
    line = CliRunner().invoke(build(), ["ask", str(folder), question]).output
    assert answer.answers == []
    assert len(answer.candidates) == len(rest["candidates"]) == 3
    for text in (json.dumps(rest), page, line, answer.note):
        assert not [c for c in ("Goutnorth", "Feversouth", "Ricketswest") if c in text]
