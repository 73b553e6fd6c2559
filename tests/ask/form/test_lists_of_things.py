"""Three things and one "or", "and" or "nor", which holds between all of them."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .ward import fact, over, patient

ILL = {
    "Ed Poe": ("Gout",),
    "Al Roe": ("Asthma",),
    "Bo Hill": ("Migraine", "Stroke"),
    "Cy Day": ("Gout", "Asthma", "Migraine"),
    "Di Fox": ("Cough",),
}


@pytest.fixture(scope="module")
def five() -> FormAnswerer:
    facts = []
    for name, things in ILL.items():
        born = "1940-01-01" if name == "Ed Poe" else "1990-01-01"
        facts += [*patient(name[:2], name, birth_date=born)]
        facts += [fact(name[:2], "condition", thing, start="2019-01-01") for thing in things]
    return over(*facts, fact("Ed", "medication", "Aspirin 75 MG", start="2019-01-01"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who has gout, asthma or migraine?", ["Al Roe", "Bo Hill", "Cy Day", "Ed Poe"]),
        (
            "Which patients have asthma, stroke, or cough?",
            ["Al Roe", "Bo Hill", "Cy Day", "Di Fox"],
        ),
        ("Who has gout disease, stroke or cough?", ["Bo Hill", "Cy Day", "Di Fox", "Ed Poe"]),
        ("谁患有痛风，哮喘或偏头痛？", ["Al Roe", "Bo Hill", "Cy Day", "Ed Poe"]),
        ("Who has gout, asthma and migraine?", ["Cy Day"]),
        # The "and" stands before the list, the comma inside it.
        ("Who has migraine and gout, asthma or stroke?", ["Bo Hill", "Cy Day"]),
        # A verb or an age between is no list.
        ("Who takes aspirin, has gout or asthma?", ["Ed Poe"]),
        ("patients over 60, gout or asthma", ["Ed Poe"]),
        # Denied together, by whichever word.
        ("patients without a gout, an asthma or a migraine", ["Di Fox"]),
        ("Who has neither gout, asthma nor migraine?", ["Di Fox"]),
        ("Who has neither asthma nor stroke?", ["Di Fox", "Ed Poe"]),
        # A "no" inside the list denies from there on.
        ("patients with asthma, no gout, migraine or stroke", ["Al Roe"]),
    ],
)
def test_a_list_is_held_together_by_its_last_join(
    five: FormAnswerer, question: str, names: list[str]
) -> None:
    assert sorted(five.ask(question).answers) == names


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Does Ed Poe have asthma, migraine or gout?", ["yes"]),
        ("Does Ed Poe have gout, asthma or migraine?", ["yes"]),
        ("Does Ed Poe have no asthma, migraine or stroke?", ["yes"]),
        # Of none of these the record says anything.
        ("Does Di Fox have gout, asthma or migraine?", []),
    ],
)
def test_a_list_asked_of_one_patient(five: FormAnswerer, question: str, said: list[str]) -> None:
    assert five.ask(question).answers == said


def test_how_many_have_one_of_three(five: FormAnswerer) -> None:
    answer = five.ask("How many patients have asthma, gout or migraine?")
    assert answer.answers == ["4"]
    assert answer.confidence > 0.9


@pytest.mark.parametrize(
    ("question", "open_"),
    [
        ("Who has no gout, asthma and migraine?", True),
        ("Who has no gout and migraine?", True),
        ("Who has migraine, no gout and a stroke?", True),
        ("Who has gout, asthma and migraine?", False),
        ("Who has gout, asthma and no migraine?", False),
        ("Who has no gout, asthma or migraine?", False),
    ],
)
def test_how_far_a_no_reaches_in_a_list_is_open(
    five: FormAnswerer, question: str, open_: bool
) -> None:
    answer = five.ask(question)
    assert ("how far the negation reaches" in answer.note) is open_
    if open_:
        assert answer.confidence < 0.9
