# ruff: noqa: E501 (a question a line)
"""Constructions of strangers' questions, and what they are read into; each was checked by eye."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .ward import answerer

# fmt: off
READ: dict[str, tuple[str, list[str]]] = {
    'Any allergies of MRN-7 I should hand over?': ('allergies, active now · of Ann Lee, b. 1950-02-03, p1', ['Penicillin']),
    'Before I ring the family: is Ben Okoro dead?': ('whether · of Ben Okoro, b. 1962-11-30, P2 · who died', ['yes']),
    'Which patients have a creatinine over 1.5, so that I can check their doses?': ('patients · with results: creatinine, at any time, > 1.5, latest', ['Ann Lee']),
    'Which drugs of MRN-7 I should stop?': ('“should”: that asks for advice; records only tell what is and was', []),
    "Before we started lisinopril, what was MRN-7's creatinine?": ('value of results: creatinine, before lisinopril, latest · of Ann Lee, b. 1950-02-03, p1', []),
    "What is MRN-7's date of birth, could it be supplied?": ('birth date · of Ann Lee, b. 1950-02-03, p1', ['1950-02-03']),
    'Should MRN-7 be told?': ('“Should”: that asks for advice; records only tell what is and was', []),
    'What is the creatinine of the Ann Lee who lives in Leeds?': ('value of results: creatinine, active now, latest · of Ann Lee, b. 1950-02-03, p1', ['1.9 mg/dL']),
    'Give every creatinine of the Ann Lee who resides in Leeds, oldest first': ('value of results: creatinine, at any time · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL', '1.4 mg/dL', '1.9 mg/dL']),
    'Okoro B creatinine': ('value of results: creatinine, at any time, latest · of Ben Okoro, b. 1962-11-30, P2', ['0.9 mg/dL']),
    'Lee A creatinine': ('value of results: creatinine, at any time, latest · of Ann Lee, b. 1950-02-03, p1 or Ann Lee, b. 1980-07-09, p2', []),
    "Which of MRN-7's problems has not resolved?": ('conditions, active now · of Ann Lee, b. 1950-02-03, p1', ['Essential hypertension']),
    "Which of MRN-7's drugs were not stopped?": ('drugs, active now · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 20 MG Oral Tablet']),
    "Has MRN-7's pneumonia not resolved?": ('whether conditions: pneumonia, past · asked in the negative · of Ann Lee, b. 1950-02-03, p1', ['no']),
    'Which suspected diagnosis was ruled out in Cora Diaz?': ('conditions, refuted, at any time · of Cora Diaz, b. 1971-01-01, p3', ['Malignant neoplasm of breast']),
    'Since Ben Okoro started apixaban, what was his creatinine?': ('value of results: creatinine, after apixaban, first · of Ben Okoro, b. 1962-11-30, P2', ['0.9 mg/dL']),
    "What was MRN-7's creatinine after she was diagnosed with hypertension?": ('value of results: creatinine, after hypertension, first · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL']),
    'Before being switched to lisinopril, what drugs did MRN-7 take?': ('drugs, before lisinopril · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine after lisinopril was begun?": ('value of results: creatinine, after lisinopril, first · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL']),
    'Leaving out what was stopped or put on hold, what does MRN-7 take?': ('drugs, active now · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 20 MG Oral Tablet']),
    "What is MRN-7's highest creatinine, disregarding any entry made in error?": ('value of results: creatinine, active now, highest · of Ann Lee, b. 1950-02-03, p1', ['1.9 mg/dL']),
    'Leaving aside the appointment that was cancelled, when was MRN-7 last seen?': ('date of visits, at any time, latest · of Ann Lee, b. 1950-02-03, p1', ['2021-06-01']),
    'Whose creatinine falls between 1 and 2?': ('patients · with results: creatinine, at any time, between 1 and 2, latest', ['Ann Lee']),
    "Did MRN-7's creatinine fall between 2018 and 2020?": ('trend of results: creatinine, from 2018-01-01 to 2020-12-31 · whether falling · of Ann Lee, b. 1950-02-03, p1', ['no']),
    'At what age did Cora Diaz die?': ('age · of Cora Diaz, b. 1971-01-01, p3 · who died', []),
    'When was MRN-7 given her second influenza dose?': ('date of vaccinations: influenza, at any time, first, number 2 · of Ann Lee, b. 1950-02-03, p1', ['2021-10-01']),
    'What does MRN-7 take besides the simvastatin and the lisinopril mixture?': ('drugs, other than simvastatin and lisinopril, active now · of Ann Lee, b. 1950-02-03, p1', []),
    'Which mixture does MRN-7 take?': ('not understood: “mixture”', []),
    'How often has lisinopril been prescribed to MRN-7?': ('how many times drugs: lisinopril, at any time · of Ann Lee, b. 1950-02-03, p1', ['2']),
    'How often is lisinopril prescribed to MRN-7?': ('dose of drugs: lisinopril, at any time · of Ann Lee, b. 1950-02-03, p1', ['20 mg, 1 per day']),
    "What was MRN-7's creatinine at the time?": ('not understood: “at the time”', []),
    "What was MRN-7's creatinine at the time hypertension was diagnosed?": ('value of results: creatinine, on the day of hypertension, first · of Ann Lee, b. 1950-02-03, p1', []),
    'Whose creatinine exceeds the upper reference limit?': ('patients · with results: creatinine, at any time, above the reference range, latest', ['Ann Lee']),
    'Who qualifies for a statin?': ('“qualifies for”: that asks for advice; records only tell what is and was', []),
    'Hypertension without diabetes: who qualifies?': ('patients · with conditions: Hypertension, active now and without those with conditions: diabetes, active now', ['Ann Lee']),
    'Hypertension and/or asthma: which patients?': ('patients · (with conditions: Hypertension, active now or with conditions: asthma, active now)', ['Ann Lee', 'Ben Okoro', 'Cora Diaz']),
    "What is MRN-7's sex for the wristband?": ('sex · of Ann Lee, b. 1950-02-03, p1', ['female']),
    'Which drugs can I give MRN-7?': ('“can I”: that asks for advice; records only tell what is and was', []),
    'I should be grateful for the last creatinine of MRN-7.': ('value of results: creatinine, at any time, latest · of Ann Lee, b. 1950-02-03, p1', ['1.9 mg/dL']),
    'Which ACE inhibitor preceded simvastatin in MRN-7?': ('drugs: ACE inhibitor, before simvastatin · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 10 MG Oral Tablet']),
    'This lady, MRN-7, what is she on?': ('drugs, active now · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 20 MG Oral Tablet']),
    'Is this gentleman, Ben Okoro, still alive?': ('whether · of Ben Okoro, b. 1962-11-30, P2 · without those who died', ['no']),
    'Is this lady, Ben Okoro, still alive?': ('not understood in this place: still alive', []),
    'What does this woman Ann Lee take?': ('drugs, active now · of Ann Lee, b. 1950-02-03, p1 or Ann Lee, b. 1980-07-09, p2', []),
    'Is Ben Okoro a gentleman?': ('whether · of Ben Okoro, b. 1962-11-30, P2 · sex male', ['yes']),
    'My mum is MRN-7, what tablets is she on?': ('drugs, active now · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 20 MG Oral Tablet']),
    'what tablets does my mum MRN-7 take': ('drugs, active now · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 20 MG Oral Tablet']),
    'Did the father of my aunt Cora Diaz have a stroke?': ('whether conditions: stroke, of the father, whatever became of it · of Cora Diaz, b. 1971-01-01, p3', ['yes']),
    "Did Cora Diaz's father have a stroke?": ('whether conditions: stroke, of the father, whatever became of it · of Cora Diaz, b. 1971-01-01, p3', ['yes']),
    'The late Ben Okoro - when did he die?': ('death · of Ben Okoro, b. 1962-11-30, P2', ['2020-05-06']),
    'Does the record disclose whether MRN-7 ever had pneumonia?': ('whether conditions: pneumonia, at any time · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    'Kindly advise as to the date on which MRN-7 was last seen.': ('date of visits, at any time, latest · of Ann Lee, b. 1950-02-03, p1', ['2021-06-01']),
    "Would it be possible to have MRN-7's last creatinine?": ('value of results: creatinine, at any time, latest · of Ann Lee, b. 1950-02-03, p1', ['1.9 mg/dL']),
    'Is it OK to give MRN-7 penicillin?': ('“Is it OK”: that asks for advice; records only tell what is and was', []),
    'N subjects with hypertension': ('number of patients · with conditions: hypertension, active now', ['2']),
    'Number of subjects exposed to lisinopril': ('number of patients · with drugs: lisinopril, at any time', ['1']),
    "By how much did MRN-7's creatinine rise?": ('not understood in this place: how much', []),
    "What did MRN-7's creatinine climb to?": ('not understood in this place: climb', []),
    'Did Ben Okoro go ahead with the colonoscopy?': ('whether procedures: colonoscopy, at any time · of Ben Okoro, b. 1962-11-30, P2', ['no']),
    'MRN-7: pneumonia - when did it clear?': ('end of conditions: pneumonia, at any time · of Ann Lee, b. 1950-02-03, p1', ['2018-02-01']),
}
# fmt: on


@pytest.fixture(scope="module")
def asked() -> FormAnswerer:
    return answerer()


@pytest.mark.parametrize(("question", "read"), READ.items())
def test_read_into_a_form(asked: FormAnswerer, question: str, read: tuple[str, list[str]]) -> None:
    answer = asked.ask(question)
    assert (answer.form_text or answer.note, sorted(answer.answers)) == read
