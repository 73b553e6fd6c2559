# ruff: noqa: E501 (a question a line)
"""Where a bound is reached: ages to the day, values, dates of results, drugs and illnesses."""

from __future__ import annotations

import datetime

import pytest

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.relation import MemoryFacts
from osler.kinds import Fact

from .ward import fact, over, patient, result


@pytest.fixture(scope="module")
def bounds() -> FormAnswerer:
    """On 1 June 2024 Ada is 39, Bo is 40 since today, Cy 40 until today, Di 41 since today."""
    born = {"Ada": "1984-06-02", "Bo": "1984-06-01", "Cy": "1983-06-02", "Di": "1983-06-01"}
    people = [
        one
        for at, (name, day) in enumerate(born.items())
        for one in patient(f"p{at}", f"{name} Roe", birth_date=day, sex="female")
    ]
    values = [
        result(f"p{at}", "Potassium", "2020-03-01", value, "mmol/L", low=2.0, high=3.0)
        for at, value in enumerate((1.0, 2.0, 3.0, 4.0))
    ]
    return over(
        *people,
        *values,
        result("p0", "Sodium", "2019-12-31", 130, "mmol/L"),
        result("p0", "Sodium", "2020-01-01", 131, "mmol/L"),
        result("p0", "Sodium", "2020-12-31", 132, "mmol/L"),
        result("p0", "Sodium", "2021-01-01", 133, "mmol/L"),
        fact("p0", "condition", "Gout", start="2019-01-01", end="2019-12-31", status="completed"),
        fact("p1", "condition", "Gout", start="2019-01-01", end="2020-01-01", status="completed"),
        fact("p2", "condition", "Gout", start="2020-12-31"),
        fact("p3", "condition", "Gout", start="2021-01-01"),
        fact("p0", "medication", "Aspirin", start="2020-01-01", end="2024-05-31", status="active"),
        fact("p1", "medication", "Aspirin", start="2020-01-01", end="2024-06-01", status="active"),
        fact("p2", "medication", "Aspirin", start="2020-01-01", end="2024", status="active"),
        fact("p3", "medication", "Aspirin", start="2020-01-01", end="2024-05", status="active"),
    )


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Which patients are over 40?", "Di"),
        ("Which patients are at least 40?", "Bo Cy Di"),
        ("Which patients are under 40?", "Ada"),
        ("Which patients are at most 40?", "Ada Bo Cy"),
        ("Which patients are 40 or younger?", "Ada Bo Cy"),
        ("Who is 41 or older?", "Di"),
        ("Which patients are aged between 39 and 40?", "Ada Bo Cy"),
        ("Which patients are aged between 40 and 41?", "Bo Cy Di"),
        ("Which patients are 40 years old?", "Bo Cy"),
        ("Who was born before 1984?", "Cy Di"),
        ("Who was born after 1983?", "Ada Bo"),
        ("Who was born in 1984?", "Ada Bo"),
        ("Who was born on 1 June 1984?", "Bo"),
        ("Whose potassium is above 3?", "Di"),
        ("Whose potassium is at least 3?", "Cy Di"),
        ("Whose potassium is below 2?", "Ada"),
        ("Whose potassium is at most 2?", "Ada Bo"),
        ("Whose potassium is between 2 and 3?", "Bo Cy"),
        ("Whose potassium is high?", "Di"),
        ("Whose potassium is low?", "Ada"),
        ("Whose potassium is normal?", "Bo Cy"),
        ("Whose potassium is abnormal?", "Ada Di"),
        ("Who had gout in 2020?", "Bo Cy"),
        ("Who was diagnosed with gout in 2020?", "Cy"),
        ("Who was diagnosed with gout before 2020?", "Ada Bo"),
        ("Who was diagnosed with gout after 2020?", "Di"),
        ("Who was diagnosed with gout since 2020?", "Cy Di"),
        ("Who has gout?", "Cy Di"),
        ("Who has had gout?", "Ada Bo Cy Di"),
        ("Who takes aspirin?", "Bo Cy"),
    ],
)
def test_who_is_within(bounds: FormAnswerer, question: str, who: str) -> None:
    answers = bounds.ask(question).answers
    assert sorted(answers) == [f"{name} Roe" for name in who.split()]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What was Ada Roe's sodium in 2020?", ["131 mmol/L", "132 mmol/L"]),
        ("What was Ada Roe's sodium before 2020?", ["130 mmol/L"]),
        ("What was Ada Roe's sodium after 2020?", ["133 mmol/L"]),
        ("What was Ada Roe's sodium since 2020?", ["131 mmol/L", "132 mmol/L", "133 mmol/L"]),
        ("What was Ada Roe's sodium until 2020?", ["130 mmol/L", "131 mmol/L", "132 mmol/L"]),
        ("What was Ada Roe's sodium on 31 December 2020?", ["132 mmol/L"]),
        ("What was Ada Roe's sodium between 2019 and 2020?", ["130 mmol/L", "131 mmol/L", "132 mmol/L"]),
        ("What was Ada Roe's second sodium?", ["131 mmol/L"]),
        ("What was Ada Roe's last but one sodium?", ["132 mmol/L"]),
        ("What were Ada Roe's last two sodium values?", ["132 mmol/L", "133 mmol/L"]),
        ("What was Ada Roe's fifth sodium?", []),
        ("What was Ada Roe's highest sodium in 2020?", ["132 mmol/L"]),
        ("What was Ada Roe's lowest sodium?", ["130 mmol/L"]),
        ("What was Ada Roe's average sodium in 2020?", ["131.5 mmol/L"]),
        ("How many times was Ada Roe's sodium measured in 2020?", ["2"]),
        ("How old is Ada Roe?", ["39"]),
        ("How old is Bo Roe?", ["40"]),
        ("How old is Cy Roe?", ["40"]),
        ("How old is Di Roe?", ["41"]),
        ("How long did Ada Roe have gout?", ["364 days, 2019-01-01 to 2019-12-31"]),
    ],
)  # fmt: skip
def test_what_is_within(bounds: FormAnswerer, question: str, values: list[str]) -> None:
    assert sorted(bounds.ask(question).answers) == values


