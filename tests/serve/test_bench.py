"""The librarian's bench: history with counts and #1 AND #2, the basket, the query builder."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from osler.serve.views.builder import FormLine, composed
from osler.serve.visits import MOST, Visit, Visits, expression
from samples import TrigramEncoder


@pytest.fixture
def own(served_library):
    """A visitor with a browser of their own."""
    from osler.serve.app import create_app

    app = create_app(served_library, encoder=TrigramEncoder())  # type: ignore[arg-type]
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as made:
        yield made


def papers(text: str) -> set[str]:
    return set(re.findall(r'name="document" value="([^"]+)"', text))


def test_queries_are_numbered_counted_and_combined(own):
    own.get("/papers?q=melatonin")
    own.get("/papers?q=title:sleep&year=2011:2013&mesh=")
    own.get("/papers?q=melatonin")
    text = own.get("/papers/history").text.split("<table")[1]
    assert text.index("#2") < text.index("#1")
    assert "#3" not in text
    asked = {"q": "#1 AND #2", "method": "words"}
    both = own.get("/papers", params=asked, follow_redirects=True)
    # Written out, so that a link to it means the same to everybody.
    assert "#1" not in str(both.url)
    assert "%231" not in str(both.url)
    alone = own.get(
        "/papers",
        params={"q": "(melatonin) AND (title:sleep AND year:2011:2013)", "method": "words"},
    )
    assert papers(both.text) == papers(alone.text) != set()
    assert "#3" in own.get("/papers/history").text.split("<table")[1]
    assert own.get("/papers/history.csv").text.count("\r\n") == 5
    file = own.get("/papers.csv", params={"q": "#1 AND #2", "method": "words"})
    assert file.status_code == 200


def test_a_number_that_nobody_gave_is_told_with_a_mark(own):
    answer = own.get("/papers", params={"q": "asthma AND #7"})
    assert answer.status_code == 400
    assert "asthma AND #7\n           ^" in answer.text


def test_a_history_is_the_visitor_s_own(own, served_library):
    own.get("/papers?q=melatonin")
    other = TestClient(own.app, base_url="http://127.0.0.1")
    assert "None yet" in other.get("/papers/history").text


@pytest.mark.parametrize(
    ("text", "kept", "whole"),
    [
        ("sleep, rest", {}, "sleep OR rest"),
        ("title:sleep", {"year": ["2020"]}, "(title:sleep) AND (year:2020)"),
        ("a AND b", {"mesh": ["X", "Y"]}, '(a AND b) AND (mesh:"X" OR mesh:"Y")'),
        ("asthma[ti]", {}, "title:asthma"),
    ],
)
def test_a_query_with_its_filters_is_one_expression(text, kept, whole):
    assert expression(text, "", kept) == whole


def test_papers_are_put_aside_taken_out_and_put_back(own):
    page = own.get("/papers?q=asthma")
    assert "Basket (<span data-basket>0</span>)" in page.text
    back = "/papers?q=asthma"
    kept = own.post("/papers/basket", data={"act": "keep", "document": "asthma-1", "back": back})
    assert kept.headers["location"] == back
    assert "In the basket" in own.get("/papers?q=asthma").text
    own.post("/papers/basket", content="act=keep&document=sleep-01&document=sleep-02")
    assert 'class="n">3<' in own.get("/papers/basket").text
    assert own.get("/papers/basket.ris").text.count("ER  - ") == 3
    assert own.get("/papers/basket.csv").text.count("\r\n") == 4
    assert own.get("/papers/basket.bib").status_code == 200
    assert own.get("/papers/basket.exe").status_code == 400
    own.post("/papers/basket", data={"act": "drop", "document": "sleep-01"})
    own.post("/papers/basket", data={"act": "empty"})
    assert "2 papers were in it before" in own.get("/papers/basket").text
    own.post("/papers/basket", data={"act": "refill"})
    assert own.get("/papers/basket.ris").text.count("ER  - ") == 2
    small = own.post(
        "/papers/basket",
        data={"act": "keep", "document": "sleep-03"},
        headers={"X-Part": "mark"},
    )
    assert small.json() == {"papers": 3}


@pytest.mark.parametrize("form", [{"act": "keep", "document": "nix"}, {"act": "burn"}, {}])
def test_what_cannot_be_put_aside_is_told(own, form):
    assert own.post("/papers/basket", data=form).status_code == 400


def test_visitors_who_were_away_longest_are_forgotten():
    class Asked:
        def __init__(self, name=""):
            self.cookies = {"osler-visit": name} if name else {}

    class Answer:
        def set_cookie(self, key, value, **_):
            self.value = value

    visits = Visits()
    first = Answer()
    visits.hold(first, *visits.of(Asked()))
    names = []
    for _ in range(MOST - 1):
        answer = Answer()
        visits.hold(answer, *visits.of(Asked()))
        names.append(answer.value)
    held = visits.of(Asked(first.value))[1]
    assert visits.of(Asked(first.value))[1] is held
    last = Answer()
    visits.hold(last, *visits.of(Asked()))
    assert visits.of(Asked(first.value))[1] is held
    assert visits.of(Asked(names[0]))[0] != names[0]


def test_a_basket_has_a_limit():
    from osler.errors import LimitError

    visit = Visit()
    visit.keep([str(n) for n in range(5_000)])
    with pytest.raises(LimitError):
        visit.keep(["one more"])


@pytest.mark.parametrize(
    ("first", "lines", "query"),
    [
        ("", [FormLine("AND", "title", "asthma")], "title:asthma"),
        ("", [FormLine("NOT", "", "mice")], "NOT mice"),
        ("statins", [FormLine("AND", "year", "2021")], "statins AND year:2021"),
        (
            "statins OR niacin",
            [FormLine("AND", "mesh", "Muscle Pain"), FormLine("NOT", "type", "Review")],
            '((statins OR niacin) AND mesh:"Muscle Pain") NOT type:Review',
        ),
        (
            "",
            [FormLine("AND", "", "a OR b"), FormLine("OR", "tiab", 'c "d')],
            '((a OR b)) OR tiab:"c d"',
        ),
    ],
)
def test_lines_make_a_query(first, lines, query):
    assert composed(first, lines) == query


def test_the_builder_counts_translates_and_shows_the_tree(client):
    asked = {"o": ["AND", "AND"], "f": ["title", "year"], "t": ["budesonide", "2021"]}
    text = client.get("/papers/builder", params=asked).text
    assert '<code class="whole-query">title:budesonide AND year:2021</code>' in text
    assert "<b>1 papers</b>" in text
    assert "budesonide[ti] AND 2021[dp]" in text
    tree = client.get("/papers/builder", params={**asked, "tree": "Asthma"}).text
    assert "<b>Asthma</b>" in tree
    added = client.get("/papers/builder", params={**asked, "tree": "Asthma", "add": "Asthma"}).text
    assert "mesh:Asthma" in added
    broken = client.get("/papers/builder", params={"q": "title:(asthma"})
    assert "title:(asthma" in broken.text
    assert 'class="problem"' in broken.text
    nobody = client.get("/papers/builder", params={"tree": "no such heading"})
    assert 'class="problem"' in nobody.text


def test_words_can_be_wanted_all(client):
    text = client.get("/papers?q=telehealth+visits&year=2020").text
    assert 'href="/papers?q=telehealth+AND+visits&amp;year=2020">all of them' in text
    for query in ("telehealth", "telehealth AND visits", "does it help?", "a b c d e f g h i"):
        assert "all of them" not in client.get("/papers", params={"q": query}).text


def test_a_saved_search_is_removed_and_brought_back_as_it_was(client):
    client.post("/saved", data={"name": "sleep", "at": "/papers?q=melatonin&year=2019:"})
    before = client.get("/api/v1/searches/sleep").json()
    answer = client.post("/saved/remove", data={"name": "sleep"})
    assert answer.headers["location"] == "/saved"
    assert client.get("/api/v1/searches/sleep").status_code == 404
    text = client.get("/saved").text
    assert "<b>sleep</b> was removed" in text
    client.post("/saved/remove", data={"name": "sleep", "undo": "1"})
    after = client.get("/api/v1/searches/sleep").json()
    assert {**after, "seq": 0} == {**before, "seq": 0}
    assert "was removed" not in client.get("/saved").text
    # What nobody removed in this visit cannot be brought back.
    assert client.post("/saved/remove", data={"name": "x", "undo": "1"}).status_code == 400
    assert client.post("/saved/remove", data={"name": "x"}).status_code == 404
    gone = client.post("/api/v1/searches/sleep/remove")
    assert gone.json()["name"] == "sleep"
    assert client.get("/api/v1/searches").json()["searches"] == []
    client.cookies.clear()


def test_only_the_last_removed_searches_are_held():
    from osler.serve.visits import REMOVED, Visit
    from osler.store.decisions import SavedSearch

    visit = Visit()
    for number in range(REMOVED + 2):
        visit.forget(SavedSearch(name=f"s{number}", date="", query=""))
    assert list(visit.removed) == [f"s{n}" for n in range(2, REMOVED + 2)]
