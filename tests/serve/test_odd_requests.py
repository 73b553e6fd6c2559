"""Requests that nobody sends by accident: each gets an ordinary answer, and a small one."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from osler import Library
from osler.errors import OslerError
from osler.serve.app import create_app
from osler.serve.export import table
from samples import PAPERS, TrigramEncoder

TOKEN = "a-token-of-some-length"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("odd") / "library"
    with Library.create(place, encoder=TrigramEncoder()) as library:
        library.add_documents(PAPERS)
    return place


@pytest.fixture
def client(folder):
    app = create_app(folder, encoder=TrigramEncoder())
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as made:
        yield made


@pytest.fixture
def guarded(folder):
    app = create_app(folder, encoder=TrigramEncoder(), token=TOKEN)
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as made:
        yield made


@pytest.mark.parametrize("path", ["/", "/papers.csv", "/api/v1/search", "/api/v1/documents"])
def test_a_number_of_five_thousand_digits(client, path):
    assert client.get(f"{path}?q=asthma&offset={5_000 * '9'}").status_code < 500


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "\\", "http://]:99999"])
def test_an_origin_that_is_no_address(client, origin):
    answer = client.post("/api/v1/ask", headers={"Origin": origin}, json={"question": "who"})
    assert answer.status_code == 403


def test_a_form_of_many_fields(client):
    form = urlencode([(f"field{n}", "x") for n in range(300)])
    for path in ("/login", "/rank"):
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        assert client.post(path, content=form, headers=kind).status_code in (405, 413)


def test_half_a_character(client):
    """A lone surrogate is no text that anything can hold."""
    half = "\\ud800"
    for path, body in (
        ("/api/v1/ask", f'{{"question": "who is {half}"}}'),
        ("/api/v1/rank", f'{{"topic": "{half} asthma"}}'),
        (
            "/api/v1/rank",
            f'{{"topic": "asthma", "examples": [{{"document": "{half}", "relevant": true}}]}}',
        ),
        ("/api/v1/match", f'{{"question": "{half} what"}}'),
        ("/api/v1/feedback", f'{{"topic": "asthma", "document": "{half}", "grade": 1}}'),
    ):
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code < 500, (path, answer.text)
    assert client.get("/api/v1/documents/%ED%A0%80").status_code == 404


def test_half_a_character_in_an_id(folder):
    with Library.open(folder, encoder=TrigramEncoder()) as library:
        for ask in (library.document, library.entity, lambda id: library.remove([id])):
            with pytest.raises(OslerError):
                ask("half \ud800")


def test_an_answer_is_not_larger_than_its_request(client):
    """1 MB of keys that nobody knows was answered with 5.7 MB."""
    body = json.dumps({f"key{n}": 1 for n in range(60_000)})
    answer = client.post("/api/v1/ask", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert len(answer.content) < 20_000
    assert "more" in answer.json()["fields"]["..."]
    one = client.post("/api/v1/ask", json={"question": "who", 100_000 * "k": 1})
    assert len(one.content) < 2_000


@pytest.mark.parametrize("before", ["", "\t", "\r", "\n", " ", " \t", "\u00a0"])
@pytest.mark.parametrize("mark", ["=", "+", "-", "@"])
def test_no_cell_is_a_formula(before, mark):
    line = table(["a"], [[f"{before}{mark}1+1"]]).split("\r\n", 1)[1]
    assert line.lstrip('"').startswith("'")
    assert table(["a"], [["plain"]]).splitlines()[1] == "plain"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_s_page_may_lead_here_and_not_ask(client, site):
    there = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
    led = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    for path in ("/api/v1/rank?topic=x", "/rank?topic=x", "/papers?q=x", "/papers.csv?q=x"):
        assert client.get(path, headers=there).status_code == 403
        assert client.get(path, headers=led).status_code == 403
    assert client.get("/", headers=led).status_code == 200
    assert (
        client.get("/papers?q=asthma", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200
    )
    assert client.get("/papers?q=asthma", headers={"Sec-Fetch-Site": "none"}).status_code == 200


def test_wrong_tokens_are_braked(guarded, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_TRIES", "5")
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert guarded.get("/api/v1/status", headers=right).status_code == 200
    for n in range(5):
        wrong = {"Authorization": f"Bearer wrong{n}"}
        assert guarded.get("/api/v1/status", headers=wrong).status_code == 401
    # From there not even the right one is looked at, for a minute.
    assert guarded.get("/api/v1/status", headers=right).status_code == 429
    assert guarded.post("/login", data={"token": TOKEN}).status_code == 429
    monkeypatch.setattr("osler.serve.brake.MINUTE", 0.0)
    assert guarded.get("/api/v1/status", headers=right).status_code == 200


def test_whoever_has_signed_in_is_not_braked(guarded, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_TRIES", "3")
    assert guarded.post("/login", data={"token": TOKEN}).status_code == 200
    for n in range(5):
        guarded.post("/login", data={"token": f"wrong{n}"})
    assert guarded.get("/api/v1/status").status_code == 200
    guarded.cookies.clear()
    assert guarded.get("/api/v1/status").status_code == 401
