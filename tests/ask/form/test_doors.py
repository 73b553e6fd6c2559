"""Forms through every door: Python, the command line, REST, the page."""

from __future__ import annotations

import asyncio
import csv
import html
import io
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from osler import Library
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.form import Concept, Form, Has, What, Who, form_from, form_of
from osler.ask.form.relation import MemoryFacts
from osler.ask.form.session import Session
from osler.ask.form.showing import standing
from osler.errors import InputError
from osler.store.facts import FactRows

from .ward import answerer, fact, patient, ward

API = "/api/v1"


@pytest.fixture(scope="module")
def library_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("doors") / "ward"
    with Library.create(path) as library:
        rows = FactRows(library.truth)
        with library.truth.transaction() as connection:
            rows.write(connection, ward(), 0)
    return path


@pytest.fixture(scope="module")
def client(library_path: Path) -> Iterator[TestClient]:
    from osler.serve.app import create_app

    with TestClient(create_app(library_path), base_url="http://127.0.0.1") as made:
        yield made


def test_a_form_in_place_of_words(library_path: Path) -> None:
    concept = Concept("hypertension", "condition", ("essential hypertension",))
    form = Form("patients", Who(where=Has(What(("condition",), concept, when="now"))))
    with Library.open(library_path) as library:
        assert library.ask(form=form).answers == ["Ben Okoro", "Ann Lee"]
        said = library.ask("Who has hypertension?")
        # What an answer shows as its form gives the same answer again.
        assert library.ask(form=form_from(said.form)).answers == said.answers
        assert library.ask(form=said.form).answers == said.answers
        last = library.ask("What was MRN-7's last creatinine?")
        assert library.ask("and in 2018?", before=last.form).answers == ["1 mg/dL"]
        with pytest.raises(InputError, match="no form"):
            library.ask(form={"answer": 7})


def test_what_is_no_form() -> None:
    with pytest.raises(InputError, match="no form"):
        form_of(b'{"answer": "everything"}')
    with pytest.raises(InputError, match="no form"):
        form_from({"answer": 7})


def test_a_follow_up_leans_on_the_last_question() -> None:
    session = Session(answerer())
    assert session.ask("What was MRN-7's last creatinine?").answers == ["1.9 mg/dL"]
    assert session.ask("and in 2018?").answers == ["1 mg/dL"]
    assert session.ask("Is she allergic to latex?").answers == ["no"]
    assert session.ask("What does Ben Okoro take?").answers[:1] == ["Apixaban 5 MG Oral Tablet"]
    assert session.ask("when was he born?").answers == ["1962-11-30"]


@pytest.mark.parametrize(
    ("further", "answers"),
    [
        ("and in the past?", ["Warfarin"]),
        ("and now?", ["Salbutamol"]),
        ("and in 2015?", ["Warfarin"]),
        ("and ever?", ["Salbutamol", "Warfarin"]),
    ],
)
def test_a_follow_up_in_another_tense(further: str, answers: list[str]) -> None:
    facts = [
        *patient("v", "Omar Vale", birth_date="1962-07-08"),
        fact("v", "medication", "Salbutamol", start="2018-03-01"),
        fact("v", "medication", "Warfarin", status="stopped", start="2015-03-01", end="2015-09-01"),
    ]
    session = Session(FormAnswerer(MemoryFacts(facts)))
    assert session.ask("Which drugs is Omar Vale taking?").answers == ["Salbutamol"]
    assert sorted(session.ask(further).answers) == answers


def test_a_change_of_the_facts_is_seen(tmp_path: Path) -> None:
    with Library.create(tmp_path / "lib") as library:
        rows = FactRows(library.truth)
        some = ward()
        with library.truth.transaction() as connection:
            rows.write(connection, [f for f in some if f.patient != "record:ward/p3"], 0)
        assert library.ask("Who has asthma?").answers == []
        with library.truth.transaction() as connection:
            rows.write(connection, [f for f in some if f.patient == "record:ward/p3"], 0)
        assert library.ask("Who has asthma?").answers == ["Cora Diaz"]
        with library.truth.transaction() as connection:
            rows.remove_patient(connection, "record:ward/p3")
        assert library.ask("Who has asthma?").answers == []


