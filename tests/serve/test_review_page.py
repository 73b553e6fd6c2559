"""The page of reviews: forms without a script, what is shown to whom, what is refused."""

from __future__ import annotations

import base64
import json

import pytest

from osler.explain.marks_html import Span
from osler.serve.views.screen import highlighted

FOREIGN = {"Sec-Fetch-Site": "cross-site"}


@pytest.fixture
def place(client, request):
    name = f"page {request.node.name}".replace("/", "-")
    form = {
        "name": name,
        "question": "Does <b>sleep</b> help?",
        "reasons": "animals\nno control\n\n",
        "highlights": "telehealth\nsle*",
        "reviewers": "2",
    }
    answer = client.post("/review", data=form)
    assert answer.status_code == 303
    where = answer.headers["location"]
    search = {"query": "title:(sleep OR telehealth)"}
    assert client.post(f"{where}/search", data=search).status_code == 303
    return where


def word(client, place, id, verdict, by, **more):
    form = {"document": id, "verdict": verdict, "by": by, **more}
    return client.post(f"{place}/decide", data=form)


def test_a_project_is_begun_and_listed(client, place):
    text = client.get("/review").text
    assert place in text
    text = client.get(place).text
    assert "Does &lt;b&gt;sleep&lt;/b&gt; help?" in text
    assert "title:(sleep OR telehealth)" in text
    assert "Records identified (n = 24)" in text
    answer = client.post("/review", data={"name": place.rsplit("/", 1)[1].replace("%20", " ")})
    assert answer.status_code == 400
    assert "already" in answer.text
    assert client.get("/review/nobody").status_code == 404


def test_screening_by_forms(client, place):
    text = client.get(f"{place}/screen").text
    assert "Say who you are" in text
    text = client.get(f"{place}/screen", params={"by": "ann"}).text
    assert text.count('class="paper-card"') == 10
    assert "<mark>Sleep</mark>" in text
    assert "<option>animals</option>" in text
    answer = word(
        client, place, "sleep-01", "exclude", "ann", reason="animals", note="n", tags="a, b"
    )
    assert answer.status_code == 303
    assert "by=ann" in answer.headers["location"]
    word(client, place, "sleep-02", "include", "ann", reason="animals")
    log = client.get(f"/api/v1/projects{place.removeprefix('/review')}/log").json()["entries"]
    last, first = log[-1]["entry"], log[-2]["entry"]
    assert (first["reason"], first["note"], first["tags"]) == ("animals", "n", ["a", "b"])
    # A reason to exclude is no part of an inclusion.
    assert "reason" not in last
    text = client.get(f"{place}/screen", params={"by": "ann"}).text
    assert "2 read, 22 left" in text
    assert "by what was learned" in text
    assert "0 read" in client.get(f"{place}/screen", params={"by": "bob"}).text
    assert client.post(f"{place}/undo", data={"by": "ann"}).status_code == 303
    assert "1 read" in client.get(f"{place}/screen", params={"by": "ann"}).text
    text = client.get(f"{place}/screen", params={"by": "ann", "q": "part 11"}).text
    assert text.count('class="paper-card"') == 1


def test_a_script_is_answered_in_short(client, place):
    form = {"document": "sleep-01", "verdict": "maybe", "by": "ann"}
    answer = client.post(f"{place}/decide", data=form, headers={"X-Part": "mark"}).json()
    assert answer == {
        "document": "sleep-01",
        "verdict": "maybe",
        "read": 1,
        "left": 23,
        "words": "",
    }
    answer = client.post(f"{place}/undo", data={"by": "ann"}, headers={"X-Part": "mark"}).json()
    assert (answer["document"], answer["read"]) == ("sleep-01", 0)


def test_conflicts_are_shown_to_a_third(client, place):
    word(client, place, "sleep-01", "include", "ann", note="fine")
    word(client, place, "sleep-01", "exclude", "bob")
    assert "Say who you are" in client.get(f"{place}/conflicts").text
    side = client.get(f"{place}/conflicts", params={"by": "ann"}).text
    assert "You are a side" in side
    assert "bob" not in side
    third = client.get(f"{place}/conflicts", params={"by": "cid"}).text
    assert "fine" in third
    assert "<b>bob</b>: exclude" in third
    answer = word(client, place, "sleep-01", "include", "cid", resolves="1")
    assert "/conflicts" in answer.headers["location"]
    assert "No conflict" in client.get(f"{place}/conflicts", params={"by": "cid"}).text
    text = client.get(place).text
    assert "kappa cannot be told" not in text or "agree on 0 of 1" in text
    full = client.get(f"{place}/screen", params={"by": "ann", "stage": "full text"}).text
    assert "Not retrieved" in full
    form = {"document": "sleep-01", "by": "ann", "note": "asked"}
    assert client.post(f"{place}/missing", data=form).status_code == 303
    assert "Reports not retrieved (n = 1)" in client.get(place).text


