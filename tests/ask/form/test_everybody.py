"""Questions that say little: of everybody, of no patients in particular, of what was named."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .ward import fact, over, patient


@pytest.fixture(scope="module")
def one() -> FormAnswerer:
    return over(
        *patient("a", "Ed Poe", birth_date="1950-05-06"),
        fact("a", "medication", "Simvastatin 20 MG"),
        fact("a", "medication", "Atorvastatin 20 MG"),
        fact("a", "condition", "Asthma", start="2011-01-01"),
        fact("a", "condition", "Childhood asthma", start="2011-01-01"),
        fact("a", "condition", "Gout", start="2011-01-01"),
    )


@pytest.mark.parametrize("question", ["everybody", "Show all patients", "all patients"])
def test_everybody_is_asked_for(one: FormAnswerer, question: str) -> None:
    assert one.ask(question).answers == ["Ed Poe"]


def test_how_many_there_are(one: FormAnswerer) -> None:
    assert one.ask("How many patients?").answers == ["1"]


@pytest.mark.parametrize("question", ["patients", "Which patients are there?", "List patients?"])
def test_which_patients_is_not_said(one: FormAnswerer, question: str) -> None:
    answer = one.ask(question)
    assert answer.answers == []
    assert "does not say which patients" in answer.note


@pytest.mark.parametrize(
    ("question", "sure"),
    [
        # A class, or a name with narrower ones, is answered by its members.
        ("What of the statins of Ed Poe?", True),
        ("What of the asthma of Ed Poe?", True),
        # One thing could only be answered by itself.
        ("What of the simvastatin of Ed Poe?", False),
        ("What of the gout of Ed Poe?", False),
        ("Which simvastatin does Ed Poe take?", True),
    ],
)
def test_an_answer_that_only_repeats_what_was_named_is_a_guess(
    one: FormAnswerer, question: str, sure: bool
) -> None:
    answer = one.ask(question)
    assert answer.answers
    assert (answer.confidence > 0.9) is sure
    assert ("only guessed" in answer.note) is not sure
