"""``/projects``: a review over REST, from its beginning to its files."""

from __future__ import annotations

import base64

import pytest

from osler.verbs.project_files import formats

API = "/api/v1/projects"


@pytest.fixture
def name(client, request):
    name = f"review {request.node.name}"
    answer = client.post(
        API, json={"name": name, "question": "why?", "reasons": ["animals"], "reviewers": 2}
    )
    assert answer.status_code == 200
    answer = client.post(f"{API}/{name}/searches", json={"query": "title:(sleep OR telehealth)"})
    assert answer.json()["papers"] == 24
    return name


def test_a_review_over_rest(client, name):
    place = f"{API}/{name}"
    assert client.post(API, json={"name": name}).status_code == 409
    search = client.get(place).json()["searches"][0]
    assert search["query"] == "title:(sleep OR telehealth)"
    assert search["ran"]
    assert search["identified"] == search["taken"] == search["new"] == 24
    asked = {"reviewer": "ann", "limit": 3}
    now = client.get(f"{place}/next", params=asked).json()
    first, second, third = (paper["id"] for paper in now["papers"])
    assert now["left"] == 24
    word = {"document": first, "verdict": "exclude", "reviewer": "ann", "reason": "animals"}
    client.post(f"{place}/decisions", json=word)
    client.post(
        f"{place}/decisions", json={**word, "document": second, "verdict": "include", "reason": ""}
    )
    now = client.get(f"{place}/next", params=asked).json()
    assert now["order"].startswith("learned")
    assert now["estimate"]["found"] == 1
    assert first not in [paper["id"] for paper in now["papers"]]
    # Bob is told nothing of Ann's words.
    other = client.get(f"{place}/next", params={"reviewer": "bob", "limit": 3}).json()
    assert [paper["id"] for paper in other["papers"]] == [first, second, third]
    assert "estimate" not in other
    client.post(
        f"{place}/decisions", json={**word, "verdict": "include", "reviewer": "bob", "reason": ""}
    )
    (conflict,) = client.get(f"{place}/conflicts").json()["conflicts"]
    assert [one["reviewer"] for one in conflict["words"]] == ["ann", "bob"]
    ends = {"document": first, "verdict": "include", "reviewer": "cid", "resolves": True}
    now = client.post(f"{place}/decisions", json=ends).json()
    assert now["conflicts"]["abstract"] == 0
    assert now["agreements"][0]["papers"] == 1
    gone = {"document": first, "reviewer": "cid", "note": "asked"}
    assert client.post(f"{place}/not-retrieved", json=gone).json()["flow"]["not_retrieved"] == 1
    assert client.post(f"{place}/undo", json={"reviewer": "cid"}).json()["flow"]["assessed"] == 1
    flow = client.get(f"{place}/prisma").json()
    assert flow["screened"] == flow["screened_excluded"] + flow["screened_undecided"] + 1
    assert [line["entry"]["type"] for line in client.get(f"{place}/log").json()["entries"]][:2] == [
        "began",
        "searched",
    ]


def test_files_over_rest(client, name):
    place = f"{API}/{name}"
    word = {"document": "sleep-01", "verdict": "include", "reviewer": "ann", "note": "n"}
    client.post(f"{place}/decisions", json=word)
    for format in formats():
        answer = client.get(f"{place}/export", params={"format": format})
        assert answer.status_code == 200
        assert "attachment" in answer.headers["content-disposition"]
        if format == "log":
            continue
        sent = answer.text
        if format == "asreview-project":
            sent = "data:application/zip;base64," + base64.b64encode(answer.content).decode()
        back = client.post(f"{place}/import", json={"text": sent, "name": "x"}).json()
        assert (back["records"], back["returned"], back["decisions"]) == (24, 24, 0)
    assert client.get(f"{place}/export", params={"format": "doc"}).status_code == 422
    bad = client.post(f"{place}/import", json={"text": "data:;base64,UEs?"}).json()
    assert (bad["rejected"], bad["rejects"][0]["reason"]) == (
        1,
        "the data URL that was sent is damaged",
    )
    new = {
        "text": "id,title,abstract\nasthma-1,Budesonide and albuterol in adults with asthma,Text\n",
        "name": "mine.csv",
        "source": "Embase",
    }
    assert client.post(f"{place}/import", json=new).json()["papers"] == 1
    assert client.get(f"{place}/prisma").json()["sources"]["Embase"] == 1


def test_the_card_and_groups(client, name):
    place = f"{API}/{name}"
    now = client.post(f"{place}/card", json={"outcome": "sleep", "highlights": ["sleep"]}).json()
    assert (now["card"]["outcome"], now["card"]["question"]) == ("sleep", "why?")
    now = client.post(f"{place}/groups", json={"reviewer": "ann"}).json()
    for group in now["groups"]:
        body = {"document": group["documents"][0], "reviewer": "ann"}
        now = client.post(f"{place}/groups/apart", json=body).json()
    assert now["groups"] == []
    assert now["papers"] == 24


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("", {"name": "a/b"}, 422),
        ("", {"name": " "}, 422),
        ("/none/undo", {"reviewer": "ann"}, 404),
        ("/none/decisions", {"document": "1", "verdict": "include", "reviewer": "a"}, 404),
        ("/none/decisions", {"document": "1", "verdict": "perhaps", "reviewer": "a"}, 422),
        ("/none/groups/apart", {"document": "1"}, 404),
    ],
)
def test_what_is_refused(client, path, body, status):
    assert client.post(f"{API}{path}", json=body).status_code == status


def test_another_site_may_not_decide(client, name):
    word = {"document": "sleep-01", "verdict": "include", "reviewer": "ann"}
    foreign = {"Sec-Fetch-Site": "cross-site"}
    answer = client.post(f"{API}/{name}/decisions", json=word, headers=foreign)
    assert answer.status_code == 403
    assert client.get(f"{API}/{name}").json()["reviewers"] == []
