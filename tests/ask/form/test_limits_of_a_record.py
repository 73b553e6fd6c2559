"""What a record does not say is not read out of what it says: a denial of drug allergies tells
nothing of peanuts, a death without a day no age, what was written in error nothing at all."""

from __future__ import annotations

import pytest

from osler.kinds import Fact

from .ward import fact, over, patient, result


def ann(*facts: Fact, **about: str) -> list[Fact]:
    return [*patient("p", "Ann Lee", **about), *facts]


@pytest.mark.parametrize(
    ("name", "question", "said"),
    [
        ("No known drug allergy", "Is Ann Lee allergic to penicillin?", ["no"]),
        ("No known drug allergy", "Is Ann Lee allergic to aspirin?", ["no"]),
        ("No known drug allergy", "Is Ann Lee allergic to peanuts?", []),
        ("No known drug allergy", "Is Ann Lee allergic to latex?", []),
        ("No known drug allergy", "Does Ann Lee have any allergies?", ["no"]),
        ("No known drug allergy", "What is Ann Lee allergic to?", ["No known drug allergy"]),
        ("No known allergy", "Is Ann Lee allergic to latex?", ["no"]),
        ("No known latex allergy", "Is Ann Lee allergic to latex?", ["no"]),
        ("No known latex allergy", "Is Ann Lee allergic to penicillin?", []),
        ("NKDA", "Is Ann Lee allergic to latex?", []),
        ("NKDA", "Is Ann Lee allergic to penicillin?", ["no"]),
    ],
)
def test_a_denial_reaches_as_far_as_its_words(name: str, question: str, said: list[str]) -> None:
    asked = over(*ann(fact("p", "allergy", name)))
    assert asked.ask(question).answers == said


@pytest.mark.parametrize(
    "told", [{"status": "entered in error"}, {"certainty": "refuted"}, {"status": "completed"}]
)
def test_a_denial_that_is_not_true_now_denies_nothing(told: dict[str, str]) -> None:
    asked = over(*ann(fact("p", "allergy", "No known allergy", **told)))
    assert not asked.ask("Is Ann Lee allergic to latex?").answers
    assert not asked.ask("What is Ann Lee allergic to?").answers


def test_a_sort_of_allergy_that_no_fact_tells() -> None:
    asked = over(*ann(fact("p", "allergy", "Penicillin"), fact("p", "allergy", "Peanut")))
    answer = asked.ask("What drug allergies does Ann Lee have?")
    assert answer.answers == ["Penicillin", "Peanut"]
    assert answer.confidence < 0.9
    assert "takes in every allergy" in answer.note
    assert asked.ask("What allergies does Ann Lee have?").confidence >= 0.9
    assert not asked.ask("What food allergies does Ann Lee have?").answers


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"status": "entered in error"}, []),
        ({"status": "entered in error", "certainty": "refuted"}, []),
        ({"certainty": "provisional"}, []),
        ({}, ["no"]),
        ({"certainty": "refuted"}, ["yes"]),
    ],
)
def test_ruled_out(told: dict[str, str], said: list[str]) -> None:
    asked = over(*ann(fact("p", "condition", "Pulmonary embolism", **told)))
    assert asked.ask("Has pulmonary embolism been ruled out in Ann Lee?").answers == said


def test_a_yes_that_rests_on_a_suspicion() -> None:
    suspected = fact("p", "condition", "Celiac disease", certainty="provisional")
    asked = over(*ann(suspected, fact("p", "condition", "Gout")))
    answer = asked.ask("Does Ann Lee have celiac disease?")
    assert (answer.answers, answer.confidence) == (["yes"], 0.89)
    assert answer.note.startswith("not confirmed: Celiac disease")
    assert asked.ask("Does Ann Lee have gout?").confidence == 0.98
    assert "not confirmed" not in asked.ask("Does Ann Lee have suspected celiac disease?").note
    assert "not confirmed" not in asked.ask("Is celiac disease confirmed in Ann Lee?").note


def test_what_is_current_of_the_dead_was_current_then() -> None:
    drug = fact("p", "medication", "Apixaban 5 MG Oral Tablet", start="2016-01-01")
    stopped = fact("p", "medication", "Digoxin", status="stopped", start="2015-01-01")
    dead = over(*ann(drug, stopped, death="2021-11-02"))
    for question in ("Is Ann Lee taking apixaban?", "What drugs is Ann Lee taking?"):
        answer = dead.ask(question)
        assert answer.answers
        assert answer.confidence == 0.89
        assert answer.note.startswith("died 2021-11-02: what was current then")
    assert dead.ask("Is Ann Lee taking digoxin?").confidence == 0.98
    assert "died" not in dead.ask("Has Ann Lee ever taken apixaban?").note
    undated = over(*ann(drug, death="true"))
    assert undated.ask("Is Ann Lee taking apixaban?").note.startswith("died: what was current")
    for alive in (over(*ann(drug)), over(*ann(drug, death="false"))):
        assert alive.ask("Is Ann Lee taking apixaban?").confidence == 0.98


