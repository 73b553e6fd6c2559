"""Corners of the reading where a small slip would change an answer: each pins one decision."""

from __future__ import annotations

import datetime

import pytest

from osler.ask.form.times import stretches, years_between
from osler.ask.form.tokens import tokens
from osler.ask.form.vocabulary import Match
from osler.ask.form.vocabulary import _merge as merge_match
from osler.kinds import Fact

from .ward import answerer, fact, over, patient, result

TODAY = datetime.date(2024, 3, 31)


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("Sept 2018", "2018-09-01", "2018-09-30"),
        ("Feb 2020", "2020-02-01", "2020-02-29"),
        ("1st of May 2019", "2019-05-01", "2019-05-01"),
        ("May 31, 2019", "2019-05-31", "2019-05-31"),
        ("06/2020", "2020-06-01", "2020-06-30"),
        ("12/2020", "2020-12-01", "2020-12-31"),
        ("21.06.2021", "2021-06-21", "2021-06-21"),
        ("2021/06/21", "2021-06-21", "2021-06-21"),
        ("31/12/2018", "2018-12-31", "2018-12-31"),
        ("12/31/2018", "2018-12-31", "2018-12-31"),
        ("2018-07", "2018-07-01", "2018-07-31"),
        ("last year", "2023-01-01", "2023-12-31"),
        ("previous year", "2023-01-01", "2023-12-31"),
        ("this year", "2024-01-01", "2024-12-31"),
        ("this month", "2024-03-01", "2024-03-31"),
        ("last month", "2024-02-01", "2024-02-29"),
        ("yesterday", "2024-03-30", "2024-03-30"),
        ("last 2 weeks", "2024-03-17", "2024-03-31"),
        ("past two years", "2022-03-31", "2024-03-31"),
        ("last 13 months", "2023-02-28", "2024-03-31"),
        ("past year", "2023-03-31", "2024-03-31"),
        ("2 years ago", "2022-03-31", "2022-03-31"),
        ("1 month ago", "2024-02-29", "2024-02-29"),
        ("10 days ago", "2024-03-21", "2024-03-21"),
        ("2018年8月12日", "2018-08-12", "2018-08-12"),
        ("2018年8月", "2018-08-01", "2018-08-31"),
        ("去年", "2023-01-01", "2023-12-31"),
        ("今年", "2024-01-01", "2024-12-31"),
    ],
)
def test_times(words: str, first: str, last: str) -> None:
    read = stretches(tokens(words), TODAY)
    assert [(s.first, s.last) for s in read] == [(first, last)]


@pytest.mark.parametrize("words", ["08/12/2018", "13/2020", "32.01.2020", "1799", "2200"])
def test_no_time(words: str) -> None:
    assert stretches(tokens(words), TODAY) == []


@pytest.mark.parametrize(
    ("born", "day", "years"),
    [
        ("1950-02-03", "2020-02-02", 69),
        ("1950-02-03", "2020-02-03", 70),
        ("1950-02-03T10:00:00Z", "2020-03-01T09:00:00Z", 70),
        ("1950-02", "2020-02-03", None),
    ],
)
def test_whole_years(born: str, day: str, years: int | None) -> None:
    assert years_between(born, day) == years


def test_a_stranger_is_told_from_a_patient() -> None:
    asked = answerer()
    assert asked.names_stranger("What does Zed Quux take?") is True
    assert asked.names_stranger("What does Ben Okoro take?") is False


def test_a_dose_is_a_drugs_though_an_allergy_bears_the_bare_name() -> None:
    rows = [
        fact("a", "allergy", "Penicillin"),
        fact("a", "medication", "Penicillin V 500 MG", dose="500 mg", reason="Sore throat"),
    ]
    ward = over(*patient("a", "Ed Poe"), *rows)
    assert ward.ask("penicillin dose Ed Poe").answers == ["500 mg"]
    assert ward.ask("Why penicillin, Ed Poe?").answers == ["Sore throat"]


