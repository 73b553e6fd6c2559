"""Whether results are fine, and whether somebody smokes: yes or no only where the record says it.
Ed's potassium is back in range, his sodium is not; Fay's only result is normal; Gus has a result
without a range; Hal has asthma and had a pneumonia."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer
from osler.kinds import Fact

from .ward import fact, over, patient, result


@pytest.fixture(scope="module")
def clinic() -> FormAnswerer:
    def smokes(id: str, value: str) -> Fact:
        return fact(id, "observation", "Tobacco smoking status", start="2022-01-01", value=value)

    return over(
        *patient("e", "Ed Poe"),
        *patient("f", "Fay Orr"),
        *patient("g", "Gus Lem"),
        *patient("h", "Hal Yew"),
        fact("h", "condition", "Asthma", status="active", start="2020-01-01"),
        fact("h", "condition", "Pneumonia", status="completed", start="2020-01-01"),
        fact("h", "allergy", "Penicillin"),
        result("e", "Potassium", "2020-01-01", 5.9, "mmol/L", low=3.5, high=5.1),
        result("e", "Potassium", "2021-01-01", 4.4, "mmol/L", low=3.5, high=5.1),
        result("e", "Sodium", "2020-01-01", 131, "mmol/L", low=136, high=145),
        result("f", "Potassium", "2019-01-01", 5.9, "mmol/L", low=3.5, high=5.1),
        result("f", "Potassium", "2020-01-01", 4.0, "mmol/L", low=3.5, high=5.1),
        result("g", "Creatinine", "2020-01-01", 1.0),
        smokes("e", "Former smoker"),
        smokes("f", "Current every day smoker"),
        smokes("g", "Never smoker"),
    )


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        # "Ok" of a result asks whether it is in its range; the last one counts.
        ("Is Ed Poe's potassium ok?", ["yes"]),
        ("Ed Poe's sodium, was the last one ok?", ["no"]),
        ("Is Ed Poe's sodium fine?", ["no"]),
        ("Is Gus Lem's creatinine ok?", []),
        # Elsewhere the word says nothing, or no result is asked about.
        ("What is Ed Poe's potassium, ok?", ["4.4 mmol/L"]),
        ("ok, is Ed Poe a former smoker?", ["yes"]),
        ("Is Ed Poe ok?", []),
        ("Is Hal Yew's asthma ok?", []),
        ("Is Hal Yew's asthma fine now?", []),
        ("Is Hal Yew's pneumonia ok now?", []),
        ("Is Hal Yew's pneumonia ok?", []),
        ("Does Hal Yew have asthma, ok?", ["yes"]),
        # All results are normal where the last of each is; "any" and "ever" ask for one.
        ("Are Ed Poe's results normal?", ["no"]),
        ("Are Fay Orr's labs ok?", ["yes"]),
        ("Are Gus Lem's labs normal?", []),
        ("Were Ed Poe's labs normal in 2020?", ["no"]),
        ("Were Ed Poe's labs normal in 2021?", ["yes"]),
        ("Does Ed Poe have any normal results?", ["yes"]),
        ("Was Ed Poe's potassium ever normal?", ["yes"]),
        ("Fay Orr 的血钾正常吗？", ["yes"]),
        ("Ed Poe 的化验正常吗？", ["no"]),
        # A "not" that the form has no place for forbids an answer.
        ("谁对青霉素不过敏？", []),
        ("谁对青霉素过敏？", ["Hal Yew"]),
        # Something off is something out of range; a smoker's record is no laboratory's.
        ("Is anything off in Ed Poe's blood work?", ["yes"]),
        ("Is anything amiss in Gus Lem's blood work?", []),
        # A number says that it was measured, not how somebody is.
        ("Does Gus Lem have a creatinine?", ["yes"]),
        ("Does Gus Lem have any results?", ["yes"]),
        ("Is Gus Lem's creatinine?", []),
        # Chinese says no tense: who smokes does so now, unless another word says when.
        ("Ed Poe 抽烟吗？", ["no"]),
        ("Fay Orr 吸烟吗？", ["yes"]),
        ("Gus Lem 抽烟吗？", ["no"]),
        ("Ed Poe 曾经吸烟吗？", ["yes"]),
        ("Ed Poe 以前抽烟吗？", ["yes"]),
    ],
)
def test_fine(clinic: FormAnswerer, question: str, answers: list[str]) -> None:
    assert clinic.ask(question).answers == answers
