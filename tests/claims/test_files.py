"""Pairs in files, and papers whose title speaks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from osler.claims.design import design_of
from osler.claims.files import judge_file
from osler.claims.paper import paper_stance
from osler.errors import InputError
from osler.kinds import Document, Section


def test_a_bad_line_never_stops_the_others(tmp_path: Path) -> None:
    claims, out = tmp_path / "claims.jsonl", tmp_path / "out.jsonl"
    good = {"id": "a", "claim": "Aspirin prevents stroke", "text": "Aspirin prevented stroke."}
    trial = {
        "id": 3,
        "intervention": "clonidine",
        "comparator": "midazolam",
        "outcome": "fentanyl dose",
        "text": "The fentanyl dose was significantly lower with clonidine than with midazolam.",
    }
    lines = [json.dumps(good), "no json", json.dumps({"id": "b", "claim": "x"}), json.dumps(trial)]
    claims.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = judge_file(claims, out)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["a", 3]
    assert rows[0]["supports"] > 0.5
    assert rows[0]["supports"] + rows[0]["refutes"] + rows[0]["neutral"] == pytest.approx(
        1, abs=1e-3
    )
    assert rows[0]["sentence"] == "Aspirin prevented stroke."
    assert rows[1]["decreased"] > 0.5
    assert done.judged == 2
    assert [reject.place for reject in done.rejects] == ["line 2", "line 3"]


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        judge_file(tmp_path / "none", tmp_path / "out")


def test_a_title_that_denies_is_heard() -> None:
    paper = Document(
        id="1",
        title="Antibodies fail to protect against reinfection",
        sections=(Section("We studied antibodies in 40 patients with reinfection."),),
    )
    told = paper_stance("Antibodies protect against reinfection", paper)
    assert told.refutes > 0.5
    assert paper.text[told.start : told.end] == told.sentence


def test_places_count_in_the_whole_text() -> None:
    paper = Document(
        id="1",
        title="A trial of budesonide",
        sections=(Section("Budesonide reduced asthma exacerbations."),),
    )
    told = paper_stance("Budesonide reduces asthma exacerbations", paper)
    assert told.supports > 0.5
    assert paper.text[told.start : told.end] == told.sentence


def test_designs() -> None:
    assert design_of(Document(id="1", types=("Randomized Controlled Trial",))) == "randomised trial"
    assert design_of(Document(id="1", title="A meta-analysis of trials")) == "systematic review"
    assert design_of(Document(id="1", title="Something")) == "not told"