def test_command_line(library_path: Path, tmp_path: Path) -> None:
    from osler.cli.main import build

    run = CliRunner().invoke(build(), ["ask", str(library_path), "Does Ann Lee have gout?"])
    assert "1950-02-03" in run.output
    assert "1980-07-09" in run.output
    run = CliRunner().invoke(
        build(),
        [
            "ask",
            str(library_path),
            "Who has hypertension?",
            "--json",
            "--csv",
            str(tmp_path / "c.csv"),
        ],
    )
    told = json.loads(run.output)
    assert told["form"]["answer"] == "patients"
    rows = list(csv.DictReader(io.StringIO((tmp_path / "c.csv").read_text("utf-8"))))
    assert {(r["name"], r["birth date"], r["sex"]) for r in rows} == {
        ("Ann Lee", "1950-02-03", "female"),
        ("Ben Okoro", "1962-11-30", "male"),
    }
    form = tmp_path / "form.json"
    form.write_text(json.dumps(told["form"]), "utf-8")
    run = CliRunner().invoke(build(), ["ask", str(library_path), "--form", str(form), "--json"])
    assert json.loads(run.output)["answers"] == told["answers"]


def test_rest(client: TestClient) -> None:
    told = client.post(f"{API}/ask", json={"question": "What was MRN-7's last creatinine?"}).json()
    assert told["answers"] == ["1.9 mg/dL"]
    more = {"question": "and in 2018?", "before": told["form"]}
    assert client.post(f"{API}/ask", json=more).json()["answers"] == ["1 mg/dL"]
    again = client.post(f"{API}/ask", json={"form": told["form"]})
    assert again.json()["answers"] == ["1.9 mg/dL"]
    wrong = client.post(f"{API}/ask", json={"form": {"answer": "all"}})
    assert wrong.status_code == 400


def test_the_page_is_posted(client: TestClient) -> None:
    page = client.post("/patients", data={"q": "What is MRN-7 taking?"}).text
    assert "Lisinopril 20 MG Oral Tablet" in page
    assert "drugs, active now · of Ann Lee" in page
    assert "<mark>Lisinopril 20 MG Oral Tablet</mark>" in page
    assert 'class="timeline"' in page
    assert "on hold" in page
    assert 'name="before"' in page
    back = client.post("/patients", data={"q": "Does Ann Lee smoke?"}).text
    assert "1950-02-03" in back
    assert "1980-07-09" in back


def test_the_page_lists_a_cohort_and_exports_it(client: TestClient) -> None:
    page = client.post("/patients", data={"q": "Who has hypertension?"}).text
    assert "<td>1962-11-30</td>" in page
    file = client.post("/patients.csv", data={"q": "Who has hypertension?"}).text
    assert "record:ward/P2,Ben Okoro,1962-11-30,male" in file


def test_all_rows_are_reachable(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from osler.serve.views import patients as view

    monkeypatch.setattr(view, "ROWS", 1)
    first = client.post("/patients", data={"q": "Who has hypertension?"}).text
    second = client.post("/patients", data={"q": "Who has hypertension?", "page": "2"}).text
    assert "1962-11-30</td>" in first
    assert "1962-11-30</td>" not in second
    assert "1950-02-03</td>" in second


def test_nothing_from_records_is_markup(client: TestClient) -> None:
    page = client.post("/patients", data={"q": "<script>alert(1)</script> taking?"}).text
    assert "<script>alert" not in page


def test_a_knowledge_base_alone_has_no_facts() -> None:
    from osler.records.kb import ClinicalKB

    assert FormAnswerer(ClinicalKB.build([], [])).ask("Who has gout?").answers == []


def test_the_page_asks_further_about_the_same(client: TestClient) -> None:
    page = client.post("/patients", data={"q": "What was MRN-7's last creatinine?"}).text
    before = html.unescape(page.split('name="before" value="')[1].split('"')[0])
    more = client.post("/patients", data={"q": "and in 2018?", "before": before}).text
    assert "creatinine, from 2018-01-01 to 2018-12-31" in more
    assert "1 mg/dL" in more


def test_the_tool_for_assistants_answers_and_asks_further(library_path: Path) -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from mcp import Client

    from osler.serve.mcp import create_server

    async def run(**arguments: object) -> dict[str, Any]:
        async with Client(create_server(library_path)) as tools:
            answer = await tools.call_tool("ask", arguments)
        return dict(answer.structured_content)

    def call(**arguments: object) -> dict[str, Any]:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, run(**arguments)).result()

    first = call(question="What was MRN-7's last creatinine?")
    assert first["answers"] == ["1.9 mg/dL"]
    assert first["form"]["answer"] == "values"
    assert first["quoted"][0]["text"] == "Creatinine as the chart writes it"
    assert call(question="and in 2018?", before=first["form"])["answers"] == ["1 mg/dL"]
    namesakes = call(question="Does Ann Lee have gout?")
    assert namesakes["answers"] == []
    assert [c["born"] for c in namesakes["candidates"]] == ["1950-02-03", "1980-07-09"]
    cohort = call(question="Who has hypertension?")
    assert cohort["count"] == 2
    assert [p["name"] for p in cohort["patients"]] == ["Ben Okoro", "Ann Lee"]
    assert call(question="Should MRN-7 take aspirin?")["note"].startswith("“Should”")


