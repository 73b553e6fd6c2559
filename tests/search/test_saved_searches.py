"""Saved searches: a name is kept, and what is new since is told."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from osler import Library
from osler.cli.main import build
from osler.errors import InputError, OslerError
from osler.kinds import Document, Filter
from osler.serve.app import create_app
from samples import TrigramEncoder


def paper(id: str, year: int = 2021) -> Document:
    return Document(id=id, title=f"asthma in town {id}", published=str(year))


def test_a_name_that_is_taken_is_refused(tmp_path):
    with Library.create(tmp_path / "lib") as library:
        library.add_documents([paper("a")])
        first = library.save_search("mine", "title:asthma")
        assert first.date
        with pytest.raises(InputError, match="saved as mine already"):
            library.save_search("mine", "title:town")
        assert [saved.query for saved in library.decisions.saved()] == ["title:asthma"]


def test_what_is_new_since_is_told(tmp_path):
    place = tmp_path / "lib"
    with Library.create(place) as library:
        library.add_documents([paper("a"), paper("old", 1999)])
        library.save_search("all", "title:asthma")
        library.save_search("late", "title:asthma", filter=Filter(years=(2020, None)))
        library.add_documents([paper("b"), paper("older", 1998)])
        everything, late = library.alerts()
    assert (everything.before, everything.now, sorted(everything.new)) == (2, 4, ["b", "older"])
    assert (late.before, late.now, late.new) == (1, 2, ["b"])
    done = CliRunner().invoke(build(), ["alerts", str(place), "--json"])
    assert [alert["name"] for alert in json.loads(done.stdout)] == ["all", "late"]


def test_a_search_is_kept_as_typed_and_as_run(tmp_path):
    with Library.create(tmp_path / "lib") as library:
        library.add_documents([paper("a"), paper("b", 1999)])
        saved = library.save_search(
            "ovid", "asthma.ti. and town$.ti.", filter=Filter(years=(2000, None))
        )
        assert saved.query == "asthma.ti. and town$.ti."
        assert saved.run == "title:asthma AND title:town*"
        assert (saved.identified, saved.ids) == (1, ["a"])
        assert library.decisions.saved_search("ovid").run == saved.run
        plain = library.save_search("plain", "asthma town")
        assert plain.run == "asthma OR town"
        assert plain.duplicates == 1
        (alert,) = library.alerts("plain")
        assert (alert.before, alert.now, alert.new) == (2, 2, [])
        with pytest.raises(OslerError, match="no saved search other"):
            library.alerts("other")
        with pytest.raises(InputError, match="needs a name"):
            library.save_search("  ", "asthma")


@pytest.fixture
def client(tmp_path) -> Iterator[TestClient]:
    place = tmp_path / "lib"
    same = {"published": "2021", "title": "Walking after stroke in older adults of the city"}
    with Library.create(place) as library:
        library.add_documents([paper("a"), paper("b", 1999)])
        library.add_documents([Document(id="x", **same), Document(id="y", **same)])
    app = create_app(place, encoder=TrigramEncoder())
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as client:
        yield client


def test_searches_are_saved_and_read_over_rest(client):
    body = {"name": "late", "q": "title:asthma", "year": "2000:"}
    saved = client.post("/api/v1/searches", json=body).json()
    assert (saved["identified"], saved["run"]) == (1, "title:asthma")
    taken = client.post("/api/v1/searches", json=body)
    assert taken.status_code == 400
    assert "already" in taken.text
    (listed,) = client.get("/api/v1/searches").json()["searches"]
    assert listed["name"] == "late"
    assert "ids" not in listed
    assert client.get("/api/v1/searches/late").json()["ids"] == ["a"]
    assert client.get("/api/v1/searches/none").status_code == 404
    (alert,) = client.get("/api/v1/alerts").json()["alerts"]
    assert alert["now"] == 1
    broken = client.post("/api/v1/searches", json={"name": "bad", "q": "asthma[zz]"})
    assert broken.status_code == 400
    assert len(client.get("/api/v1/searches").json()["searches"]) == 1


def test_searches_are_saved_and_read_on_the_page(client):
    page = client.get("/papers?q=title:asthma&year=2000:&method=words").text
    assert 'action="/saved"' in page
    form = {"name": "late", "at": "/papers?q=title:asthma&year=2000:&language=en"}
    assert client.post("/saved", data=form).status_code == 303
    page = client.get("/saved").text
    assert "late" in page
    assert "Nothing new since" in page
    assert "title:asthma" in page
    assert "language=en" in page
    assert client.post("/saved", data=form).status_code == 400


def test_duplicates_are_told_apart_and_put_together_on_the_page(client):
    assert "probability" in client.get("/duplicates").text
    assert client.post("/duplicates", data={"one": "x", "other": "y"}).status_code == 303
    page = client.get("/duplicates").text
    assert "No two records" in page
    assert "Look again" in page
    back = client.post("/api/v1/duplicates", json={"ids": ["x", "y"], "apart": False})
    assert back.json() == {"one": "x", "other": "y", "apart": False, "set_apart": 0}
    assert len(client.get("/api/v1/duplicates").json()["records"]) == 2
