"""The REST interface: each resource answers with what it says of itself."""

from __future__ import annotations

import json

import pytest

API = "/api/v1"


def get(client, path, **parameters):
    answer = client.get(f"{API}{path}", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_search_gives_hits_with_reasons(client):
    found = get(client, "/search", q="budesonide asthma", limit=2)
    assert found["hits"][0]["id"] == "asthma-1"
    kinds = {reason["type"] for reason in found["hits"][0]["reasons"]}
    assert {"parts", "sentence", "concept"} <= kinds
    assert found["next"] == 2


def test_pages_follow_one_another(client):
    whole = get(client, "/search", q="asthma", method="words", limit=4)
    first = get(client, "/search", q="asthma", method="words", limit=2)
    second = get(client, "/search", q="asthma", method="words", limit=2, offset=first["next"])
    assert [h["id"] for h in first["hits"] + second["hits"]] == [h["id"] for h in whole["hits"]]
    assert second["hits"][0]["reasons"]


def test_filters_hold(client):
    found = get(client, "/search", q="asthma", year="2021", journal="Air and Health")
    assert {hit["id"] for hit in found["hits"]} == {"2", "asthma-1"}
    assert not get(client, "/search", q="asthma", year=":1950")["hits"]
    left = get(client, "/search", q="asthma", without_retracted=True)
    assert not any(hit.get("retracted") for hit in left["hits"])


def test_a_query_that_cannot_be_read_is_a_problem_with_its_place(client):
    answer = client.get("/api/v1/search", params={"q": "asthma[zz] AND child"})
    assert answer.status_code == 400
    assert answer.json()["marked"] == "asthma[zz] AND child\n      ^"
    assert get(client, "/search", q="asthma[zz] AND child", plain=True)["hits"]


def test_a_search_says_how_many_match(client):
    found = get(client, "/search", q="title:asthma", limit=1)
    everything = get(client, "/search", q="title:asthma", limit=50)
    assert found["total"] == len(everything["hits"]) > 1


def test_a_query_is_translated(client):
    found = get(client, "/query", q="primary care[ti] AND Asthma[mh]", to="osler")
    assert found["text"] == 'title:"primary care" AND mesh:"Asthma"'
    broken = client.get("/api/v1/query", params={"q": "asthma[zz]", "to": "osler"})
    assert broken.status_code == 400
    assert broken.json()["place"] == 6


def test_documents_one_and_all(client):
    page = get(client, "/documents", limit=3)
    assert len(page["documents"]) == 3
    assert page["next"] == 3
    whole = get(client, "/documents/asthma-1", **{"with": ["mentions", "related"]})
    assert {one["name"] for one in whole["mentions"]} >= {"Asthma", "Cough", "Budesonide"}
    denied = [m for m in whole["mentions"] if m["mention"].get("negated")]
    assert [one["name"] for one in denied] == ["Pneumonia"]
    assert whole["related"]
    assert get(client, "/documents/10.1000%2Fstatins")["document"]["id"] == "1"


def test_summaries_and_sentences(client):
    summary = get(client, "/summarise", id="asthma-1", sentences=1)
    assert len(summary["sentences"]) == 1
    found = get(client, "/sentences", topic="melatonin for insomnia", id="sleep-01")
    assert "Melatonin" in found["sentences"][0]["sentence"]


def test_links_entities_and_paths(client):
    answer = client.post(f"{API}/link", json={"text": "no cough but asthma"})
    names = {m["name"]: m["mention"].get("negated", False) for m in answer.json()["mentions"]}
    assert names == {"Cough": True, "Asthma": False}
    assert get(client, "/entities", starts="asth")["entities"][0]["name"] == "Asthma"
    around = get(client, "/entities/Asthma")
    assert {e["relation"] for e in around["neighbours"]} >= {"treated by", "has symptom"}
    joined = get(client, "/paths", source="Asthma", target="COVID-19")
    assert joined["paths"][0]["steps"][0]["relation"] == "has symptom"


def test_ranking_learns_from_feedback(client):
    topic = "telehealth"
    first = get(client, "/rank", topic=topic, limit=5)
    judged = {f"sleep-{n:02d}": n % 2 for n in range(6)}
    answer = client.post(f"{API}/feedback", json={"query": topic, "judgements": judged})
    assert answer.status_code == 200
    assert answer.json()["judgements"] == judged
    assert get(client, "/feedback", query=topic)["judgements"] == judged
    then = get(client, "/rank", topic=topic, limit=5)
    # The marks say the opposite of the words: papers on sleep come first now.
    assert first["hits"][0]["title"].startswith("Telehealth")
    assert then["hits"][0]["title"].startswith("Sleep")
    assert then["marks"] == judged
    # Taken back, the words decide again.
    back = {"query": topic, "judgements": dict.fromkeys([*judged, "gone since"])}
    assert client.post(f"{API}/feedback", json=back).json()["judgements"] == {}
    assert client.get(f"{API}/feedback", params={"query": topic}).status_code == 404
    last = get(client, "/rank", topic=topic, limit=5)
    assert last["marks"] == {}
    assert [hit["id"] for hit in last["hits"]] == [hit["id"] for hit in first["hits"]]


def test_ranking_from_examples_of_its_own(client):
    body = {
        "topic": "sleep",
        "examples": [
            {"document": "sleep-01", "relevant": True},
            {"document": "sleep-02", "relevant": False},
            {"document": "unknown", "relevant": True},
        ],
        "limit": 3,
    }
    answer = client.post(f"{API}/rank", json=body)
    assert answer.status_code == 200
    assert answer.json()["hits"][0]["title"].startswith("Sleep")


def events(text):
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        yield name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_ranking_as_events(client):
    with client.stream("GET", f"{API}/rank/events", params={"topic": "sleep"}) as answer:
        found = list(events(answer.read().decode()))
    assert found[-1][0] == "done"
    assert found[-1][1]["hits"]
    assert {name for name, _ in found[:-1]} == {"progress"}


def test_status_as_events_ends_when_all_have_vectors(client):
    answer = client.get(f"{API}/status/events")
    found = list(events(answer.text))
    assert found[-1][0] == "done"


def test_matching_and_grading(client):
    answer = client.post(f"{API}/match", json={"question": "What helps against migraine?"})
    assert answer.status_code == 200, answer.text
    assert "igraine" in answer.json()["hits"][0]["title"]
    own = client.post(
        f"{API}/match",
        json={"question": "偏头痛吃什么药", "answers": ["多喝水", "可以服用舒马普坦"]},
    )
    assert own.json()["hits"][0]["title"] == "可以服用舒马普坦"
    graded = client.get(
        f"{API}/grade", params={"head": "Asthma", "relation": "treated by", "tail": "Budesonide"}
    )
    assert graded.status_code in (200, 409)
    if graded.status_code == 200:
        assert any(r["type"] == "grade" for r in graded.json()["hits"][0]["reasons"])


def test_asking_the_records(client):
    from osler.serve.patients import examples

    desk = client.app.state.desk
    (question, *_) = client.portal.call(lambda: desk.run(examples, lane="think"))
    answer = client.post(f"{API}/ask", json={"question": question}).json()
    assert answer["question"] == question
    refused = client.post(f"{API}/ask", json={"question": "What does patient P99999999 take?"})
    assert refused.json().get("answers", []) == []
    assert refused.json()["note"]


def test_status_tells_what_there_is(client):
    found = get(client, "/status")
    assert found["counts"]["documents"] == 31
    assert found["coverage"] == 1.0


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/search", 422, "E104"),
        ("/search?q=", 422, "E104"),
        ("/search?q=%20", 422, "E104"),
        (f"/search?q={'a' * 20_000}", 422, "E104"),
        ("/search?q=a&limit=0", 422, "E104"),
        ("/search?q=a&limit=1000", 422, "E104"),
        ("/search?q=a&year=soon", 422, "E104"),
        ("/search?q=a&method=magic", 422, "E104"),
        ("/search?q=a&year=2021:2019", 400, "E100"),
        ("/search?q=a&yeer=2021", 422, "E104"),
        ("/export?q=a&fromat=ris", 422, "E104"),
        ("/documents?limits=2", 422, "E104"),
        ("/status?x=1", 422, "E104"),
        ("/documents/nix", 404, "E206"),
        ("/documents/..%2F..%2Fetc%2Fpasswd", 404, "E206"),
        ("/entities/nix", 404, "E206"),
        ("/paths?source=nix&target=Asthma", 404, "E206"),
        ("/paths?source=Asthma&target=Cough&length=9", 422, "E104"),
        ("/feedback?query=nothing+was+judged", 404, "E206"),
        ("/nix", 404, "E100"),
    ],
)
def test_problems_carry_the_codes_of_the_command_line(client, path, status, code):
    answer = client.get(f"{API}{path}")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == code
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]