def test_files_cards_and_groups(client, place):
    for format in (
        "ris",
        "csv",
        "asreview",
        "rayyan",
        "covidence",
        "eppi",
        "asreview-project",
        "log",
    ):
        answer = client.get(f"{place}/export.{format}")
        assert answer.status_code == 200
        assert f"osler-{format}." in answer.headers["content-disposition"]
    assert client.get(f"{place}/export.doc").status_code == 400
    assert client.get(f"{place}/prisma.svg").text.startswith("<svg")
    assert client.get(f"{place}/prisma.png").content[:4] == b"\x89PNG"
    assert json.loads(client.get(f"{place}/prisma.json").text)["screened"] == 24
    assert client.get(f"{place}/prisma.gif").status_code == 400
    text = {"text": client.get(f"{place}/export.ris").text, "source": "a friend"}
    assert client.post(f"{place}/import", data=text).status_code == 303
    assert "a friend" not in client.get(place).text  # they had come out of here
    assert client.post(f"{place}/import", data={"text": "nothing"}).status_code == 400
    packed = base64.b64encode(client.get(f"{place}/export.asreview-project").content).decode()
    sent = {"text": f"data:application/zip;base64,{packed}", "source": "another friend"}
    assert client.post(f"{place}/import", data=sent).status_code == 303
    assert "another friend" not in client.get(place).text
    card = {"outcome": "rest", "reviewers": "x"}
    assert client.post(f"{place}/card", data=card).status_code == 400
    assert client.post(f"{place}/card", data={"outcome": "rest"}).status_code == 303
    assert "rest" in client.get(place).text
    assert client.post(f"{place}/group", data={"by": "ann"}).status_code == 303
    assert client.post(f"{place}/group", data={"apart": "nix"}).status_code == 404


@pytest.mark.parametrize("rest", ["", "/decide", "/undo", "/search", "/card", "/group", "/import"])
def test_another_site_may_not_post(client, place, rest):
    answer = client.post(
        f"{place if rest else '/review'}{rest}", data={"name": "x"}, headers=FOREIGN
    )
    assert answer.status_code == 403


def test_what_is_refused(client, place):
    assert word(client, place, "sleep-01", "perhaps", "ann").status_code == 400
    assert word(client, place, "sleep-01", "include", " ").status_code == 400
    assert word(client, place, "nix", "include", "ann").status_code == 404
    assert word(client, place, "sleep-01", "exclude", "ann", reason="dull").status_code == 400
    assert "0 read" in client.get(f"{place}/screen", params={"by": "ann"}).text


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("Sleep and asleep", ["sleep"], "<mark>Sleep</mark> and asleep"),
        ("Sleepless sleep", ["sleep*"], "<mark>Sleepless</mark> <mark>sleep</mark>"),
        ("a < b & C++ (x)", ["c++"], "a &lt; b &amp; C++ (x)"),
        ("失眠的治疗", ["失眠"], "<mark>失眠</mark>的治疗"),
        ("none", ["", "*", " "], "none"),
    ],
)
def test_words_are_marked(text, words, shown):
    assert highlighted(text, words) == shown


def test_own_words_come_before_the_terminologys():
    concepts = [Span(0, 9, "drug", "Melatonin"), Span(14, 19, "sign", "Sleep")]
    html = highlighted("Melatonin for sleep", ["melatonin"], concepts)
    assert html.startswith("<mark>Melatonin</mark> for ")
    assert 'class="c c-sign"' in html


def test_a_search_in_a_project(client, place):
    name = place.rsplit("/", 1)[1].replace("%20", " ")
    text = client.get("/papers", params={"q": "sleep", "project": name}).text
    assert f"project: {name}" in text
    assert "play no part" in text
    assert f'name="project" value="{name}"' in text
    assert "without marks" in client.get("/papers", params={"q": "sleep", "marks": "0"}).text


def test_a_change_of_the_card_is_taken_back(client, place):
    undo = "Undo the last change of the card"
    first = client.get(place).text
    card = {"question": "Does light help?", "reviewers": "1"}
    client.post(f"{place}/card", data=card)
    client.post(f"{place}/card", data={**card, "question": "Does darkness help?"})
    changed = client.get(place).text
    assert "Does darkness help?" in changed
    assert undo in changed
    assert client.post(f"{place}/card/undo").headers["location"] == place
    assert "Does light help?" in client.get(place).text
    client.post(f"{place}/card/undo")
    last = client.get(place).text
    assert "Does light help?" not in last
    assert (undo in last) == (undo in first)
    # A change after an undo can be taken back as well.
    client.post(f"{place}/card", data=card)
    client.post(f"{place}/card/undo")
    assert "Does light help?" not in client.get(place).text


def test_a_card_that_was_never_changed_has_no_undo(client):
    client.post("/review", data={"name": "fresh", "question": "?"})
    assert "Undo the last change of the card" not in client.get("/review/fresh").text
    answer = client.post("/review/fresh/card/undo")
    assert answer.status_code == 404
    assert client.post("/api/v1/projects/fresh/card/undo").status_code == 404


def test_a_review_is_put_away_and_brought_back(client, place):
    papers = client.get(f"{place}/screen", params={"by": "ann"}).text.count("paper-card")
    assert "Put this review away" in client.get(place).text
    assert client.post(f"{place}/away").status_code == 303
    at_work, away = client.get("/review").text.split("Put away:", 1)
    assert place not in at_work
    assert place in away
    text = client.get(place).text
    assert "Bring it back" in text
    assert "Put this review away" not in text
    # It can be read as before.
    assert client.get(f"{place}/screen", params={"by": "ann"}).text.count("paper-card") == papers
    assert client.post(f"{place}/away", data={"back": "1"}).status_code == 303
    assert "Bring it back" not in client.get(place).text
    assert client.get("/review").text.count(place) == 1
