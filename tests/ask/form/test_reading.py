# ruff: noqa: E501 (a question a line)
"""Questions and the forms that they are read into, in words; each was checked by eye."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer

from .ward import answerer

# fmt: off
READ: dict[str, tuple[str, list[str]]] = {
    "What was MRN-7's creatinine on 12 August 2018?": ('value of results: creatinine, on 2018-08-12 · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine in Aug 2018?": ('value of results: creatinine, from 2018-08-01 to 2018-08-31 · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine on August 12, 2018?": ('value of results: creatinine, on 2018-08-12 · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine on 2018-08-12?": ('value of results: creatinine, on 2018-08-12 · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine on 31/12/2018?": ('value of results: creatinine, on 2018-12-31 · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine on 12/31/2018?": ('value of results: creatinine, on 2018-12-31 · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine since 2019?": ('value of results: creatinine, from 2019-01-01 on · of Ann Lee, b. 1950-02-03, p1', ['1.4 mg/dL', '1.9 mg/dL']),
    "What was MRN-7's creatinine before 2019?": ('value of results: creatinine, until 2018-12-31 · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL']),
    "What was MRN-7's creatinine after 2019?": ('value of results: creatinine, from 2020-01-01 on · of Ann Lee, b. 1950-02-03, p1', ['1.4 mg/dL', '1.9 mg/dL']),
    "What was MRN-7's creatinine until 2019?": ('value of results: creatinine, until 2019-12-31 · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL']),
    "What was MRN-7's creatinine between 2018 and 2020?": ('value of results: creatinine, from 2018-01-01 to 2020-12-31 · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL', '1.4 mg/dL']),
    "What was MRN-7's creatinine from 2018 to 2020?": ('value of results: creatinine, from 2018-01-01 to 2020-12-31 · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL', '1.4 mg/dL']),
    "What was MRN-7's creatinine last year?": ('value of results: creatinine, from 2023-01-01 to 2023-12-31 · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine in the last 2 years?": ('value of results: creatinine, from 2022-06-01 to 2024-06-01 · of Ann Lee, b. 1950-02-03, p1', []),
    'MRN-7 在2018年8月12日的肌酐是多少？': ('value of results: 肌酐, on 2018-08-12 · of Ann Lee, b. 1950-02-03, p1', []),
    'MRN-7 2018年的肌酐是多少？': ('value of results: 肌酐, from 2018-01-01 to 2018-12-31 · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL']),
    'MRN-7 去年的肌酐是多少？': ('value of results: 肌酐, from 2023-01-01 to 2023-12-31 · of Ann Lee, b. 1950-02-03, p1', []),
    'Who has a creatinine of at least 1.5?': ('patients · with results: creatinine, at any time, >= 1.5, latest', ['Ann Lee']),
    'Who has a creatinine between 1 and 2?': ('patients · with results: creatinine, at any time, between 1 and 2, latest', ['Ann Lee']),
    'Who had a creatinine over 1.5 in 2020?': ('patients · with results: creatinine, > 1.5, from 2020-01-01 to 2020-12-31', []),
    'Who has a creatinine of 1.5 or more?': ('patients · with results: creatinine, at any time, >= 1.5, latest', ['Ann Lee']),
    'Who has ever had a creatinine below 1?': ('patients · with results: creatinine, at any time, < 1', ['Ben Okoro']),
    'Who has a high creatinine?': ('patients · with results: creatinine, at any time, above the reference range, latest', ['Ann Lee']),
    'Who has a normal hemoglobin?': ('patients · with results: hemoglobin, at any time, in the reference range, latest', []),
    'Which patients are over 60?': ('patients · age over 60 and without those who died', ['Ann Lee']),
    'Which women aged 40 to 50 have asthma?': ('patients · sex female and age from 40 to 50 and with conditions: asthma, active now and without those who died', []),
    'Which men under 70 take apixaban?': ('patients · sex male and age under 70 and with drugs: apixaban, active now and without those who died', []),
    'Which adults have asthma?': ('patients · age at least 18 and with conditions: asthma, active now and without those who died', ['Cora Diaz']),
    'How many children have asthma?': ('number of patients · age under 18 and with conditions: asthma, active now and without those who died', ['0']),
    'Which patients aged 65 or older have hypertension?': ('patients · age at least 65 and with conditions: hypertension, active now and without those who died', ['Ann Lee']),
    'Who was born before 1960?': ('patients · birth date until 1959-12-31', ['Ann Lee']),
    'Who lives in Leeds?': ('patients · city Leeds', ['Ann Lee', 'Ben Okoro']),
    'Which patients in Leeds have hypertension?': ('patients · city Leeds and with conditions: hypertension, active now', ['Ann Lee', 'Ben Okoro']),
    'Who has hypertension and takes lisinopril but not apixaban?': ('patients · with conditions: hypertension, active now and with drugs: lisinopril, active now and without those with drugs: apixaban, active now', ['Ann Lee']),
    'Who has hypertension or asthma?': ('patients · (with conditions: hypertension, active now or with conditions: asthma, active now)', ['Ann Lee', 'Ben Okoro', 'Cora Diaz']),
    'Who has neither hypertension nor asthma?': ('patients · without those with conditions: hypertension, active now and without those with conditions: asthma, active now', ['Ann Lee', '王丽']),
    'Who takes lisinopril without hypertension?': ('patients · with drugs: lisinopril, active now and without those with conditions: hypertension, active now', []),
    'Who is not on lisinopril?': ('patients · without those with drugs: lisinopril, active now', ['Ann Lee', 'Ben Okoro', 'Cora Diaz', '王丽']),
    'Who has never had pneumonia?': ('patients · without those with conditions: pneumonia, at any time', ['Ann Lee', 'Ben Okoro', 'Cora Diaz', '王丽']),
    'Who died in 2020?': ('patients · who died between 2020-01-01 and 2020-12-31', ['Ben Okoro']),
    'Who is still alive?': ('patients · without those who died', ['Ann Lee', 'Ann Lee', 'Cora Diaz', '王丽']),
    'Is MRN-7 on lisinopril and simvastatin?': ('whether · of Ann Lee, b. 1950-02-03, p1 · with drugs: lisinopril, active now and with drugs: simvastatin, active now', ['no']),
    'Does MRN-7 have hypertension or asthma?': ('whether · of Ann Lee, b. 1950-02-03, p1 · (with conditions: hypertension, active now or with conditions: asthma, active now)', ['yes']),
    "What were MRN-7's hemoglobin and creatinine?": ('value of results: hemoglobin and creatinine, at any time, latest · of Ann Lee, b. 1950-02-03, p1', ['1.9 mg/dL', '10.1 g/dL']),
    "What was MRN-7's highest creatinine?": ('value of results: creatinine, at any time, highest · of Ann Lee, b. 1950-02-03, p1', ['1.9 mg/dL']),
    "Has MRN-7's creatinine increased?": ('trend of results: creatinine, active now · whether rising · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    'When did MRN-7 last have a creatinine?': ('date of results: creatinine, at any time, latest · of Ann Lee, b. 1950-02-03, p1', ['2021-06-01']),
    'Which drugs were prescribed to MRN-7 in 2012?': ('drugs, from 2012-01-01 to 2012-12-31 · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 20 MG Oral Tablet']),
    'Which drugs was MRN-7 on in 2012?': ('drugs, from 2012-01-01 to 2012-12-31 · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 20 MG Oral Tablet']),
    'Which confirmed conditions does Cora Diaz have?': ('conditions, confirmed, active now · of Cora Diaz, b. 1971-01-01, p3', ['Childhood asthma', 'History of myocardial infarction', 'Pulmonary hypertension']),
    'Which diagnoses of Cora Diaz were entered in error?': ('conditions, entered in error · of Cora Diaz, b. 1971-01-01, p3', ['Systemic lupus erythematosus']),
    "Why was MRN-7's lisinopril stopped?": ('why it ended: drugs: lisinopril, whatever became of it · of Ann Lee, b. 1950-02-03, p1', []),
    'What is the most common drug?': ('most frequent of drugs, active now · all patients', ['Apixaban 5 MG Oral Tablet', 'Lisinopril 20 MG Oral Tablet', 'Metoprolol tartrate 50 MG Oral Tablet']),
    'What are the most common conditions of women?': ('most frequent of conditions, active now · sex female', ['Celiac disease', 'Childhood asthma', 'Essential hypertension', 'History of myocardial infarction', 'Pulmonary hypertension', 'Suspected lung cancer']),
    "Did Cora Diaz's mother have a stroke?": ('whether conditions: stroke, of the mother, whatever became of it · of Cora Diaz, b. 1971-01-01, p3', []),
    'Does Cora Diaz have a family history of stroke?': ('whether conditions: stroke, of the family, whatever became of it · of Cora Diaz, b. 1971-01-01, p3', ['yes']),
    "Was MRN-7's creatinine ever too high?": ('whether results: creatinine, at any time, above the reference range · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    'Who used to smoke?': ('patients · with results: smoke, at any time, former, latest', ['Ben Okoro']),
    'Which vaccines has MRN-7 had?': ('vaccinations, at any time · of Ann Lee, b. 1950-02-03, p1', ['Influenza vaccine']),
    'How often was MRN-7 seen in 2020?': ('how many times visits, from 2020-01-01 to 2020-12-31 · of Ann Lee, b. 1950-02-03, p1', ['1']),
    'MRN-7 pneumonia': ('whether conditions: pneumonia, at any time · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    'pneumonia MRN-7?': ('whether conditions: pneumonia, at any time · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    'Wang Li dob': ('birth date · of 王丽, b. 1990-10-10, p4', ['1990-10-10']),
    '李 dob': ('there is no patient 李 in these records', []),
    'Is Ben Okoro no longer alive?': ('whether · of Ben Okoro, b. 1962-11-30, P2 · who died', ['yes']),
    'Which patients aged between 40 and 60 have asthma?': ('patients · age from 40 to 60 and with conditions: asthma, active now and without those who died', ['Cora Diaz']),
    'Who takes a statin?': ('patients · with drugs: statin, active now', []),
    'Who is on warfarin?': ('patients · with drugs: warfarin, active now', []),
    'Who takes lisinoprol?': ('patients · with drugs: lisinoprol, active now', ['Ann Lee']),
}
# fmt: on


@pytest.fixture(scope="module")
def asked() -> FormAnswerer:
    return answerer()


@pytest.mark.parametrize(("question", "read"), READ.items())
def test_read_into_a_form(asked: FormAnswerer, question: str, read: tuple[str, list[str]]) -> None:
    answer = asked.ask(question)
    assert (answer.form_text or answer.note, sorted(answer.answers)) == read
