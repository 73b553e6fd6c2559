"""Questions over a small ward: each answer was worked out by hand from the facts in ``ward.py``."""

from __future__ import annotations

import pytest

from osler.ask.answer import Answer
from osler.ask.form.answering import FormAnswerer
from osler.kinds import Fact

from .ward import answerer, fact, over, patient

LEE = "MRN-7"


@pytest.fixture(scope="module")
def asked() -> FormAnswerer:
    return answerer()


RIGHT: dict[str, list[str]] = {
    # The person.
    "When was Ben Okoro born?": ["1962-11-30"],
    "P2 dob": ["1962-11-30"],
    "p2 dob": ["1980-07-09"],
    "How old was Cora Diaz on 2020-12-31?": ["49"],
    "How old was Cora Diaz on 2021-01-01?": ["50"],
    "Is Cora Diaz a man?": ["no"],
    "Is Cora Diaz male or female?": ["female"],
    "When was Cora Marsh born?": ["1971-01-01"],
    "王丽的出生日期是什么时候？": ["1990-10-10"],
    "Is Ben Okoro alive?": ["no"],
    "When did Ben Okoro die?": ["2020-05-06"],
    "Which patients have died?": ["Ben Okoro"],
    "Does Ben Okoro live in Leeds?": ["yes"],
    "Does Ben Okoro live in York?": ["no"],
    # Namesakes told apart.
    "In which city does the Ann Lee born in 1980 live?": ["York"],
    "What is the birth date of the Ann Lee with MRN-7?": ["1950-02-03"],
    "How many patients are called Ann Lee?": ["2"],
    # Drugs by status.
    f"What is {LEE} taking?": ["Lisinopril 20 MG Oral Tablet"],
    f"Which drugs has {LEE} stopped?": ["Lisinopril 10 MG Oral Tablet"],
    f"Which drug of {LEE} is on hold?": ["Simvastatin 20 MG Oral Tablet"],
    "Is Ben Okoro taking warfarin?": ["no"],
    "Has Ben Okoro ever taken warfarin?": ["no"],
    "Who takes lisinopril?": ["Ann Lee"],
    "How many patients have ever been on lisinopril?": ["1"],
    f"What dose of lisinopril does {LEE} take?": ["20 mg, 1 per day"],
    f"Why does {LEE} take lisinopril?": ["Essential hypertension"],
    f"What does {LEE} take for hypertension?": ["Lisinopril 20 MG Oral Tablet"],
    "Which beta blocker does Ben Okoro take?": ["Metoprolol tartrate 50 MG Oral Tablet"],
    "Is Ben Okoro on an anticoagulant?": ["yes"],
    f"When did {LEE} start lisinopril?": ["2010-01-01"],
    "What was Cora Diaz taking in 2016?": ["Amoxicillin 500 MG Oral Capsule"],
    f"What was {LEE} taking in 2016?": ["Lisinopril 20 MG Oral Tablet"],
    f"Which drugs were prescribed to {LEE} in 2012?": ["Lisinopril 20 MG Oral Tablet"],
    # Conditions: true, over, refuted, in error, of the family.
    f"Does {LEE} have pneumonia?": ["no"],
    f"Did {LEE} have pneumonia?": ["yes"],
    f"Has {LEE}'s pneumonia resolved?": ["yes"],
    f"When did {LEE}'s pneumonia resolve?": ["2018-02-01"],
    "Does Cora Diaz have breast cancer?": ["no"],
    "Does Cora Diaz have lupus?": ["no"],
    "Which conditions of Cora Diaz were refuted?": ["Malignant neoplasm of breast"],
    "Which suspected conditions does Cora Diaz have?": ["Celiac disease"],
    "Who has asthma?": ["Cora Diaz"],
    "How many patients have hypertension?": ["2"],
    "How many patients have hypertension but not diabetes?": ["1"],
    "How many patients without diabetes have hypertension?": ["1"],
    "Which patients have hypertension or asthma?": ["Ann Lee", "Ben Okoro", "Cora Diaz"],
    "How many women have hypertension?": ["1"],
    "What did Cora Diaz's father have?": ["Stroke"],
    "Has Cora Diaz had a myocardial infarction?": ["yes"],
    "Who has a family history of stroke?": ["Cora Diaz"],
    # Results.
    f"What is {LEE}'s last creatinine?": ["1.9 mg/dL"],
    f"What was {LEE}'s creatinine in 2018?": ["1 mg/dL"],
    f"What was {LEE}'s first creatinine?": ["1 mg/dL"],
    f"all creatinine values {LEE}": ["1 mg/dL", "1.4 mg/dL", "1.9 mg/dL"],
    f"Did {LEE}'s creatinine rise or fall?": ["rising"],
    f"Did {LEE}'s creatinine fall between 2018 and 2020?": ["no"],
    f"Is {LEE}'s creatinine elevated?": ["yes"],
    "Is Ben Okoro's creatinine high?": ["no"],
    f"Which labs of {LEE} are abnormal?": ["Creatinine", "Hemoglobin"],
    f"What is {LEE}'s haemoglobin?": ["10.1 g/dL"],
    f"{LEE} A1c": ["6.9 %"],
    "What was the troponin of Ben Okoro?": ["<0.01 ng/mL"],
    "Who has a creatinine above 1.5?": ["Ann Lee"],
    "Who has a creatinine of at most 0.9?": ["Ben Okoro"],
    "Who has a creatinine under 0.9?": [],
    "Who has a creatinine of at least 1.9?": ["Ann Lee"],
    "Who has a creatinine over 1.9?": [],
    f"How often does {LEE} take lisinopril?": ["20 mg, 1 per day"],
    "How many patients had a creatinine under 1.1?": ["2"],
    "How many patients have a creatinine under 1.1?": ["1"],
    "How many patients have a troponin over 0?": ["0"],
    f"What was {LEE}'s creatinine before the pneumonia?": [],
    f"What was {LEE}'s creatinine after the pneumonia?": ["1 mg/dL"],
    "Does Cora Diaz smoke?": ["yes"],
    "Does Ben Okoro smoke?": ["no"],
    "Has Ben Okoro ever smoked?": ["yes"],
    "Who smokes?": ["Cora Diaz"],
    "Who has never smoked?": ["Ann Lee"],
    # What was done, refused, planned.
    "Has Ben Okoro had a colonoscopy?": ["no"],
    "Has Ben Okoro never had a colonoscopy?": ["yes"],
    f"Has {LEE} had a colonoscopy?": ["yes"],
    "Which procedure did Ben Okoro refuse?": ["Colonoscopy"],
    "Has Cora Diaz had her mammogram yet?": ["no"],
    "Who had a colonoscopy?": ["Ann Lee"],
    f"When was {LEE} last seen?": ["2021-06-01"],
    f"How many visits has {LEE} had?": ["2"],
    f"When is the next visit of {LEE}?": ["2030-01-01"],
    f"How many times was {LEE} vaccinated against influenza?": ["2"],
    f"What is {LEE} allergic to?": ["Penicillin"],
    f"Is {LEE} allergic to latex?": ["no"],
    f"What reaction does {LEE} have to penicillin?": ["Rash", "Hives"],
    "Does Ben Okoro have any drug allergies?": ["no"],
    f"What did the CT angiography of {LEE} show?": ["No embolism."],
    # Ben Okoro, born 1962, died at 57.
    "How many patients over 60 have hypertension?": ["1"],
    "What is the most common condition among patients?": ["Essential hypertension"],
}