def test_a_number_like_a_year_is_compared_where_a_result_stands() -> None:
    ward = over(
        *patient("a", "Ed Poe"),
        *patient("b", "Al Roe"),
        result("a", "NT-proBNP", "2020-01-01", 2500.0, "pg/mL"),
        result("b", "NT-proBNP", "2020-01-01", 1500.0, "pg/mL"),
    )
    assert ward.ask("Who has an NT-proBNP over 2000?").answers == ["Ed Poe"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which patients aged 40 or more are there?", ["Ed Poe", "Al Roe"]),
        ("Which patients of 60 or older are there?", ["Al Roe"]),
        ("Which patients are 44 years old?", ["Ed Poe"]),
        ("Which patients above the age of 50 are there?", ["Al Roe"]),
        ("Which patients aged 40 to 50 are there?", ["Ed Poe"]),
        ("Which patients are under 50?", ["Ed Poe"]),
    ],
)
def test_ages(question: str, names: list[str]) -> None:
    ward = over(
        *patient("a", "Ed Poe", birth_date="1980-01-01"),
        *patient("b", "Al Roe", birth_date="1950-01-01"),
    )
    assert sorted(ward.ask(question).answers) == sorted(names)


def test_a_value_below_zero() -> None:
    ward = over(
        *patient("a", "Ed Poe"),
        *patient("b", "Al Roe"),
        result("a", "T-score", "2020-01-01", -2.9),
        result("b", "T-score", "2020-01-01", -1.0),
    )
    assert ward.ask("Who has a T-score below -2.5?").answers == ["Ed Poe"]
    assert ward.ask("Who has a T-score between -2 and 0?").answers == ["Al Roe"]


def test_a_name_with_a_mark_in_it_is_one_name() -> None:
    ward = over(
        *patient("a", "Ed Poe"),
        *patient("b", "Al Roe"),
        result("a", "Chloride, whole blood", "2020-01-01", 100.0),
        result("b", "Chloride", "2020-01-01", 90.0),
    )
    answer = ward.ask("Who had a chloride, whole blood test?")
    assert answer.answers == ["Ed Poe"]
    assert "and with" not in answer.form_text


def test_two_concepts_side_by_side_are_asked_back() -> None:
    ward = over(
        *patient("a", "Ed Poe"),
        fact("a", "condition", "Spinal disorder"),
        result("a", "Ferritin", "2020-01-01", 1.0),
    )
    answer = ward.ask("How many patients had a spinal ferritin?")
    assert answer.answers == []
    assert answer.note == "“spinal” and “ferritin”: how do they belong together?"
    assert ward.ask("How many patients have ferritin + spinal disorder?").answers == ["1"]


def test_no_longer_leaves_out_those_who_take_it_again() -> None:
    ward = over(
        *patient("a", "Ed Poe"),
        *patient("b", "Al Roe"),
        fact("a", "medication", "Naproxen 220 MG", status="stopped", start="2010-01-01"),
        fact("a", "medication", "Naproxen 220 MG", start="2019-01-01"),
        fact("b", "medication", "Naproxen 220 MG", status="stopped", start="2010-01-01"),
    )
    assert ward.ask("Which patients no longer take naproxen?").answers == ["Al Roe"]
    used = ward.ask("Which patients used to take naproxen?")
    assert sorted(used.answers) == ["Al Roe", "Ed Poe"]
    assert used.confidence < 0.9


def test_a_time_decides_what_counts() -> None:
    ward = over(
        *patient("a", "Ed Poe"),
        *patient("b", "Al Roe"),
        fact("a", "condition", "Gout", status="completed", start="2010-01-01", end="2011-01-01"),
        fact("b", "condition", "Gout", start="2019-01-01"),
        fact("b", "encounter", "Visit", status="completed", start="2003-05-05"),
        fact("a", "encounter", "Visit", status="completed", start="2004-05-05"),
    )
    assert ward.ask("How many patients with gout are there since 2010?").answers == ["2"]
    assert ward.ask("How many patients have gout?").answers == ["1"]
    assert ward.ask("How many patients had a visit up to 2003?").answers == ["1"]
    assert ward.ask("What is the most recent diagnosis of Ed Poe?").answers == ["Gout"]


