"""The page without a browser: each view, its exports, what it says when something is missing."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import time

import pytest
from starlette.testclient import TestClient

from osler import Library
from samples import TrigramEncoder, paper


def test_a_hit_explains_itself(client):
    text = client.get("/papers?q=budesonide+asthma").text
    assert "Budesonide treated" in text or "Budesonide" in text
    assert '<details class="why">' in text
    assert "Parts of the score" in text
    assert "in both" in text
    assert 'class="c c-disease"' in text


def test_filters_are_offered_with_counts_and_can_be_removed(client):
    text = client.get("/papers?q=asthma").text
    assert "Air and Health" in text
    assert "journal=Air+and+Health" in text
    chosen = client.get("/papers?q=asthma&journal=Air+and+Health").text
    assert "journal: Air and Health" in chosen
    assert "remove this filter" in chosen


def test_an_empty_question_is_the_start(client):
    for page in ("/", "/papers?q=", "/papers?q=+++"):
        answer = client.get(page)
        assert answer.status_code == 200
        assert "Try one" in answer.text


def test_a_broken_query_is_marked_and_offered_as_plain_words(client):
    answer = client.get("/papers?q=title:(asthma")
    assert answer.status_code == 400
    assert "title:(asthma\n      ^" in answer.text
    assert 'href="/papers?q=title%3A%28asthma&amp;plain=1">Search as plain words' in answer.text
    assert "Hits 1 to" in client.get("/papers?q=title:(asthma&plain=1").text
    for format in ("csv", "ris", "json", "trec"):
        assert client.get(f"/papers.{format}?q=title:(asthma").status_code == 400


def test_an_export_holds_all_hits(client, monkeypatch):
    monkeypatch.setenv("OSLER_MAX_PAGE", "2")
    found = client.get("/papers.trec?q=asthma&method=words").text.splitlines()
    total = client.get("/api/v1/search?q=asthma&method=words").json()["total"]
    assert len(found) == total > 2


@pytest.mark.parametrize("offset", ["-1", "x", "99999999999999999999", "１"])
def test_nonsense_in_an_address_breaks_nothing(client, offset):
    assert client.get(f"/papers?q=asthma&offset={offset}").status_code == 200
    assert client.get("/papers?q=asthma&method=magic").status_code == 400
    assert client.get("/papers?q=asthma&year=soon").status_code == 400


def test_a_document_marks_mentions_and_the_sentence(client):
    text = client.get("/document/asthma-1?q=albuterol").text
    assert '<span class="evidence">' in text
    assert "Asthma (disease)" in text
    assert "denied here" in text
    assert "Related papers" in text


def test_sections_keep_their_marks(client):
    text = client.get("/document/evil-1").text
    assert "Results &amp; more" in text
    # The second section's mention stands where it should, after an empty section.
    assert ">Cough</a> followed." in text


def test_chinese_is_told_as_such(client):
    text = client.get("/document/4").text
    assert '<article class="paper" lang="zh">' in text
    found = client.get("/papers?q=肺癌").text
    assert 'lang="zh"' in found


@pytest.mark.parametrize("format", ["json", "csv", "ris", "trec"])
@pytest.mark.parametrize("view", ["papers", "rank", "facts/relevance"])
def test_exports_of_papers(client, view, format):
    parameters = {
        "papers": {"q": "asthma"},
        "rank": {"topic": "asthma"},
        "facts/relevance": {"head": "Asthma", "relation": "treated by", "tail": "Budesonide"},
    }[view]
    answer = client.get(f"/{view}.{format}", params=parameters)
    if answer.status_code == 409:
        pytest.skip("no grader is trained")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].endswith(f'.{format}"')
    text = answer.text
    if format == "json":
        assert json.loads(text)["hits"]
    elif format == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert rows[0]["rank"] == "1"
    elif format == "ris":
        assert text.startswith("TY  - JOUR\r\n")
        assert text.count("ER  - ") == text.count("TY  - ")
    else:
        assert text.split()[1] == "Q0"


def test_exports_of_the_rest(client):
    assert client.get("/graph.json?entity=Asthma").json()["entity"]["name"] == "Asthma"
    assert "treated by" in client.get("/graph.csv?entity=Asthma").text
    assert client.get("/graph.json?entity=Asthma&to=COVID-19").json()["paths"]
    assert "Asthma" in client.get("/graph.csv?entity=Asthma&to=COVID-19").text
    assert client.get("/library/status.json").json()["counts"]
    assert client.get("/library/status.csv").text.startswith("file,place,reason,id")
    assert client.get("/answers.json?q=migraine").json()["hits"]
    assert client.get("/answers.csv?q=migraine").status_code == 200
    assert client.get("/answers.trec?q=migraine").status_code == 200
    assert client.get("/answers.ris?q=migraine").status_code == 400
    assert client.get("/document.ris?id=asthma-1").text.count("ER  - ") == 1
    assert client.get("/document.json?id=asthma-1").json()["id"] == "asthma-1"
    assert client.get("/papers.exe?q=asthma").status_code == 400


def test_no_cell_of_a_table_is_a_formula():
    from osler.serve.export import table

    text = table(["a"], [["=1+1"], ["@x"], ["-2"], [-2]])
    assert text.splitlines()[1:] == ["'=1+1", "'@x", "'-2", "-2"]


def test_marks_by_form_go_back_to_the_list(client):
    form = {"topic": "insomnia", "document": "sleep-03", "grade": "1"}
    answer = client.post("/rank/mark", data=form)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/rank?topic=insomnia"
    text = client.get("/rank?topic=insomnia").text
    assert "1 relevant, 0 not" in text
    assert client.get("/rank.qrels?topic=insomnia").text == "insomnia 0 sleep-03 1\n"
    assert "sleep-03,1,insomnia" in client.get("/rank.marks?topic=insomnia").text
    assert "insomnia" in client.get("/rank").text
    unknown = {"topic": "insomnia", "document": "nix", "grade": "1"}
    assert client.post("/rank/mark", data=unknown).status_code == 404
    assert client.post("/rank/mark", data={"topic": "", "document": ""}).status_code == 400
    assert client.post("/rank/mark", data={**form, "grade": "maybe"}).status_code == 400
    assert client.post("/rank/mark", data={**form, "grade": "none"}).status_code == 303
    assert "None yet" in client.get("/rank?topic=insomnia").text
    assert client.get("/rank.qrels?topic=insomnia").text == ""


@pytest.mark.parametrize("length", ["", "23", "x", "9", "4"])
def test_any_length_of_paths_is_survived(client, length):
    assert client.get(f"/graph?entity=Asthma&to=COVID-19&length={length}").status_code == 200


def test_an_entity_that_is_not_there_names_near_ones(client):
    answer = client.get("/graph?entity=Asthmatic+trouble")
    assert answer.status_code == 404
    assert "Did you mean" in answer.text
    assert ">Asthma<" in answer.text


def test_a_slow_view_shows_its_frame_at_once(client, monkeypatch):
    from osler.serve import page
    from osler.serve.views import rank as view

    def slowly(*args, **options):
        time.sleep(0.2)
        return real(*args, **options)

    real = view.rank
    monkeypatch.setattr(view, "rank", slowly)
    monkeypatch.setattr(page, "WAIT", 0.01)
    text = client.get("/rank?topic=melatonin").text
    assert text.index('class="waiting"') < text.index('class="hit-list"') < text.index("</main>")
    assert text.count("<main") == 1


def test_results_alone_have_no_frame_however_slow_they_are(client, monkeypatch):
    """A script puts them in place of the old ones: a frame would leave it with no papers."""
    from osler.serve import page
    from osler.verbs.projects import Projects

    def slowly(self, name):
        time.sleep(0.1)
        return real(self, name)

    assert client.post("/api/v1/projects", json={"name": "slow"}).status_code < 300
    added = client.post("/api/v1/projects/slow/searches", json={"query": "sleep"})
    assert added.status_code < 300
    real = Projects.get
    monkeypatch.setattr(Projects, "get", slowly)
    monkeypatch.setattr(page, "WAIT", 0.01)
    address = "/review/slow/screen?by=Ann"
    part = client.get(address, headers={"X-Part": "results"}).text
    assert "<main" not in part
    assert part.count('class="paper-card"') == 10
    assert client.get(address).text.count('class="paper-card"') == 10


def test_what_fails_after_the_frame_was_sent_ends_the_page(client, monkeypatch, caplog):
    from osler.serve import page
    from osler.serve.views import papers as view

    def broken(reader, asked):
        time.sleep(0.1)
        raise RuntimeError(f"it broke at {asked.text}")

    monkeypatch.setattr(view, "search_and_count", broken)
    monkeypatch.setattr(page, "WAIT", 0.01)
    text = client.get("/papers?q=canary").text
    assert "Something went wrong in the server" in text
    assert text.rstrip().endswith("</html>")
    assert "RuntimeError" in caplog.text
    assert "canary" not in caplog.text


def test_a_page_and_its_filters_come_of_one_ranking(client, monkeypatch):
    from osler.search.concepts import Concepts

    ranked = []
    real = Concepts.rank

    def counted(self, request, view):
        ranked.append(request.k)
        return real(self, request, view)

    monkeypatch.setattr(Concepts, "rank", counted)
    text = client.get("/papers?q=asthma&method=concepts").text
    assert 'class="hit-title"' in text
    assert "Counted over" in text
    assert len(ranked) == 1
    ids = [hit["id"] for hit in client.get("/papers.json?q=asthma&method=concepts").json()["hits"]]
    places = [text.index(f'<span class="id">{id}</span>') for id in ids[:5]]
    assert places == sorted(places)


def test_without_the_encoder_search_goes_on(served_library, monkeypatch, tmp_path):
    from osler.serve.app import create_app

    monkeypatch.setenv("OSLER_CACHE", str(tmp_path))
    app = create_app(served_library)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as made:
        answer = made.get("/papers?q=asthma")
        assert answer.status_code == 200
        assert "osler fetch minilm" in answer.text
        assert 'class="hit-title"' in answer.text
        for page in ("/", "/rank?topic=sleep", "/library", "/document/asthma-1?q=asthma"):
            assert made.get(page).status_code == 200
        asked = made.get("/papers?q=asthma&method=vectors")
        assert asked.status_code == 409
        assert "osler fetch minilm" in asked.text


@pytest.fixture
def bare(tmp_path):
    """A library with papers alone: no terminology, no records, no pairs, no model."""
    from osler.serve.app import create_app

    with Library.create(tmp_path / "bare", encoder=TrigramEncoder()) as library:
        library.add_documents([paper("1", "Asthma", "Asthma is common.")])
    app = create_app(tmp_path / "bare", encoder=TrigramEncoder())
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as made:
        yield made


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("/graph?entity=Asthma", "osler add"),
        ("/patients?q=What+does+patient+1+take", "osler add"),
        ("/answers?q=asthma", "osler"),
        ("/facts/relevance?head=a&relation=b&tail=c", "osler"),
        ("/document/1", "osler add"),
    ],
)
def test_a_view_says_what_is_missing_and_what_to_do(bare, page, told):
    answer = bare.get(page)
    assert answer.status_code < 500
    assert told in answer.text


@pytest.mark.parametrize(
    "page",
    ["/", "/papers?q=asthma", "/rank", "/facts/relevance", "/answers", "/patients", "/graph"],
)
def test_a_bare_library_has_every_view(bare, page):
    assert bare.get(page).status_code < 500
    assert "Not medical advice" in bare.get(page).text


def test_what_another_program_writes_is_found(bare, monkeypatch):
    from osler.serve import reader

    monkeypatch.setattr(reader, "FRESH", 0.0)
    assert "nothing was found" in bare.get("/papers?q=pneumonia").text.lower()
    with Library.open(bare.app.state.desk.path, encoder=TrigramEncoder()) as writer:
        writer.add_documents([paper("2", "Pneumonia", "Pneumonia is rarer.")])
    assert "Pneumonia is rarer." in bare.get("/papers?q=pneumonia").text
    assert bare.get("/document/2").status_code == 200


def test_while_another_program_writes_marks_are_refused_and_search_goes_on(bare):
    from osler.store.lock import Lock

    path = bare.app.state.desk.path
    with Lock(path / "write.lock", what="writing"):
        body = {"query": "asthma", "judgements": {"1": 1}}
        answer = bare.post("/api/v1/feedback", json=body)
        assert answer.status_code == 423
        assert answer.json()["code"] == "E202"
        assert bare.get("/papers?q=asthma").status_code == 200
    assert bare.post("/api/v1/feedback", json=body).status_code == 200


def test_a_request_that_takes_too_long_is_ended(bare, monkeypatch):
    from osler.serve.api import search as api

    monkeypatch.setenv("OSLER_SERVE_SECONDS", "0.05")
    monkeypatch.setattr(api, "search", lambda reader, asked: time.sleep(0.3))
    answer = bare.get("/api/v1/search?q=asthma")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "5"
    assert "OSLER_SERVE_SECONDS" in answer.json()["cure"]


def test_too_many_at_once_are_turned_away(bare, monkeypatch):
    monkeypatch.setenv("OSLER_SERVE_WAITING", "0")
    assert bare.get("/api/v1/search?q=asthma").status_code == 503


def test_an_error_that_nobody_foresaw_is_a_problem_and_tells_nothing(bare, monkeypatch, caplog):
    from osler.serve.api import search as api

    def broken(reader, asked):
        raise RuntimeError(f"it broke at {asked.text}")

    monkeypatch.setattr(api, "search", broken)
    answer = bare.get("/api/v1/search?q=canary")
    assert answer.status_code == 500
    assert answer.json()["code"] == "E000"
    assert "RuntimeError" in caplog.text
    assert "canary" not in caplog.text


def test_a_folder_that_is_no_library_is_told_at_once(tmp_path):
    from osler.errors import MissingLibrary
    from osler.serve.app import create_app

    with pytest.raises(MissingLibrary):
        create_app(tmp_path)


@pytest.mark.parametrize(
    ("path", "frame", "content"),
    [
        ("/document/asthma-1?q=budesonide", "Hits for", "was used less often"),
        ("/graph?entity=Asthma", 'value="Asthma"', "Search papers on"),
        ("/library", "<h1>", "Files read"),
        ("/saved", "Saved searches", "None yet"),
    ],
)
def test_a_view_sends_its_frame_before_it_reads(client, monkeypatch, path, frame, content):
    from osler.serve import page
    from osler.serve.desk import Desk

    run = Desk.run

    async def late(self, work, **options):
        await asyncio.sleep(0.3)
        return await run(self, work, **options)

    monkeypatch.setattr(page, "WAIT", 0.01)
    monkeypatch.setattr(Desk, "run", late)
    text = client.get(path).text
    before, waiting, after = text.partition(page.WAITING)
    assert waiting
    assert frame in before
    assert content in after
    assert content not in before
    assert after.rstrip().endswith("</html>")


def test_a_paper_that_is_not_there_is_told_in_a_slow_view_too(client, monkeypatch):
    from osler.serve import page

    assert client.get("/document/nothing").status_code == 404
    monkeypatch.setattr(page, "WAIT", 0.0)
    assert "nothing" in client.get("/document/nothing").text.partition("<main")[2]
