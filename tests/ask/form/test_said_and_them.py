"""What a result in words says, and whom "them" points back to."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.session import Session

from .ward import fact, over, patient


@pytest.fixture(scope="module")
def both() -> FormAnswerer:
    return over(
        *patient("a", "Ed Poe"),
        *patient("b", "Al Roe"),
        fact("a", "observation", "HIV test", start="2020-01-01", value="Negative"),
        fact("a", "condition", "Gout"),
        fact("b", "condition", "Gout"),
        fact("a", "medication", "Aspirin 75 MG", start="2019-01-01"),
        fact("a", "medication", "Digoxin", status="stopped", start="2018-01-01"),
        fact("b", "medication", "Warfarin", status="stopped", start="2018-01-01"),
    )


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Is Ed Poe's HIV test positive?", ["no"]),
        ("Is Ed Poe's HIV test negative?", ["yes"]),
        # Of nothing, of what is no result, of one result two ways.
        ("Is Ed Poe positive?", []),
        ("Is Ed Poe's gout positive?", []),
        ("Is Ed Poe's HIV test negative or positive?", []),
    ],
)
def test_what_a_result_says(both: FormAnswerer, question: str, answers: list[str]) -> None:
    answer = both.ask(question)
    assert answer.answers == answers
    assert answers or "not understood: “positive”" in answer.note


def test_them_are_the_patients_things_where_he_was_asked_of(both: FormAnswerer) -> None:
    session = Session(both)
    assert session.ask("What drugs does Ed Poe take?").answers == ["Aspirin 75 MG"]
    assert session.ask("Which of them were stopped?").answers == ["Digoxin"]


def test_them_are_all_patients_where_nobody_was_asked_of(both: FormAnswerer) -> None:
    assert Session(both).ask("Which of them have gout?").answers == ["Ed Poe", "Al Roe"]