def test_what_is_counted_is_told() -> None:
    asked = answerer()
    answer = asked.ask("How many apixaban prescriptions are there?")
    assert answer.answers == []
    assert answer.note == "“prescriptions” are counted for one patient only; name one"
    assert asked.ask("How many patients have been admitted?").answers != ["5"]


def test_an_id_that_is_an_article_names_nobody() -> None:
    ward = over(
        *patient("a", "Ed Poe"),
        *patient("b", "Al Roe"),
        fact("b", "condition", "Gout", start="2019-01-01"),
    )
    assert ward.ask("Who has a gout?").answers == ["Al Roe"]
    assert ward.ask("Does b have gout?").answers == ["yes"]


def test_several_of_one_day_and_a_visit_are_less_sure() -> None:
    ward = over(
        *patient("a", "Ed Poe"),
        fact("a", "procedure", "Biopsy", status="completed", start="2020-01-01"),
        fact("a", "procedure", "Scan", status="completed", start="2020-01-01"),
        fact("a", "procedure", "X-ray", status="completed", start="2019-01-01"),
        fact("a", "encounter", "Clinic", status="completed", start="2019-01-01"),
    )
    last = ward.ask("What was the last procedure of Ed Poe?")
    assert (last.answers, last.confidence < 0.9) == (["Biopsy", "Scan"], True)
    first = ward.ask("What was the first procedure of Ed Poe?")
    assert (first.answers, first.confidence > 0.9) == (["X-ray"], True)
    assert ward.ask("What was the last visit of Ed Poe?").confidence < 0.9


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("MRN-7 是否服用赖诺普利", ["yes"]),
        ("MRN-7 creatinine, all values", ["1 mg/dL", "1.4 mg/dL", "1.9 mg/dL"]),
        ("In 2018, who had a creatinine over 0.5?", ["Ann Lee"]),
        ("In 2017, who had a creatinine over 0.5?", []),
        ("What was MRN-7's creatinine after pneumonia in", ["1 mg/dL"]),
    ],
)
def test_words_that_stand_apart(question: str, answers: list[str]) -> None:
    assert sorted(answerer().ask(question).answers) == answers


def test_only_a_need_is_asked_for_its_reason() -> None:
    asked = answerer()
    assert asked.ask("What does MRN-7 need lisinopril for?").answers == ["Essential hypertension"]
    assert asked.ask("What should MRN-7 take lisinopril for?").answers == []
    assert asked.ask("Does MRN-7 need lisinopril?").answers == []


def test_a_name_that_fits_is_not_widened_by_one_that_only_mentions() -> None:
    by_kind = {"observation": Match("observation", names=["a"])}
    merge_match(by_kind, Match("observation", names=["b"], loose=True))
    assert by_kind["observation"].names == ["a"]
    loose = {"observation": Match("observation", names=["b"], loose=True)}
    merge_match(loose, Match("observation", names=["c"], loose=True))
    assert loose["observation"].names == ["b", "c"]
    merge_match(loose, Match("observation", names=["a"]))
    assert loose["observation"].names == ["a"]
    merge_match(loose, Match("observation", names=["a", "d"], past=["e"]))
    assert (loose["observation"].names, loose["observation"].past) == (["a", "d"], ["e"])


@pytest.mark.parametrize("certainty", ["absent", "refuted"])
def test_what_is_absent_is_never_so(certainty: str) -> None:
    ward = over(
        *patient("e1", "Ed Poe"),
        *patient("r1", "Al Roe"),
        fact("e1", "condition", "Fever", certainty=certainty, start="2020-01-01"),
        fact("r1", "condition", "Fever", start="2020-01-01"),
    )
    assert ward.ask("Does Ed Poe have fever?").answers == ["no"]
    assert ward.ask("Does Al Roe have fever?").answers == ["yes"]
    assert ward.ask("Which conditions does Ed Poe have?").answers == []
    assert ward.ask("Who has fever?").answers == ["Al Roe"]
    assert ward.ask("How many patients have ever had fever?").answers == ["1"]
    listed = ward.ask("Which conditions does Ed Poe have?")
    assert [(left.name, left.why) for left in listed.left_out] == [("Fever", certainty)]


