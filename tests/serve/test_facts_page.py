"""The curator on the page: a fact of three parts, columns, decisions, undo, files."""

from __future__ import annotations

import io
import zipfile

import pytest

FACT = {"head": "Budesonide", "relation": "treats", "tail": "Asthma"}


def decided(client, said, paper="asthma-1", **more):
    form = {**FACT, "paper": paper, "said": said, "by": "李 Lee", **more}
    return client.post("/facts/decide", data=form)


def test_papers_stand_in_three_columns(client):
    text = client.get("/facts", params=FACT).text
    places = [text.index(f'aria-label="{name}"') for name in ("Supports it", "Contradicts it")]
    assert places == sorted(places)
    assert "Only mentions it" in text
    column = text.split('aria-label="Supports it"')[1].split("</section>")[0]
    assert "Budesonide treated" in column
    assert 'class="design"' in column
    assert 'value="Budesonide"' in text


def test_a_claim_fills_the_three_parts(client):
    text = client.get("/facts?claim=does+budesonide+treat+asthma%3F").text
    assert 'id="head" name="head" value="budesonide"' in text
    assert 'id="relation" name="relation" value="treat"' in text
    assert 'name="said" value="accept"' in text
    plain = client.get("/facts?claim=telehealth+in+primary+care").text
    assert "To decide on papers, name head" in plain
    assert 'name="said"' not in plain


def test_half_a_fact_is_told(client):
    answer = client.get("/facts?head=Asthma")
    assert answer.status_code == 400
    assert "a head, a relation and a tail" in answer.text


def test_decide_see_it_hand_it_on_and_take_it_back(client):
    answer = decided(client, "accept")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/facts?head=Budesonide&relation=treats&tail=Asthma"
    text = client.get("/facts", params=FACT).text
    assert 'value="accept" aria-pressed="true"' in text
    assert "by 李 Lee" in text
    # Who decides is remembered.
    assert 'type="hidden" name="by" value="李 Lee"' in text
    listed = client.get("/facts/decided").text
    assert "Accepted" in listed
    assert "Budesonide treated asthma better" in listed
    table = client.get("/facts/accepted.tsv").text.splitlines()
    row = dict(zip(table[0].split("\t"), table[1].split("\t"), strict=True))
    assert (row["head"], row["relation"], row["decided_by"]) == ("Budesonide", "treats", "李 Lee")
    assert row["paper"] == "asthma-1"
    archive = zipfile.ZipFile(io.BytesIO(client.get("/facts/accepted.kgx").content))
    assert sorted(archive.namelist()) == ["facts_edges.tsv", "facts_nodes.tsv"]
    assert "biolink:treats" in archive.read("facts_edges.tsv").decode()
    assert "biolink/vocab/treats" in client.get("/facts/accepted.nt").text
    assert client.get("/facts/accepted.exe").status_code == 400
    # Another word takes its place, and leaves no file.
    decided(client, "unsure")
    assert len(client.get("/facts/accepted.tsv").text.splitlines()) == 1
    gone = decided(client, "", back="decided")
    assert gone.headers["location"] == "/facts/decided"
    assert "None yet" in client.get("/facts/decided").text
    assert decided(client, "").status_code == 303


def test_a_nanopublication_says_what_where_and_who(client):
    decided(client, "accept")
    text = client.get("/facts/accepted.trig").text
    decided(client, "")
    for graph in ("Head", "assertion", "provenance", "pubinfo"):
        assert text.count(f"#{graph}> {{") == 1
    assert 'osler:sentence "Budesonide treated asthma better than placebo in 300 adults."' in text
    assert 'prov:wasAttributedTo "李 Lee"' in text


def test_a_mark_answers_with_little(client):
    form = {**FACT, "paper": "asthma-1", "said": "reject", "by": "A"}
    answer = client.post("/facts/decide", data=form, headers={"X-Part": "mark"})
    assert answer.json() == {"said": "reject", "by": "A"}
    decided(client, "")


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"by": ""}, 400),
        ({"said": "perhaps"}, 400),
        ({"paper": "nix"}, 404),
        ({"paper": ""}, 400),
        ({"tail": ""}, 400),
        ({"head": "x" * 5000}, 413),
    ],
)
def test_decisions_that_cannot_be_kept_are_told(client, change, status):
    form = {**FACT, "paper": "asthma-1", "said": "accept", "by": "A", **change}
    assert client.post("/facts/decide", data=form).status_code == status


def test_papers_that_lack_an_end_can_be_decided_on(client, monkeypatch):
    from osler.serve.views import facts

    monkeypatch.setattr(facts, "_lacks", lambda _: True)
    text = client.get("/facts?head=asthma&relation=affects&tail=sleep").text
    beside = text.partition("lack one end of the fact")[2]
    assert 'name="said" value="accept"' in beside
