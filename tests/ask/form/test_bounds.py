# ruff: noqa: E501 (a question a line)
"""Where a bound is reached: ages to the day, values, dates of results, drugs and illnesses."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

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