@pytest.mark.parametrize(("question", "expected"), RIGHT.items())
def test_worked_out_by_hand(asked: FormAnswerer, question: str, expected: list[str]) -> None:
    answer = asked.ask(question)
    assert sorted(answer.answers) == sorted(expected), (answer.note, answer.form_text)


REFUSED: dict[str, str] = {
    # Namesakes are asked back, by birth date and id.
    "Does Ann Lee have hypertension?": "1980-07-09",
    "dob Ann Lee": "p2",
    # Nobody is called that; an id is byte for byte.
    "What is Zoe Quill taking?": "no patient Zoe Quill",
    "What is Ann Okoro taking?": "no patient Ann Okoro",
    "When was MRN-8 born?": "MRN-8",
    "张三有高血压吗？": "张三",
    # No record is no no.
    "Does Ben Okoro have asthma?": "no record of asthma",
    "Is 王丽 on lisinopril?": "no record of lisinopril",
    "Has Cora Diaz had a colonoscopy?": "no record of colonoscopy",
    # A word that the form has no use for.
    "What is Ben Okoro's blood type?": "type",
    "What is Ben Okoro's shoe size?": "shoe",
    "Does Ben Okoro have children?": "children",
    "Is Cora Diaz's mother alive?": "mother",
    "What was Ben Okoro's creatinine in 1999?": "nothing that meets",
    "When did Cora Diaz die?": "no death",
    "What is the dose of apixaban for Ben Okoro?": "its dose is not",
    "Does she have asthma?": "names no patient",
}