def test_no_age_of_the_dead_without_a_day() -> None:
    asked = over(*ann(birth_date="1950-01-01", death="true"))
    answer = asked.ask("How old is Ann Lee?")
    assert not answer.answers
    assert answer.note == "dead; the record has no date, so that no age is told"
    assert asked.ask("How old was Ann Lee in 2000?").answers == ["50"]
    assert over(*ann(birth_date="1950-01-01", death="false")).ask("How old is Ann Lee?").answers


@pytest.mark.parametrize("word", ["during", "while", "throughout"])
def test_at_one_time_is_not_both_at_any(word: str) -> None:
    facts = [
        fact("p", "condition", "Pneumonia", start="2018-01-01"),
        fact("p", "condition", "Asthma", start="2001-01-01"),
    ]
    asked = over(*ann(*facts))
    for question in (
        f"Who had pneumonia {word} asthma?",
        f"Did Ann Lee have pneumonia {word} asthma?",
    ):
        answer = asked.ask(question)
        assert not answer.answers
        assert word in answer.note
    assert asked.ask("Did Ann Lee have pneumonia during 2018?").answers == ["yes"]


def test_one_condition_in_another_may_be_one_name() -> None:
    facts = [fact("p", "condition", "Anemia"), fact("p", "condition", "Asthma")]
    asked = over(*ann(*facts))
    for question in ("Who has anemia in asthma?", "Does Ann Lee have anemia in asthma?"):
        answer = asked.ask(question)
        assert not answer.answers
        assert "how do they belong together" in answer.note
    assert asked.ask("Does Ann Lee have anemia and asthma?").answers == ["yes"]


def test_diabetes_in_pregnancy_is_a_name() -> None:
    asked = over(*ann(fact("p", "condition", "Gestational diabetes mellitus", status="completed")))
    assert asked.ask("Did Ann Lee have diabetes in pregnancy?").answers == ["yes"]


def test_a_part_of_a_name_under_another_name() -> None:
    facts = [
        fact("p", "condition", "Chronic kidney disease stage 3"),
        *patient("q", "Ben Roe"),
        fact("q", "condition", "Chronic kidney disease stage 2"),
    ]
    asked = over(*ann(*facts))
    assert asked.ask("Who has CKD stage 3?").answers == ["Ann Lee"]
    assert asked.ask("Which patients have stage 3 CKD?").answers == ["Ann Lee"]
    assert not asked.ask("Does Ben Roe have stage 3 CKD?").answers
    for question in ("CKD stage of Ben Roe?", "CKD stage of Ben Roe", "Ben Roe's CKD stage?"):
        assert asked.ask(question).answers == ["Chronic kidney disease stage 2"]


def test_silence_names_whose_it_is() -> None:
    asked = over(*ann(fact("p", "condition", "Gout")))
    note = asked.ask("Did Ann Lee's father have gout?").note
    assert note.startswith("no record of gout for the father of this patient")
    assert (
        "the family of this patient"
        in asked.ask("Is there a family history of gout in Ann Lee?").note
    )


def test_what_was_missed_was_not_done_and_miss_before_a_name_is_a_title() -> None:
    facts = [
        fact("p", "immunization", "Influenza vaccine", status="not done", start="2019-10-15"),
        fact("p", "immunization", "Pneumococcal vaccine", status="completed", start="2015-10-02"),
    ]
    asked = over(*ann(*facts))
    for question in ("Which vaccines did Ann Lee miss?", "Which vaccines has Ann Lee missed?"):
        assert asked.ask(question).answers == ["Influenza vaccine"]
    assert asked.ask("Which vaccines has Miss Ann Lee had?").answers == ["Pneumococcal vaccine"]
    assert asked.ask("Which vaccines has Miss Lee had?").answers == ["Pneumococcal vaccine"]


def test_a_number_beside_another_name_is_a_value() -> None:
    facts = [
        result("p", "Body mass index", "2020-01-01", 41.0, "kg/m2"),
        fact("p", "condition", "Body mass index 40+ - severely obese"),
    ]
    asked = over(*ann(*facts))
    assert asked.ask("How many have a BMI of 40 or more?").answers == ["1"]
    assert asked.ask("How many have a BMI of 42 or more?").answers == ["0"]
