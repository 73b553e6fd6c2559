"""Decisions on facts over REST: kept, listed, taken back."""

from __future__ import annotations

import pytest

FACT = {"head": "Budesonide", "relation": "treats", "tail": "Asthma", "paper": "asthma-1"}
PLACE = "/api/v1/curate"


def test_decide_list_and_take_back(client):
    assert client.get(PLACE).json() == {"decisions": []}
    answer = client.post(PLACE, json={**FACT, "said": "accept", "by": "李 Lee"})
    assert answer.status_code == 200
    [kept] = answer.json()["decisions"]
    assert (kept["said"], kept["by"], kept["paper"]) == ("accept", "李 Lee", "asthma-1")
    assert client.get(PLACE).json()["decisions"] == [kept]
    # The last word counts.
    answer = client.post(PLACE, json={**FACT, "said": "reject", "by": "Ann"})
    assert [one["said"] for one in answer.json()["decisions"]] == ["reject"]
    answer = client.post(PLACE, json={**FACT, "said": None, "by": "Ann"})
    assert answer.json() == {"decisions": []}
    assert client.get(PLACE).json() == {"decisions": []}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"said": "perhaps"}, 422),
        ({"by": ""}, 422),
        ({"head": " "}, 422),
        ({"paper": "none"}, 404),
        ({"head": "a\x1fb"}, 400),
    ],
)
def test_what_is_wrong_is_told(client, change, status):
    body = {**FACT, "said": "accept", "by": "Ann", **change}
    assert client.post(PLACE, json=body).status_code == status
    assert client.get(PLACE).json() == {"decisions": []}
