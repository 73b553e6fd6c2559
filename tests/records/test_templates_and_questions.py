"""Templates are many, well formed and fillable; questions keep both of the paper's limits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from osler.errors import FormatError
from osler.records.kb import ClinicalKB, merge
from osler.records.making import question_set, write_set
from osler.records.questions import questions, read_questions, unanswerable
from osler.records.statistics import PAPER_TABLE_3, table_4
from osler.records.templates import read_templates, read_walk
from osler_papers.simulator import WRITERS, simulate


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> ClinicalKB:
    written = simulate(tmp_path_factory.mktemp("records"), seed=1, scale=0.03)
    return merge(
        [ClinicalKB.read(path, format=WRITERS[topic][2]) for topic, path in written.items()]
    )


def test_at_least_as_many_templates_as_the_paper() -> None:
    total = 0
    for topic, paper in PAPER_TABLE_3.items():
        templates = read_templates(topic)
        assert len(templates) >= paper[5], topic
        assert len({t.wording for t in templates}) == len(templates)
        total += len(templates)
        for template in templates:
            slots = {n.slot for w in template.walks for n in w.nodes if n.slot}
            assert all(f"|{slot}|" in template.wording for slot in slots), template.wording
            assert sum(n.answer for n in template.walks[0].nodes) == 1
    assert total >= 322


def test_walks() -> None:
    walk = read_walk("patient? >has observation> observation{O} <x y< value[>N]")
    assert walk.steps == (("has observation", 1), ("x y", -1))
    assert walk.nodes[2].test == (">", "N")
    assert read_walk("a{A} ~r~ b?").steps == (("r", 0),)
    with pytest.raises(FormatError):
        read_walk("{X} >r> b?")


def test_limits(kb: ClinicalKB) -> None:
    made = list(questions(kb, read_templates("medications"), limit=4, seed=3))
    assert max(Counter(q.template for q in made).values()) <= 4
    assert all(q.entities and q.answers for q in made)
    assert len({q.question for q in made}) == len(made)
    again = list(questions(kb, read_templates("medications"), limit=4, seed=3))
    assert [q.question for q in again] == [q.question for q in made]


def test_gold_is_what_the_records_say(kb: ClinicalKB) -> None:
    made = [
        q for q in questions(kb, read_templates("medications"), limit=3) if "has dosage" in q.query
    ]
    for question in made:
        patient = kb.named(question.patients[0])[0]
        drug = next(name for type, name in question.constraints if type == "medication")
        doses = set()
        for code, medication, _ in kb.neighbours(patient):
            if kb.relation_of(code) == ("prescribed with", False) and kb.names[medication] == drug:
                doses |= {
                    kb.names[n]
                    for c, n, _ in kb.neighbours(medication)
                    if kb.relation_of(c)[0] == "has dosage"
                }
        assert doses == set(question.answers)
    assert made


def test_set_on_disk(kb: ClinicalKB, tmp_path: Path) -> None:
    made = question_set(kb, scale=0.02)
    paths = write_set(kb, made, tmp_path)
    assert [q.question for q in read_questions(paths["gold.jsonl"])] == [q.question for q in made]
    text = paths["statistics.md"].read_text(encoding="utf-8")
    assert "Table 4" in text
    assert abs(sum(table_4(made).values()) - 100) < 1e-6


def test_unanswerable(kb: ClinicalKB) -> None:
    known = {kb.names[n] for n in kb.patients}
    found = unanswerable(kb, read_templates("medications"), 20, seed=2)
    assert {kind for _, kind in found} == {"patient", "fact"}
    for text, kind in found:
        named = any(name in text.replace("?", " ").replace(".", " ").split() for name in known)
        assert named is (kind == "fact")