@pytest.mark.parametrize(("question", "word"), REFUSED.items())
def test_a_refusal_says_why(asked: FormAnswerer, question: str, word: str) -> None:
    answer = asked.ask(question)
    assert answer.answers == []
    said = " ".join([answer.note, *(f"{c.id} {c.born}" for c in answer.candidates)])
    assert word in said


def test_namesakes_are_listed_with_birth_dates_and_ids(asked: FormAnswerer) -> None:
    answer = asked.ask("What is Ann Lee allergic to?")
    assert [(c.id, c.born) for c in answer.candidates] == [
        ("record:ward/p1", "1950-02-03"),
        ("record:ward/p2", "1980-07-09"),
    ]


def test_what_is_left_out_is_told(asked: FormAnswerer) -> None:
    answer = asked.ask(f"What is {LEE} taking?")
    assert {(o.name, o.why) for o in answer.left_out} == {
        ("Lisinopril 10 MG Oral Tablet", "stopped"),
        ("Simvastatin 20 MG Oral Tablet", "on hold"),
    }
    answer = asked.ask("Who has breast cancer?")
    assert answer.answers == []
    assert [(o.name, o.why) for o in answer.left_out] == [
        ("Cora Diaz: Malignant neoplasm of breast", "refuted")
    ]


def test_sources_are_text_with_the_words_marked(asked: FormAnswerer) -> None:
    answer = asked.ask(f"Has {LEE} had a colonoscopy?")
    (quoted,) = answer.quoted
    assert quoted.text[quoted.start : quoted.end] == "Colonoscopy"
    assert answer.sources == [f"chart.json:{quoted.place}"]


def test_what_was_taken_in_is_shown(asked: FormAnswerer) -> None:
    answer = asked.ask("Who has asthma?")
    assert answer.taken_in == {"asthma (name)": ["childhood asthma"]}
    answer = asked.ask("Which patients take a beta blocker?")
    (term,) = answer.taken_in
    assert "stem" in term
    assert answer.taken_in[term] == ["metoprolol tartrate 50 mg oral tablet"]


def test_a_narrower_name_is_not_another_disease(asked: FormAnswerer) -> None:
    # Pulmonary hypertension is no hypertension, a suspected cancer none, a past infarction is past.
    assert "Cora Diaz" not in asked.ask("Who has hypertension?").answers
    assert asked.ask("Who has lung cancer?").answers == []
    assert asked.ask("Who currently has a myocardial infarction?").answers == []


