"""The one box of the home page, and addresses of before."""

from __future__ import annotations

import pytest

from osler import Library
from osler.serve.brought import fact_of, offers
from osler.serve.menu import MOVED
from samples import TrigramEncoder, paper


@pytest.mark.parametrize("typed", ["901", "PMID 901", "pmid:901", "asthma-1"])
def test_an_id_leads_to_its_paper(client, typed):
    answer = client.post("/", data={"q": typed})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/document/asthma-1"


def test_an_id_that_is_not_here_is_looked_for_among_the_papers(client):
    assert client.post("/", data={"q": "77777"}).headers["location"] == "/papers?q=77777"


@pytest.mark.parametrize(
    ("typed", "fact"),
    [
        ("does vitamin D prevent severe COVID-19?", ("vitamin D", "prevent", "severe COVID-19")),
        ("Metformin treats type 2 diabetes", ("Metformin", "treats", "type 2 diabetes")),
        (
            "Is smoking associated with lung cancer?",
            ("smoking", "associated with", "lung cancer"),
        ),
        ("二甲双胍能治疗糖尿病吗", ("二甲双胍能", "治疗", "糖尿病")),
        ("what helps against migraine", None),
        ("machine learning to predict sepsis in intensive care", None),
        ("telehealth in primary care", None),
        ("increased risk of stroke", None),
        ("?", None),
    ],
)
def test_a_fact_is_told_from_words(typed, fact):
    assert fact_of(typed) == fact


def test_a_fact_is_offered_first_and_the_papers_always(client):
    text = client.post("/", data={"q": "does budesonide treat asthma?"}).text
    places = [text.index(f"<b>{view}</b>") for view in ("Facts", "Brief", "Papers")]
    assert places == sorted(places)
    assert "/facts?claim=does+budesonide+treat+asthma" in text
    assert 'value="does budesonide treat asthma?"' in text


def test_a_concept_is_offered_with_its_papers(client):
    text = client.post("/", data={"q": "asthma"}).text
    assert "<b>Graph</b>" in text
    assert "/graph?entity=" in text
    assert 'href="/papers?q=asthma"' in text


@pytest.mark.parametrize("typed", ["title:asthma AND year:2021", "how do people sleep"])
def test_words_and_queries_go_to_the_papers(client, typed):
    answer = client.post("/", data={"q": typed})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/papers?q=")


def test_nothing_typed_stays_at_home(client):
    assert client.post("/", data={"q": "  "}).headers["location"] == "/"
    assert client.post("/", data={"q": "x" * 20_000}).status_code == 413


def test_a_library_without_records_or_graph_offers_papers(tmp_path):
    with Library.create(tmp_path / "plain") as library:
        library.add_documents([paper("1", "A paper")])
    from osler.serve.desk import Desk
    from osler.serve.reader import Reader

    desk = Desk(tmp_path / "plain", encoder=TrigramEncoder())  # type: ignore[arg-type]
    try:
        reader = Reader.of(desk.shared)
        (only,) = offers(reader, "asthma")
        assert (only.view, only.certain) == ("Papers", True)
        reader.close()
    finally:
        desk.close()


@pytest.mark.parametrize("old", list(MOVED))
def test_addresses_of_before_lead_on(client, old):
    for place, new in ((old, MOVED[old]), (f"{old}.csv", None)):
        answer = client.get(f"{place}?q=a%20b&x=1")
        assert answer.status_code == 307
        path, _, query = answer.headers["location"].partition("?")
        assert query == "q=a%20b&x=1"
        assert path == (new or path)
    assert client.post(old, data={"q": "x"}).status_code == 307


def test_old_searches_and_old_exports_still_answer(client):
    assert client.get("/?q=asthma").headers["location"] == "/papers?q=asthma"
    moved = client.get("/search.csv?q=asthma", follow_redirects=True)
    assert moved.status_code == 200
    assert moved.text.startswith("rank,")
    assert client.get("/status.json", follow_redirects=True).json()["counts"]
    assert client.get("/status", follow_redirects=True).status_code == 200


@pytest.mark.parametrize(
    ("folder", "name"), [("demo/library", "demo"), ("demo/asthma", "asthma"), ("Lib", "")]
)
def test_a_library_has_a_name(tmp_path, folder, name):
    from osler.store.layout import Layout

    layout = Layout(tmp_path / folder)
    assert layout.name == (name or tmp_path.name)
    layout.root.mkdir(parents=True)
    layout.rename("Asthma reviews")
    assert layout.name == "Asthma reviews"
