"""Small words with two senses: what is over, and who is over sixty; to get something, and to have
it; a number that looks like a year."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .ward import fact, over, patient, result


@pytest.fixture(scope="module")
def two() -> FormAnswerer:
    return over(
        *patient("a", "Ed Poe", birth_date="1950-05-06"),
        *patient("b", "Al Roe", birth_date="1980-05-06"),
        result("a", "Platelets", "2020-01-01", 2500, "10*3/uL"),
        result("b", "Platelets", "2020-01-01", 250, "10*3/uL"),
        fact("a", "condition", "Gout", start="2011-01-01"),
        fact("a", "condition", "Asthma", start="2009-01-01"),
        fact("b", "condition", "Asthma", start="2011-05-01"),
        fact("b", "condition", "Cold", status="completed", start="2010-02-01", end="2010-03-01"),
        fact("b", "medication", "Aspirin 75 MG", start="2009-02-01"),
    )


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who is over 60?", ["Ed Poe"]),
        ("Who is over 60 years old?", ["Ed Poe"]),
        ("Who is over 60 and has gout?", ["Ed Poe"]),
        ("Which patients are over 60 years old?", ["Ed Poe"]),
        ("patients over 60 years of age", ["Ed Poe"]),
        ("60岁以上的患者有谁？", ["Ed Poe"]),
        ("谁60岁以上？", ["Ed Poe"]),
        ("60岁以下的患者有谁？", ["Al Roe"]),
        # It ended; a count, though it might be a year.
        ("Whose cold is over?", ["Al Roe"]),
        ("Whose platelets are over 2000?", ["Ed Poe"]),
        ("Whose platelets are under 2000?", ["Al Roe"]),
        # What somebody got began then, what he had was there.
        ("Who got asthma in 2011?", ["Al Roe"]),
        ("Who had asthma in 2011?", ["Al Roe", "Ed Poe"]),
        ("Which conditions did Ed Poe get in 2010 or later?", ["Gout"]),
        ("Which conditions did Ed Poe develop in 2011?", ["Gout"]),
        ("Which conditions did Ed Poe have in 2011?", ["Asthma", "Gout"]),
        ("Did Al Roe come down with a cold in 2010?", ["yes"]),
        ("Did Ed Poe get asthma in 2009?", ["yes"]),
        ("Did Al Roe get asthma before 2010?", []),
        # A drug is got as long as it is taken.
        ("Which drugs did Al Roe get in 2011?", ["Aspirin 75 MG"]),
    ],
)
def test_a_word_by_its_place(two: FormAnswerer, question: str, answers: list[str]) -> None:
    assert sorted(two.ask(question).answers) == answers


def test_what_was_got_in_another_year_is_no_yes(two: FormAnswerer) -> None:
    answer = two.ask("Did Ed Poe get asthma in 2011?")
    assert answer.answers != ["yes"]
    assert "2009" in answer.note


@pytest.fixture(scope="module")
def salts() -> FormAnswerer:
    return over(
        *patient("a", "Ed Poe"),
        *patient("b", "Al Roe"),
        result("a", "Sodium", "2012-01-01", 130, "mmol/L"),
        result("a", "Sodium", "2019-01-01", 140, "mmol/L"),
        result("a", "Sodium", "2021-01-01", 120, "mmol/L"),
        result("a", "Lithium [Moles/volume]", "2019-01-01", 0.7, "mmol/L"),
        result("b", "Lithium [Moles/volume]", "2019-01-01", 0.7, "mmol/L"),
        fact("a", "medication", "Lithium carbonate 300 MG", start="2012-01-01"),
        fact("a", "condition", "Gout", start="2011-01-01"),
        fact("a", "procedure", "First visit", status="completed", start="2011-01-01"),
    )


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        # From the one time to the other, whichever is named first.
        ("Was Ed Poe's sodium higher in 2019 than in 2012?", ["yes"]),
        ("Was Ed Poe's sodium lower in 2012 than in 2019?", ["yes"]),
        ("Was Ed Poe's sodium higher in 2012 than in 2019?", ["no"]),
        ("Was Ed Poe's sodium lower in 2021 than in 2019?", ["yes"]),
        ("Is Ed Poe's sodium higher than in 2012?", ["no"]),
        # On a drug, though a result bears its name; so many of a result, which are no years.
        ("Is Ed Poe on lithium?", ["yes"]),
        ("Who is on lithium?", ["Ed Poe"]),
        ("patients over 130 sodium", []),
        ("patients under 130 sodium", ["Ed Poe"]),
        # A name of two words, each of which says something else.
        ("When was Ed Poe's first visit?", ["2011-01-01"]),
    ],
)
def test_what_is_compared_and_what_is_named(
    salts: FormAnswerer, question: str, answers: list[str]
) -> None:
    assert salts.ask(question).answers == answers


def test_how_far_a_denial_reaches_is_a_doubt(salts: FormAnswerer) -> None:
    doubt = "how far the negation reaches"
    assert doubt in salts.ask("Who has no asthma and gout?").note
    assert salts.ask("Who has no asthma and gout?").confidence < 0.9
    for plain in ("Who has gout and no asthma?", "Who has gout and asthma?"):
        assert doubt not in salts.ask(plain).note
