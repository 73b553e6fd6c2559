# ruff: noqa: E501 (a question a line)
"""Constructions rather than words: exceptions, comparisons of two times, days of events, who speaks; the
forms that they are read into, in words, each checked by eye."""

from __future__ import annotations

import pytest

from osler.ask.form.answering import FormAnswerer
from osler.ask.form.certainty import DOUBTED, SURE, UNTRIED, confidence

from .ward import answerer

# fmt: off
READ: dict[str, tuple[str, list[str]]] = {
    'Apart from lisinopril, what is MRN-7 on hold?': ('drugs, other than lisinopril, on hold · of Ann Lee, b. 1950-02-03, p1', ['Simvastatin 20 MG Oral Tablet']),
    'Other than penicillin, what is MRN-7 allergic to?': ('allergies, other than penicillin, active now · of Ann Lee, b. 1950-02-03, p1', []),
    'Which conditions besides asthma does Cora Diaz have?': ('conditions, other than asthma, active now · of Cora Diaz, b. 1971-01-01, p3', ['Celiac disease', 'History of myocardial infarction', 'Pulmonary hypertension']),
    'Does Cora Diaz have any conditions other than asthma and pulmonary hypertension?': ('whether conditions, other than asthma and pulmonary hypertension, active now · of Cora Diaz, b. 1971-01-01, p3', ['yes']),
    'Asthma apart, which conditions does Cora Diaz have?': ('conditions, other than Asthma, active now · of Cora Diaz, b. 1971-01-01, p3', ['Celiac disease', 'History of myocardial infarction', 'Pulmonary hypertension']),
    '除了哮喘，Cora Diaz 有什么病？': ('conditions, other than 哮喘, at any time · of Cora Diaz, b. 1971-01-01, p3', ['Celiac disease', 'History of myocardial infarction', 'Pulmonary hypertension']),
    'Which patients except Ben Okoro have hypertension?': ('not understood: “except”', []),
    'Who has hypertension except those with diabetes?': ('patients · with conditions: hypertension, active now and without those with conditions: diabetes, active now', ['Ann Lee']),
    "Which of Cora Diaz's parents had a stroke?": ('which relatives have conditions: stroke, of the parent, whatever became of it · of Cora Diaz, b. 1971-01-01, p3', ['father']),
    'Has Cora Diaz herself or her father had a stroke?': ('not understood in this place: herself', []),
    "Is MRN-7's creatinine below 1.5?": ('whether results: creatinine, active now, < 1.5, latest · of Ann Lee, b. 1950-02-03, p1', ['no']),
    "Was MRN-7's first creatinine below 1.5?": ('whether results: creatinine, at any time, < 1.5, first · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    "Was MRN-7's creatinine ever below 1.5?": ('whether results: creatinine, at any time, < 1.5 · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    "Was MRN-7's last creatinine below 1.5?": ('whether results: creatinine, at any time, < 1.5, latest · of Ann Lee, b. 1950-02-03, p1', ['no']),
    "Is MRN-7's A1c normal?": ('whether results: A1c, active now, in the reference range, latest · of Ann Lee, b. 1950-02-03, p1', []),
    "Cora Diaz's statin?": ('whether drugs: statin, active now · of Cora Diaz, b. 1971-01-01, p3', []),
    "Ben Okoro's beta blocker?": ('whether drugs: beta blocker, active now · of Ben Okoro, b. 1962-11-30, P2', ['yes']),
    'mrn 7000 dob': ('not understood: “7000”', []),
    'What does mrn-7 take?': ('drugs, active now · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 20 MG Oral Tablet']),
    'Show me patients with asthma': ('patients · with conditions: asthma, active now', ['Cora Diaz']),
    'Show the creatinine history of MRN-7': ('value of results: creatinine, at any time · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL', '1.4 mg/dL', '1.9 mg/dL']),
    'Does MRN-7 know about her hypertension?': ('not understood: “know”', []),
    'Do we know whether MRN-7 has hypertension?': ('whether conditions: hypertension, active now · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    'Does Ben Okoro want apixaban?': ('not understood: “want”', []),
    'Which women born before 1960 have hypertension?': ('patients · sex female and birth date until 1959-12-31 and with conditions: hypertension, active now', ['Ann Lee']),
    'Who born before 1960 had a colonoscopy in 2017?': ('patients · birth date until 1959-12-31 and with procedures: colonoscopy, from 2017-01-01 to 2017-12-31', ['Ann Lee']),
    'How many deaths were there in 2020?': ('number of patients · who died between 2020-01-01 and 2020-12-31', ['1']),
    'Which patients with hypertension died in 2020?': ('patients · who died between 2020-01-01 and 2020-12-31 and with conditions: hypertension, active now', ['Ben Okoro']),
    'In whom has creatinine never been measured?': ('patients · without those with results: creatinine, at any time', ['Ann Lee', 'Cora Diaz', '王丽']),
    'Whose creatinine was never high?': ('patients · with results: creatinine, at any time and without those with results: creatinine, at any time, above the reference range', ['Ben Okoro']),
    'Whose creatinine has ever been normal?': ('patients · with results: creatinine, at any time, in the reference range', ['Ann Lee', 'Ben Okoro']),
    'Who is without a high creatinine?': ('patients · without those with results: creatinine, at any time, above the reference range, latest', ['Ann Lee', 'Ben Okoro', 'Cora Diaz', '王丽']),
    'Which of them take apixaban?': ('patients · with drugs: apixaban, active now', ['Ben Okoro']),
    "Is MRN-7's creatinine higher than in 2018?": ('trend of results: creatinine, from 2018-01-01 on · whether rising · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    "Was MRN-7's creatinine lower in 2018 than in 2021?": ('trend of results: creatinine, from 2018-01-01 to 2021-12-31 · whether rising · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    "What was MRN-7's hemoglobin on the day of her colonoscopy?": ('value of results: hemoglobin, on the day of colonoscopy, first · of Ann Lee, b. 1950-02-03, p1', []),
    "What was MRN-7's creatinine at the time of the pneumonia?": ('value of results: creatinine, on the day of pneumonia, first · of Ann Lee, b. 1950-02-03, p1', []),
    'After the colonoscopy, what was the first creatinine of MRN-7?': ('value of results: creatinine, after colonoscopy, first · of Ann Lee, b. 1950-02-03, p1', ['1 mg/dL']),
    'How old was Ben Okoro when his diabetes was diagnosed?': ('age · on the day of diabetes · of Ben Okoro, b. 1962-11-30, P2', ['49']),
    'How old was Ben Okoro at his stroke?': ('age · on the day of stroke · of Ben Okoro, b. 1962-11-30, P2', []),
    'What did C. Diaz take?': ('drugs, at any time · of Cora Diaz, b. 1971-01-01, p3', ['Amoxicillin 500 MG Oral Capsule']),
    'C. Okoro dob': ('not understood: “C”', []),
    'How many cigarettes does Cora Diaz smoke?': ('how many is not told: “cigarettes” is a result in words', []),
    'What was MRN-7 on before?': ('drugs, past · of Ann Lee, b. 1950-02-03, p1', ['Lisinopril 10 MG Oral Tablet']),
    "What was MRN-7's creatinine when last measured?": ('value of results: creatinine, at any time, latest · of Ann Lee, b. 1950-02-03, p1', ['1.9 mg/dL']),
    'Against what has MRN-7 been vaccinated?': ('vaccinations, at any time · of Ann Lee, b. 1950-02-03, p1', ['Influenza vaccine']),
    'Which condition is lisinopril treating in MRN-7?': ('reason for drugs: lisinopril, at any time · of Ann Lee, b. 1950-02-03, p1', ['Essential hypertension']),
    'Whose id is MRN-7?': ('patients · of Ann Lee, b. 1950-02-03, p1', ['Ann Lee']),
    "Is Ben Okoro's troponin positive?": ('“troponin” is no result in words: what would be positive?', []),
    "Has Cora Diaz's blood-pressure risen?": ('not understood in this place: risen', []),
    "Does Cora Diaz's treatment include amoxicillin?": ('whether drugs: amoxicillin, active now · of Cora Diaz, b. 1971-01-01, p3', ['no']),
    'How many visits did MRN-7 make?': ('number of visits, at any time · of Ann Lee, b. 1950-02-03, p1', ['2']),
    'What did MRN-7 make?': ('not understood: “make”', []),
    'Who has hypertension coexisting with diabetes?': ('patients · with conditions: hypertension, active now and with conditions: diabetes, active now', ['Ben Okoro']),
    'In how many does creatinine not reach 1.5?': ('number of patients · with results: creatinine, at any time, < 1.5, latest', ['1']),
    'I understand that Ben Okoro has died; on what date was that?': ('death · of Ben Okoro, b. 1962-11-30, P2', ['2020-05-06']),
    'State whether MRN-7 takes lisinopril': ('whether drugs: lisinopril, active now · of Ann Lee, b. 1950-02-03, p1', ['yes']),
    '从2018年到2021年，MRN-7 的肌酐是上升还是下降？': ('trend of results: 肌酐, from 2018-01-01 to 2021-12-31 · of Ann Lee, b. 1950-02-03, p1', ['rising']),
}
# fmt: on


@pytest.fixture(scope="module")
def asked() -> FormAnswerer:
    return answerer()


@pytest.mark.parametrize(("question", "read"), READ.items())
def test_read_into_a_form(asked: FormAnswerer, question: str, read: tuple[str, list[str]]) -> None:
    answer = asked.ask(question)
    assert (answer.form_text or answer.note, sorted(answer.answers)) == read


@pytest.mark.parametrize(
    "question",
    [
        "Was MRN-7's creatinine lower in 2018 than in 2021?",
        "Who is without a high creatinine?",
        "Who has hypertension or asthma and takes apixaban?",
    ],
)
def test_what_leans_on_a_guess_stays_under_nine_tenths(asked: FormAnswerer, question: str) -> None:
    answer = asked.ask(question)
    assert answer.answers
    assert answer.confidence < 0.9


def test_confidence_by_wording_and_doubt() -> None:
    assert confidence(1.0, new=False) == SURE
    assert confidence(1.0, new=True) == pytest.approx(min(SURE * UNTRIED, DOUBTED))
    assert confidence(0.9, new=False) == DOUBTED
    # By hand: 0.9 * 0.81 ** 0.25 = 0.85381; 0.98 * 0.75 = 0.735; 0.98 * 0.91 * 0.8 = 0.71344.
    assert confidence(0.81, new=False, sure=0.9) == pytest.approx(0.85381, abs=1e-5)
    assert confidence(0.75, new=False) == pytest.approx(0.735)
    assert confidence(0.8, new=True) == pytest.approx(0.71344)