def test_a_parameter_that_is_misspelt_is_told_the_right_name(client):
    answer = client.get(f"{API}/search", params={"q": "asthma", "yeer": "2021"})
    assert answer.json()["fields"] == {"yeer": "there is no such parameter; did you mean year?"}
    answer = client.get(f"{API}/status", params={"x": "1"})
    assert answer.json()["fields"]["x"].startswith("there is no such parameter; parameters: ")


def test_bodies_are_bounded_and_checked(client):
    long = client.post(f"{API}/link", json={"text": "x" * 2_000_000})
    assert long.status_code == 413
    assert client.post(f"{API}/link", json={"text": "x", "more": 1}).status_code == 422
    assert client.post(f"{API}/link", content=b"{").status_code == 422

    def pieces():
        for _ in range(30):
            yield b"x" * 100_000

    assert client.post(f"{API}/link", content=pieces()).status_code == 413


def test_wrong_methods_are_told_what_is_right(client):
    answer = client.put(f"{API}/search")
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]


def test_the_description_names_every_resource(client):
    described = client.get(f"{API}/openapi.json").json()
    for verb in ("search", "link", "rank", "sentences", "grade", "match", "ask", "documents"):
        assert any(path.startswith(f"{API}/{verb}") for path in described["paths"]), verb
    assert "Problem" in described["components"]["schemas"]
