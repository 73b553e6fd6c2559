"""What the graph of annotated notes answers is held against the facts of the same notes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from osler import Library
from osler.ask.answer import Answer
from osler.ask.form.beside_graph import DOUBTFUL

NOTE = "Given heparin at home.\nTook aspirin.\nOn digoxin daily.\nGiven warfarin 5 mg later.\n"


def entry(line: int, drug: str, when: str, **said: str) -> str:
    fields = {key: f'{key}="nm"' for key in ("do", "mo", "f", "du", "r", "e")} | said
    return f'm="{drug}" {line}:1 {line}:1||{"||".join(fields.values())}||t="{when}"||c="factual"'


ENTRIES = (
    entry(1, "heparin", "past", e='e="stop"'),
    entry(2, "aspirin", "past"),
    entry(3, "digoxin", "present", f='f="daily" 3:2 3:2'),
    entry(4, "warfarin", "future", do='do="5 mg" 4:2 4:3'),
)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "medication"
    folder.mkdir()
    (folder / "4711.i2b2.entries").write_text("\n".join(ENTRIES) + "\n", "utf-8")
    (folder / "4711.txt").write_text(NOTE, "utf-8")
    return folder


@pytest.fixture
def library(notes: Path, tmp_path: Path) -> Iterator[Library]:
    with Library.create(tmp_path / "library") as library:
        library.add([notes])
        yield library


@pytest.mark.parametrize("name", ["4711", "P4711"])
def test_a_stopped_drug_is_not_taken(library: Library, name: str) -> None:
    answer = library.ask(f"Which medications is patient {name} taking?")
    assert answer.answers == ["digoxin"]
    assert {left.name for left in answer.left_out} >= {"heparin", "aspirin"}
    assert library.ask(f"Does patient {name} take heparin?").answers == ["no"]


def test_a_long_number_behind_a_verb_is_somebody(library: Library) -> None:
    assert library.ask("What does 4711 take?").answers == ["digoxin"]


def test_what_the_facts_do_not_gainsay_is_the_graphs(library: Library) -> None:
    answer = library.ask("How often does patient P4711 take digoxin?")
    assert answer.answers == ["daily"]
    assert not answer.form


def test_a_node_is_no_yes(library: Library) -> None:
    graph = library.ask("Does patient P4711 take warfarin?", method="reader")
    assert graph.answers == ["yes"]
    assert library.ask("Does patient P4711 take warfarin?").answers != ["yes"]


def test_outside_of_a_library_it_is_the_same(library: Library, notes: Path, tmp_path: Path) -> None:
    from osler.cli.main import build

    question = "Which medications is patient P4711 taking?"
    said = CliRunner().invoke(build(), ["ask", str(notes), question, "--json"])
    assert json.loads(said.stdout)["answers"] == library.ask(question).answers
    lines = tmp_path / "q.jsonl"
    lines.write_text(json.dumps({"id": "1", "question": question}), "utf-8")
    for place in (notes, library.path):
        out = tmp_path / "a.jsonl"
        CliRunner().invoke(
            build(), ["ask", str(place), "--questions", str(lines), "--out", str(out)]
        )
        assert json.loads(out.read_text("utf-8"))["answers"] == ["digoxin"]


class _Facts:
    """Says of each thing what it is told to."""

    def __init__(self, states: dict[str, str]) -> None:
        self._states = states

    def states(self, patient: str) -> dict[str, str]:
        return self._states


def _held(
    states: dict[str, str], of_facts: list[str], of_graph: tuple[str, ...] = ("Gout", "cough")
) -> Answer:
    from osler.ask.form.beside_graph import held_against_facts
    from osler.kinds import Entity
    from osler.records.kb import ClinicalKB

    kb = ClinicalKB.build(
        [Entity(id="p", name="P1", type="patient"), Entity(id="a", name="Gout", type="problem")], []
    )
    graph = Answer(question="q", answers=list(of_graph), entities=["a", "b"], confidence=0.99)
    facts = Answer(question="q", answers=of_facts, confidence=0.9)
    return held_against_facts(graph, facts, _Facts(states), ["p"], kb)  # type: ignore[arg-type]


def test_what_facts_deny_is_taken_out_and_the_rest_is_not_sure() -> None:
    answer = _held({"a": "absent", "cough": "suspected"}, [])
    assert answer.answers == ["cough"]
    assert answer.entities == ["b"]
    assert [(left.name, left.why) for left in answer.left_out] == [("Gout", "absent")]
    assert answer.confidence == DOUBTFUL
    assert answer.note == "cough: suspected"


def test_where_facts_answer_they_go_before() -> None:
    assert _held({"gout": "stopped"}, ["cough"]).confidence == 0.9
    assert _held({}, ["something else"]).answers == ["Gout", "cough"]


def test_where_all_is_denied_the_facts_refusal_stands() -> None:
    assert _held({"a": "refuted", "b": "absent"}, []).refused


def test_yes_and_nothing_are_never_the_graphs() -> None:
    assert _held({}, [], of_graph=("yes",)).refused
    assert _held({}, ["no"], of_graph=("yes",)).answers == ["no"]
    assert _held({}, ["cough"], of_graph=()).answers == ["cough"]