def drug(id: str, name: str, status: str) -> dict[str, Any]:
    return {
        "resource": {
            "resourceType": "MedicationRequest",
            "id": id,
            "status": status,
            "intent": "order",
            "authoredOn": "2020-01-01",
            "subject": {"reference": "Patient/a"},
            "medicationCodeableConcept": {"text": name},
        }
    }


def test_what_is_over_is_drawn_dashed_and_says_so(tmp_path: Path) -> None:
    from osler.serve.app import create_app

    person = {"resourceType": "Patient", "id": "a", "name": [{"text": "Ed Poe"}]}
    flu = {
        "resourceType": "Condition",
        "id": "c",
        "subject": {"reference": "Patient/a"},
        "code": {"text": "Influenza"},
        "clinicalStatus": {"coding": [{"code": "resolved"}]},
    }
    entries = [
        {"resource": person},
        drug("m1", "Losartan", "active"),
        drug("m2", "Lisinopril", "stopped"),
        drug("m3", "Bisoprolol", "on-hold"),
        {"resource": flu},
    ]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    (tmp_path / "a.json").write_text(json.dumps(bundle), "utf-8")
    with Library.create(tmp_path / "lib") as library:
        library.add([tmp_path / "a.json"])
    with TestClient(create_app(tmp_path / "lib"), base_url="http://127.0.0.1") as made:
        page = made.post("/patients", data={"q": "What is Ed Poe taking?"}).text
    drawn = page.split("Around Ed Poe")[1]
    nodes = {
        m[2]: m[1] for m in re.finditer(r'class="node leaf( over)? k-\w+"><title>([^<]+)', drawn)
    }
    assert nodes["Losartan"] is None
    assert nodes["Lisinopril (stopped)"] == " over"
    assert nodes["Bisoprolol (on hold)"] == " over"
    assert nodes["Influenza (resolved)"] == " over"
    assert "Dashed" in drawn


@pytest.mark.parametrize(
    ("told", "word"),
    [
        ({"status": "active"}, ""),
        ({"status": "unknown"}, ""),
        ({"status": "active", "end": "2020-01-01"}, "over"),
        ({"status": "completed"}, "resolved"),
        ({"status": "stopped"}, "stopped"),
        ({"certainty": "provisional"}, "suspected"),
        ({"certainty": "refuted"}, "refuted"),
    ],
)
def test_how_a_condition_stands(told: dict[str, Any], word: str) -> None:
    assert standing(fact("p1", "condition", "Gout", **told)) == word
    if word == "resolved":
        assert standing(fact("p1", "medication", "Iron", **told)) == "completed"
    if word == "over":
        assert standing(fact("p1", "medication", "Iron", **told)) == ""


def test_the_home_page_knows_a_patient_and_writes_no_name_into_an_address(
    client: TestClient,
) -> None:
    text = client.post("/", data={"q": "Ben Okoro"}).text
    assert "<b>Patients</b>" in text
    assert 'name="q" value="What conditions does Ben Okoro have?"' in text
    assert '<form action="/patients" method="post">' in text
    assert "1962-11-30" in text
    asked = client.post("/", data={"q": "What medications is Ben Okoro taking?"}).text
    assert 'value="What medications is Ben Okoro taking?"' in asked


def test_a_reading_is_changed_on_the_page(client: TestClient) -> None:
    page = client.post("/patients", data={"q": "Who has hypertension?"}).text
    assert "How the question was read" in page
    found = re.search(r'name="form" value="([^"]+)"', page)
    assert found
    form = html.unescape(found.group(1))
    asked = {"q": "Who has hypertension?", "form": form, "f_answer": "count of patients"}
    counted = client.post("/patients", data=asked).text
    assert "as changed" in counted
    assert '<li lang="en">2</li>' in counted
    wrong = client.post("/patients", data={**asked, "f_answer": "poem"})
    assert wrong.status_code == 400
    file = client.post("/patients.json", data=asked).json()
    assert file["answers"] == ["2"]