@pytest.mark.parametrize(
    ("said", "denied", "doubted"),
    [
        ("", "", True),
        ("2020-01-01", "2021-01-01", True),
        ("2020-01-01", "2020-01-01", True),
        ("2020-01-01", "", True),
        # Denied first, found later: that is how people fall ill.
        ("2021-01-01", "2020-01-01", False),
    ],
)
def test_a_record_that_says_both_is_not_sure(said: str, denied: str, doubted: bool) -> None:
    ward = over(
        *patient("e1", "Ed Poe"),
        fact("e1", "condition", "Fever", start=said),
        fact("e1", "condition", "Fever", certainty="absent", start=denied),
    )
    answer = ward.ask("Has Ed Poe ever had fever?")
    assert answer.answers == ["yes"]
    assert (answer.confidence < 0.7) is doubted
    assert ("also says: Fever: absent" in answer.note) is doubted


def test_what_was_denied_in_error_casts_no_doubt() -> None:
    ward = over(
        *patient("e1", "Ed Poe"),
        fact("e1", "condition", "Fever"),
        fact("e1", "condition", "Fever", certainty="refuted", status="entered in error"),
    )
    answer = ward.ask("Does Ed Poe have fever?")
    assert answer.answers == ["yes"]
    assert answer.confidence > 0.9


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which patients are over 60?", ["Old One"]),
        ("Which patients over 60 have gout?", ["Old One"]),
        # In the past the dead count, at the age that they reached.
        ("Which patients over 60 had gout?", ["Late One", "Old One"]),
        ("Which patients over 60 died?", ["Late One"]),
        ("Which patients under 60 died?", ["Early One"]),
        # Born 1940-03-01, died 1990-02-01: a month before fifty.
        ("Which patients aged 49 died?", ["Early One"]),
        ("Which patients aged 50 died?", []),
        ("Which patients between 49 and 78 died?", ["Early One", "Late One"]),
        ("Which patients are under 60?", ["Young One"]),
    ],
)
def test_the_dead_are_as_old_as_they_became(question: str, answers: list[str]) -> None:
    born = {"Young": "1990-03-01", "Old": "1940-03-01", "Early": "1940-03-01", "Late": "1920-03-01"}
    deaths = {"Early": "1990-02-01", "Late": "1999-02-01", "Undated": "true"}
    people = [*born, "Undated"]
    facts = [
        one
        for name in people
        for one in patient(name, f"{name} One", birth_date=born.get(name, "1920-03-01"))
    ]
    facts += [
        Fact(id=f"d{n}", patient=f"record:ward/{n}", kind="patient", name="death", value=day)
        for n, day in deaths.items()
    ]
    facts += [fact(name, "condition", "Gout", start="1980-01-01") for name in people]
    assert sorted(over(*facts).ask(question).answers) == answers


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Isn't Ed Poe on aspirin?", "yes"),
        ("Isnt Ed Poe on aspirin?", "yes"),
        ("Hm, doesn't Ed Poe take aspirin?", "yes"),
        ("Isn't Ed Poe on digoxin?", "no"),
        ("Hasn't Ed Poe ever had gout?", "yes"),
    ],
)
def test_a_verb_with_not_before_its_subject_denies_nothing(question: str, answer: str) -> None:
    ward = over(
        *patient("e1", "Ed Poe"),
        fact("e1", "medication", "Aspirin", status="active"),
        fact("e1", "medication", "Digoxin", status="stopped"),
        fact("e1", "condition", "Gout", start="2010-01-01"),
    )
    assert ward.ask(question).answers == [answer]


def test_a_disease_of_the_bones_is_no_scan_of_them() -> None:
    ward = over(*patient("e1", "Ed Poe"), fact("e1", "procedure", "Bone density scan"))
    assert ward.ask("Which bone disease does Ed Poe have?").refused
    assert ward.ask("Which bone scan did Ed Poe have?").answers == ["Bone density scan"]
