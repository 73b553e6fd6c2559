"""Rising or falling: of numbers with a day, in one unit; on the day of an event."""

from __future__ import annotations

import pytest

from .ward import fact, over, patient, result

WARD = over(
    *patient("a", "Ed Poe"),
    result("a", "Sodium", "2018-01-01", 140, "mmol/L"),
    result("a", "Sodium", "2019-01-01", 130, "mmol/L"),
    # No number, and no day: neither is part of a trend.
    fact("a", "observation", "Sodium", status="completed", start="2020-01-01", value="hemolyzed"),
    result("a", "Sodium", "", 150, "mmol/L"),
    result("a", "Potassium", "2018-01-01", 4, "mmol/L"),
    result("a", "Potassium", "2019-01-01", 4, "mmol/L"),
    result("a", "Calcium", "2019-01-01", 4, "mmol/L"),
    result("a", "Iron", "2019-01-01", 4, "mmol/L"),
    result("a", "Iron", "2020-01-01", 4, "mg/L"),
    fact("a", "condition", "Asthma", start="2019-01-01"),
)


@pytest.mark.parametrize(
    ("question", "answers", "note"),
    [
        ("Is Ed Poe's sodium rising or falling?", ["falling"], "130 mmol/L on 2019-01-01"),
        ("Is Ed Poe's sodium falling?", ["yes"], ""),
        ("Is Ed Poe's sodium rising?", ["no"], ""),
        ("trend of Ed Poe's potassium", ["unchanged"], ""),
        ("trend of Ed Poe's calcium", [], "a trend needs two"),
        ("trend of Ed Poe's iron", [], "values in different units are not compared"),
        ("What was the sodium of Ed Poe the day they found the asthma?", ["130 mmol/L"], ""),
        (
            "What was Ed Poe's sodium at the time asthma was first diagnosed?",
            ["130 mmol/L"],
            "",
        ),
        ("What was Ed Poe's sodium at the time of the asthma?", ["130 mmol/L"], ""),
    ],
)
def test_where_a_result_goes(question: str, answers: list[str], note: str) -> None:
    answer = WARD.ask(question)
    assert answer.answers == answers
    assert note in answer.note