def test_the_form_is_shown_in_words(asked: FormAnswerer) -> None:
    answer = asked.ask("What medications is Ben Okoro currently taking?")
    assert answer.form_text == "drugs, active now · of Ben Okoro, b. 1962-11-30, P2"
    answer = asked.ask("How many patients have hypertension but not diabetes?")
    assert answer.form_text == (
        "number of patients · with conditions: hypertension, active now and without those with "
        "conditions: diabetes, active now"
    )


def confidence(answer: Answer) -> float:
    return answer.confidence


def test_doubt_lowers_confidence(asked: FormAnswerer) -> None:
    sure = confidence(asked.ask("Who takes lisinopril?"))
    assert sure >= 0.9
    assert confidence(asked.ask("Who takes lisinoprol?")) < sure
    assert confidence(asked.ask("Okoro dob")) < 0.9


def test_time_line(asked: FormAnswerer) -> None:
    answer = asked.ask(f"What is {LEE}'s last creatinine?")
    assert [(m.start, m.chosen) for m in answer.timeline] == [
        ("2018-06-01", False),
        ("2020-06-01", False),
        ("2021-06-01", True),
        ("2023-01-01", False),
    ]


def visit(name: str, day: str, setting: str = "") -> Fact:
    detail = {"class": setting} if setting else {}
    return fact("a", "encounter", name, status="completed", start=day, detail=detail)


def test_a_stay_is_told_from_a_visit_by_its_class_or_its_name() -> None:
    stay = visit("Orthopedic admission", "2018-06-16", "IMP")
    office = visit("Check-up", "2019-01-01", "AMB")
    rushed = visit("Emergency room admission", "2020-01-01", "EMER")
    named = visit("Inpatient Visit", "2021-01-01")
    ward = over(*patient("a", "Ed Poe"), stay, office, rushed, named)
    assert ward.ask("When was Ed Poe hospitalised?").answers == ["2018-06-16", "2021-01-01"]
    assert ward.ask("How many admissions did Ed Poe have?").answers == ["2"]
    assert ward.ask("Was Ed Poe seen as an outpatient?").answers == ["yes"]
    assert ward.ask("How many visits did Ed Poe have?").answers == ["4"]
    # "Admitted" is said of emergency rooms, too; "hospitalised" is not.
    assert "inpatient visits alone" in ward.ask("When was Ed Poe admitted?").note
    assert "alone" not in ward.ask("When was Ed Poe hospitalised?").note


def test_no_stay_is_counted_as_none_only_where_every_visit_tells_where_it_was() -> None:
    office, unknown = visit("Check-up", "2019-01-01", "AMB"), visit("Review", "2020-01-01")
    asked = "How many admissions did Ed Poe have?"
    assert over(*patient("a", "Ed Poe"), office).ask(asked).answers == ["0"]
    assert over(*patient("a", "Ed Poe"), office, unknown).ask(asked).answers == []


def test_the_youngest_of_those_with_a_birth_date_to_the_day() -> None:
    ward = over(
        *patient("a", "Ed Poe", birth_date="1990-01-01"),
        *patient("b", "Jo May", birth_date="1992"),
        *patient("c", "Al Ray", birth_date="1980-01-01"),
    )
    assert ward.ask("Who is the youngest patient?").answers == ["Ed Poe"]
    assert ward.ask("Who is the oldest patient?").answers == ["Al Ray"]


def test_an_organ_is_known_by_its_adjective_beside_another_word() -> None:
    kidney = fact("a", "condition", "Chronic kidney disease stage 3")
    lung = fact("a", "condition", "Chronic obstructive pulmonary disease")
    ward = over(*patient("a", "Ed Poe"), kidney, lung)
    assert ward.ask("Does Ed Poe have a renal disease?").answers == ["yes"]
    assert ward.ask("Which lung diseases does Ed Poe have?").answers == [lung.name]
    assert ward.ask("Does Ed Poe have renal?").answers == []