@pytest.fixture(scope="module")
def dead() -> FormAnswerer:
    """Ed died on his 70th birthday, Flo the day before hers; Gus on a day that nobody wrote down,
    Hal's birth is but a year, Ivo lives and is 70 today."""
    told = [
        ("Ed", "1950-05-06", "2020-05-06"),
        ("Flo", "1950-05-07", "2020-05-06"),
        ("Gus", "1950-05-06", "true"),
        ("Hal", "1950", "2020-05-06"),
        ("Ivo", "1954-06-01", "false"),
    ]
    return over(
        *(
            one
            for at, (name, born, died) in enumerate(told)
            for one in patient(f"d{at}", f"{name} Roe", birth_date=born, death=died)
        )
    )


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who died?", "Ed Flo Gus Hal"),
        ("Who is alive?", "Ivo"),
        ("Who died in 2020?", "Ed Flo Hal"),
        ("Who died at the age of 70?", "Ed"),
        ("Who died at the age of 69?", "Flo"),
        ("Who died over 69?", "Ed"),
        ("Who died over 70?", ""),
        ("Which patients under 70 have died?", "Flo"),
        ("Which patients aged at least 70 have died?", "Ed"),
        ("Which patients aged 69 or younger have died?", "Flo"),
        ("Which patients aged between 69 and 70 have died?", "Ed Flo"),
        ("Which patients aged between 70 and 71 have died?", "Ed"),
        ("Which patients are 70 or older?", "Ivo"),
    ],
)
def test_the_age_of_the_dead_is_that_at_death(dead: FormAnswerer, question: str, who: str) -> None:
    assert sorted(dead.ask(question).answers) == [f"{name} Roe" for name in who.split()]


def test_on_a_day_that_other_years_do_not_have() -> None:
    people = [
        one
        for at, (name, day) in enumerate([("Ann", "2006-02-28"), ("Bea", "2006-03-01")])
        for one in patient(f"p{at}", f"{name} Roe", birth_date=day)
    ]
    leap = FormAnswerer(MemoryFacts(people), today=lambda: datetime.date(2024, 2, 29))
    assert leap.ask("Which patients are at least 18?").answers == ["Ann Roe"]
    assert leap.ask("Which patients are under 18?").answers == ["Bea Roe"]


def test_parents_are_mother_and_father() -> None:
    def of(relative: str, name: str) -> Fact:
        return fact("p", "condition", name, role="family member", relative=relative)

    ward = over(
        *patient("p", "Ann Roe"),
        of("mother", "Gout"),
        of("natural father", "Asthma"),
        of("sister", "Migraine"),
        of("brother", "Epilepsy"),
        of("grandmother", "Stroke"),
    )
    for relative, name, answer in [
        ("parents", "gout", ["mother"]),
        ("parents", "asthma", ["natural father"]),
        ("parents", "migraine", []),
        ("siblings", "migraine", ["sister"]),
        ("siblings", "epilepsy", ["brother"]),
        ("siblings", "gout", []),
    ]:
        assert ward.ask(f"Which of Ann Roe's {relative} had {name}?").answers == answer, name
    assert ward.ask("Did Ann Roe's mother have gout?").answers == ["yes"]
    assert ward.ask("Did Ann Roe's mother have asthma?").answers == []
    assert ward.ask("Who has a family history of stroke?").answers == ["Ann Roe"]
    assert ward.ask("Who has a stroke?").answers == []
