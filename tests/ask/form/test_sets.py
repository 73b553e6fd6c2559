"""Who is in a set: and, or, not, but, neither, without, of illnesses, drugs, results and people.
Gail has gout, Asa asthma, Bob both, Nora nothing; Gail and Nora take aspirin, Asa did."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .ward import fact, over, patient, result


@pytest.fixture(scope="module")
def four() -> FormAnswerer:
    return over(
        *patient("g", "Gail Roe", sex="female", city="Leeds"),
        *patient("a", "Asa Roe", sex="male", city="York"),
        *patient("b", "Bob Roe", sex="male", city="Leeds"),
        *patient("n", "Nora Roe", sex="female", city="York"),
        fact("g", "condition", "Gout"),
        fact("a", "condition", "Asthma"),
        fact("b", "condition", "Gout"),
        fact("b", "condition", "Asthma"),
        fact("b", "condition", "Asthma", certainty="refuted"),
        fact("n", "condition", "Gout", certainty="refuted"),
        fact("g", "medication", "Aspirin", status="active"),
        fact("n", "medication", "Aspirin", status="active"),
        fact("a", "medication", "Aspirin", status="stopped"),
        result("g", "Sodium", "2020-01-01", 140, "mmol/L", low=136, high=145),
        result("b", "Sodium", "2020-01-01", 130, "mmol/L", low=136, high=145),
    )


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who has gout?", "Bob Gail"),
        ("Does anyone have gout?", "Bob Gail"),
        ("List all patients with gout", "Bob Gail"),
        ("Who has gout or asthma?", "Asa Bob Gail"),
        ("Who has either gout or asthma?", "Asa Bob Gail"),
        ("Who has gout and asthma?", "Bob"),
        ("Who has both gout and asthma?", "Bob"),
        ("Who has gout but not asthma?", "Gail"),
        ("Who has gout, but no asthma?", "Gail"),
        ("Who has asthma without gout?", "Asa"),
        ("Who has asthma and not gout?", "Asa"),
        ("Who has neither gout nor asthma?", "Nora"),
        ("Who does not have gout or asthma?", "Nora"),
        ("Who does not have gout and does not have asthma?", "Nora"),
        ("Who does not have gout?", "Asa Nora"),
        ("Which patients without gout have asthma?", "Asa"),
        ("Which patients with gout take aspirin?", "Gail"),
        ("Which patients with gout do not take aspirin?", "Bob"),
        ("Which patients without gout take aspirin?", "Nora"),
        ("Which patients with gout or asthma take aspirin?", "Gail"),
        ("Who takes aspirin and has gout?", "Gail"),
        ("Who takes aspirin but has no gout?", "Nora"),
        ("Who took aspirin?", "Asa Gail Nora"),
        ("Who no longer takes aspirin?", "Asa"),
        ("Who has never taken aspirin?", "Bob"),
        ("Who is not on aspirin?", "Asa Bob"),
        ("Which women have gout?", "Gail"),
        ("Which men have gout and asthma?", "Bob"),
        ("Which men have gout or asthma?", "Asa Bob"),
        ("Which women do not have gout?", "Nora"),
        ("Which women take aspirin but do not have gout?", "Nora"),
        ("Which patients in Leeds have asthma?", "Bob"),
        ("Which patients in Leeds do not have asthma?", "Gail"),
        ("Which women live in York?", "Nora"),
        ("Which patients with gout have a low sodium?", "Bob"),
        ("Which patients with gout have a sodium over 135?", "Gail"),
        ("Which patients with gout have no low sodium?", "Gail"),
        ("Who has gout, asthma and a low sodium?", "Bob"),
        ("Everybody with gout except those with asthma", "Gail"),
        ("Who has gout except women?", "Bob"),
        ("痛风患者有哪些？", "Bob Gail"),
        ("谁有痛风但没有哮喘？", "Gail"),
        ("谁有痛风和哮喘？", "Bob"),
        ("谁有痛风或哮喘？", "Asa Bob Gail"),
    ],
)
def test_who_is_in(four: FormAnswerer, question: str, who: str) -> None:
    assert sorted(four.ask(question).answers) == [f"{name} Roe" for name in who.split()]


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many have gout or asthma?", "3"),
        ("How many have gout and asthma?", "1"),
        ("How many patients have neither gout nor asthma?", "1"),
        ("How many women take aspirin?", "2"),
        ("How many men take aspirin?", "0"),
        ("How many patients are there?", "4"),
        ("How many patients with gout are women?", "1"),
        ("How many of those with asthma are men?", "2"),
    ],
)
def test_how_many_are_in(four: FormAnswerer, question: str, count: str) -> None:
    assert four.ask(question).answers == [count]


@pytest.mark.parametrize(
    "question",
    [
        "Is everyone on aspirin?",
        "Does everybody have gout?",
        "Do all patients with gout take aspirin?",
        "Are all patients women?",
        "所有患者都有痛风吗？",
    ],
)
def test_whether_all_of_them_do_is_no_list(four: FormAnswerer, question: str) -> None:
    assert four.ask(question).answers == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Does Bob Roe have gout and asthma?", ["yes"]),
        ("Does Gail Roe have gout or asthma?", ["yes"]),
        ("Does Gail Roe have gout and take aspirin?", ["yes"]),
        ("Does Bob Roe have gout and take aspirin?", []),
        ("Does Asa Roe take aspirin?", ["no"]),
        ("Does Nora Roe have gout?", ["no"]),
        ("Does Nora Roe not have gout?", ["yes"]),
        ("Has Asa Roe ever taken aspirin?", ["yes"]),
    ],
)
def test_of_one(four: FormAnswerer, question: str, answer: list[str]) -> None:
    assert four.ask(question).answers == answer
