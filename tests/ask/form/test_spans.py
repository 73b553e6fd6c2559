"""Where a question is cut: nouns that two things share, marks inside names, titles, figures."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.relation import MemoryFacts
from osler.kinds import Entity
from osler.knowledge.graph import Graph

from .ward import TODAY, fact, over, patient, result


@pytest.fixture(scope="module")
def three() -> FormAnswerer:
    return over(
        *patient("A-1", "Ed Poe", city="Hull"),
        *patient("a", "Ann Lee", city="New Orleans"),
        *patient("M-4", "Bo Hill"),
        fact("A-1", "condition", "Chronic hepatitis C", start="2019-01-01"),
        fact("A-1", "condition", "Stage C carcinoma", start="2019-01-01"),
        fact("A-1", "condition", "Malignant neoplasm of colon", start="2019-01-01"),
        fact("A-1", "condition", "Pox", start="2019-01-01"),
        fact("a", "condition", "Chronic viral hepatitis B", start="2019-01-01"),
        fact("M-4", "condition", "Type 1 diabetes mellitus", start="2019-01-01"),
        fact("M-4", "medication", "Aspirin 325 MG Oral Tablet", start="2019-01-01"),
        result("a", "Glucose", "2020-01-01", 400.0),
        result("M-4", "Glucose", "2020-01-01", 300.0),
        result("a", "Chloride, whole blood", "2020-01-01", 101.0, "mmol/L"),
        result("a", "Chloride, sweat", "2020-01-01", 30.0, "mmol/L"),
        result("a", "Sodium", "2020-01-01", 140.0, "mmol/L"),
    )


@pytest.mark.parametrize(
    ("question", "answers", "read"),
    [
        # The noun stands with the first of two.
        ("Who has hepatitis B or C?", ["Ann Lee", "Ed Poe"], "“C” read as “hepatitis c”"),
        ("Does Ed Poe have hepatitis B or C?", ["yes"], "“C” read as “hepatitis c”"),
        # As much of it as both can bear: no "chronic C".
        (
            "Does Ed Poe have chronic hepatitis B or C?",
            ["yes"],
            "“C” read as “chronic hepatitis c”",
        ),
        # Behind the first, which the second lacks.
        (
            "Does Bo Hill have type 2 diabetes or type 1?",
            ["yes"],
            "“type 1” read as “type 1 diabete”",
        ),
        # The noun stands with the second.
        (
            "Does Bo Hill have type 1 or type 2 diabetes?",
            ["yes"],
            "“type 1” read as “type 1 diabete”",
        ),
        ("Who has prostate or colon cancer?", ["Ed Poe"], "“prostate” read as “prostate cancer”"),
        ("Who has prostate & colon cancer?", [], "“prostate” read as “prostate cancer”"),
        ("Who has prostate and colon cancer?", [], "“prostate” read as “prostate cancer”"),
    ],
)
def test_a_noun_that_two_things_share(
    three: FormAnswerer, question: str, answers: list[str], read: str
) -> None:
    answer = three.ask(question)
    assert sorted(answer.answers) == answers
    assert read in answer.note
    assert answer.confidence < 0.9


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Does Ed Poe have C?", "“C”"),
        # No word that joins two; too much between.
        ("Who has prostate with colon cancer?", "“prostate”"),
        ("Does Ed Poe have prostate or severe metastatic colon cancer?", "“prostate”"),
    ],
)
def test_a_part_that_shares_no_noun_is_not_understood(
    three: FormAnswerer, question: str, left: str
) -> None:
    answer = three.ask(question)
    assert answer.answers == []
    assert "not understood" in answer.note
    assert left in answer.note


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        # Three letters are a name, and figures are none: 325 is no aspirin.
        ("Does Ed Poe have pox?", ["yes"]),
        ("Whose glucose is above 325?", ["Ann Lee"]),
        # A whole name with a mark inside, which no mark ends.
        ("What is Ann Lee's chloride, whole blood?", ["101 mmol/L"]),
        ("What is Ann Lee's chloride, sweat?", ["30 mmol/L"]),
        ("What is Ann Lee's chloride, sweat, and her sodium?", ["140 mmol/L", "30 mmol/L"]),
        # A title before a name; an id that is an article elsewhere.
        ("Does Miss Ann Lee have hepatitis B?", ["yes"]),
        ("Does Ed Poe have a hepatitis?", ["yes"]),
        # A town of one word or two.
        ("Who lives in Hull?", ["Ed Poe"]),
        ("Who lives in New Orleans?", ["Ann Lee"]),
    ],
)
def test_where_a_question_is_cut(three: FormAnswerer, question: str, answers: list[str]) -> None:
    answer = three.ask(question)
    assert sorted(answer.answers) == answers


def test_what_a_terminology_knows_and_no_record_bears_is_understood() -> None:
    graph = Graph.build([Entity(id="MESH:1", name="Quinsy", places=("C1",), language="en")], [])
    facts = [*patient("A-1", "Ed Poe"), fact("A-1", "condition", "Pox", start="2019-01-01")]
    asked = FormAnswerer(MemoryFacts(facts), today=lambda: TODAY, graph=lambda: graph)
    assert "no record of quinsy" in asked.ask("Does Ed Poe have quinsy?").note
    assert "not understood" in over(*facts).ask("Does Ed Poe have quinsy?").note
