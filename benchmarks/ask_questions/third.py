# ruff: noqa: E501 (a question a line)
# fmt: off
"""The third set: vaccines, care plans, ages, and wordings that the first two lack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ask_questions.records import (
    HM,
    PEOPLE,
    S5,
    TODAY,
    cohort,
    generic,
    n,
    on,
    people,
    result,
    sex,
    sick,
    table,
    text,
)


def questions() -> Iterator[tuple[Any, ...]]:
    """A third set: vaccines, care plans, ages, and wordings that the first two lack."""
    h, five, big = "handmade", "synthea5", "synthea615"
    # Questions in the present about an age are about the living.
    living = {i for i, p in PEOPLE.items() if not p['deceased']}
    def old(years):  # type: ignore[no-untyped-def]
        return {i for i, p in PEOPLE.items() if p['birthDate'] <= f'{TODAY.year - years:04}{TODAY.isoformat()[4:]}'}
    yield ('immunizations', 'full', h, 'Which vaccinations did Fatima Al-Sayed get?', 'names', [['COVID-19 mRNA vaccine']])
    yield ('immunizations', 'full', h, 'Was Fatima Al-Sayed vaccinated against influenza?', 'bool', ['no'])
    yield ('immunizations', 'full', h, 'When did Fatima Al-Sayed receive her last COVID vaccine?', 'date', ['2021-06-14'])
    yield ('immunizations', 'terse', h, 'covid jabs Fatima Al-Sayed', 'names', [['COVID-19 mRNA vaccine']], {'or_refusal': True})
    yield ('immunizations', 'full', h, 'Has Carlos Mendez been immunised against pneumococcus?', 'bool', ['yes'], {'or_refusal': True})
    yield ('immunizations', 'full', h, 'Who got a COVID-19 vaccine?', 'patients', *people('hm-007'))
    yield ('immunizations', 'full', five, 'How many flu shots has Marc Corkery had?', 'count', [str(sum('nfluenza' in text(r['vaccineCode']) for r in S5.of('Corkery', 'Immunization')))])
    yield ('immunizations', 'full', five, 'When was Pete Hirthe last vaccinated against the flu?', 'date', [max(r['occurrenceDateTime'][:10] for r in S5.of('Hirthe', 'Immunization') if 'nfluenza' in text(r['vaccineCode']))])
    def plans(who):  # type: ignore[no-untyped-def]
        return generic(sorted({text(r['category'][-1]) for r in S5.of(who, 'CarePlan') if r['status'] == 'active'}))
    yield ('careplans', 'full', five, 'Which care plans are active for Marc Corkery?', 'names', plans('Corkery'))
    yield ('careplans', 'full', five, 'What care plan is Raymon Kris on?', 'names', plans('Raymon'))
    yield ('careplans', 'full', big, 'How many patients have a diabetes self management plan?', 'count', n({r['patient'] for r in table('careplans') if r['category'] == 'Diabetes self management plan'}))
    yield ('cohort_age_sex', 'full', big, 'How many patients are older than 80?', 'count', n(old(81) & living))
    yield ('cohort_age_sex', 'full', big, 'How many patients over 65 have hypertension?', 'count', n(sick('hypertension') & old(66) & living))
    yield ('cohort_age_sex', 'full', big, 'How many women aged 50 or more have osteoporosis?', 'count', n(sick('osteoporosis') & old(50) & sex('female') & living), {'or_refusal': True})
    yield ('cohort_age_sex', 'full', big, 'How many men under 40 take albuterol?', 'count', n(on('albuterol') - old(40) & sex('male') & living))
    yield ('cohort_age_sex', 'full', big, 'How many children have asthma?', 'count', n(sick('asthma') - old(18) & living))
    yield ('demographics', 'full', h, 'How old is Robert Nguyen?', 'age', [str(TODAY.year - 1970 - (TODAY.isoformat()[5:] < '11-30')), '1970-11-30'])
    yield ('demographics', 'full', h, "What is Margaret O'Neill's maiden name?", 'names', [['Margaret Byrne', 'Byrne']], {'or_refusal': True})
    yield ('demographics', 'chatty', h, 'do we know where Ana Sousa lives?', 'names', [['Porto']])
    yield ('demographics', 'full', h, 'Which patients live in Leeds?', 'patients', *people('hm-002', 'hm-007'))
    yield ('demographics', 'full', h, 'How many male patients are there?', 'count', [str(sum(p['gender'] == 'male' for p in HM.patient.values()))])
    yield ('alive_dead', 'full', h, 'Is Grace Kim dead?', 'bool', ['no'], {'or_refusal': True})
    yield ('alive_dead', 'full', h, "In what year did Margaret O'Neill die?", 'date', ['2021-11-02'])
    yield ('meds_past', 'full', h, 'When did Priya Raman stop ferrous sulfate?', 'date', ['2018-09-01'])
    yield ('meds_past', 'full', h, "Why was Priya Raman's lisinopril stopped?", 'names', [['Drug-induced cough']], {'or_refusal': True})
    yield ('meds_past', 'full', h, 'Which antibiotics has Priya Raman taken?', 'names', [['Amoxicillin 500 MG Oral Capsule']])
    yield ('meds_current', 'full', h, 'Is anyone on digoxin?', 'patients', [], {'or_refusal': True})
    yield ('meds_current', 'full', h, 'Does Helga Brandt take any medication?', 'bool', ['yes'])
    yield ('meds_current', 'full', h, "What is Margaret O'Neill taking for atrial fibrillation?", 'names', [['Apixaban 5 MG Oral Tablet']])
    yield ('dose', 'full', h, 'How often does Priya Raman take losartan?', 'contains', [['1 per day']])
    yield ('dose', 'full', h, 'What strength of sumatriptan does Helga Brandt have?', 'number', [50])
    yield ('latest_value', 'abbrev', h, 'K+ Wei Li', 'number', [4.4])
    yield ('latest_value', 'full', h, "What is the newest reading of Robert Nguyen's blood pressure?", 'number', [138, 84])
    yield ('latest_value', 'full', h, "Tell me Sandra Kowalski's most recent blood sugar.", 'number', [101])
    yield ('latest_value', 'full', h, "What was Sandra Kowalski's highest glucose?", 'number', [310])
    yield ('latest_value', 'full', h, "What was the result of Sandra Kowalski's pregnancy test?", 'contains', [['false', 'negative']])
    yield ('value_at_date', 'full', h, "What was Robert Nguyen's blood pressure in December 2019?", 'number', [150, 90])
    yield ('value_at_date', 'full', h, 'Which creatinine did Robert Nguyen have in 2018?', 'number', [1.0])
    yield ('value_at_date', 'full', h, "How much was Ana Sousa's HbA1c in January 2020?", 'number', [7.1])
    yield ('abnormal', 'full', h, 'Is any result of Helga Brandt abnormal?', 'bool', ['no'], {'or_refusal': True})
    yield ('abnormal', 'full', h, "Was Wei Li's potassium ever too high?", 'bool', ['yes'])
    yield ('abnormal', 'full', h, "Which of David Cohen's LDL values were above the reference range?", 'number', [162])
    yield ('trend', 'full', h, "Has MRN-40022's A1c improved or worsened?", 'refusal', 'refusal')
    yield ('trend', 'full', h, 'Did the creatinine of Robert Nguyen go up between 2018 and 2020?', 'bool', ['yes'])
    yield ('visits', 'full', h, 'Was Priya Raman seen in 2021?', 'bool', ['yes'])
    yield ('visits', 'full', h, "When was Margaret O'Neill admitted?", 'date', ['2020-01-15'], {'alt': [['2016-05-20', '2020-01-15', '2021-10-20']]})
    yield ('visits', 'full', h, "How many cardiology visits did Margaret O'Neill have?", 'count', ['2'])
    yield ('visits', 'full', h, 'Why was David Cohen hospitalised?', 'refusal', 'refusal')
    yield ('counts', 'full', h, 'How many patients are there?', 'count', ['14'])
    yield ('counts', 'full', h, 'How many patients have CKD?', 'count', ['2'])
    yield ('cohort_and', 'full', big, 'Which patients have both gout and osteoporosis?', 'patients', *cohort(sick('gout') & sick('osteoporosis')))
    yield ('cohort_and', 'full', big, 'Which women with epilepsy take diazepam?', 'patients', *cohort(sick('epilepsy') & on('diazepam') & sex('female')))
    yield ('cohort_and', 'full', big, 'How many patients have hypertension, prediabetes and anemia?', 'count', n(sick('hypertension') & sick('prediabetes') & sick('anemia')))
    yield ('cohort_not', 'full', big, 'Who takes warfarin but does not have atrial fibrillation?', 'patients', *cohort(on('warfarin') - sick('atrial fibrillation')), {'or_refusal': True})
    yield ('cohort_not', 'full', big, 'How many patients with hypertension take neither hydrochlorothiazide nor amlodipine?', 'count', n(sick('hypertension') - on('hydrochlorothiazide') - on('amlodipine')))
    yield ('cohort_not', 'full', big, "How many diabetic patients aren't taking insulin or metformin?", 'count', n(sick('diabetes') - on('insulin') - on('metformin')))
    yield ('cohort_value', 'full', big, 'Which patients have an HbA1c greater than 9?', 'patients', *cohort(result('Hemoglobin A1c/Hemoglobin.total in Blood', lambda v: v > 9)), {'or_refusal': True})
    yield ('cohort_value', 'full', big, 'How many patients with diabetes have an LDL below 70?', 'count', n(sick('diabetes') & result('Low Density Lipoprotein Cholesterol', lambda v: v < 70)))
    yield ('drug_class', 'full', big, 'How many patients take a calcium channel blocker?', 'count', n(on('amlodipine', 'verapamil')))
    yield ('drug_class', 'full', big, 'How many patients on a statin also take an NSAID?', 'count', n(on('statin') & on('naproxen', 'ibuprofen', 'aspirin')))
    yield ('drug_class', 'full', h, 'Is Robert Nguyen taking an antidepressant?', 'bool', ['no'])
    yield ('allergies', 'full', h, 'Are there patients allergic to sulfonamides?', 'patients', *people('hm-002'))
    yield ('allergies', 'full', h, "What are Fatima Al-Sayed's allergies?", 'names', [['Penicillin'], ['Peanut']], {'alt': [[['Penicillin']]]})
    yield ('refuted', 'full', h, "Which of Sandra Kowalski's diagnoses were ruled out?", 'names', [['Pulmonary embolism']])
    yield ('refuted', 'full', h, "Which conditions of Margaret O'Neill were entered in error?", 'names', [['Systemic lupus erythematosus']])
    yield ('status', 'full', h, 'Does Ana Sousa have celiac disease?', 'bool', ['yes'], {'or_refusal': True})
    yield ('status', 'full', five, 'Which conditions of Raymon Kris are still active?', 'names', generic(sorted({text(r['code']) for r in S5.of('Raymon', 'Condition') if r['clinicalStatus']['coding'][0]['code'] == 'active'})))
    yield ('status', 'full', h, "How long did Robert Nguyen's pneumonia last?", 'contains', [['26 days']])
    yield ('family', 'full', h, "At what age did Sandra Kowalski's mother get breast cancer?", 'refusal', 'refusal')
    yield ('family', 'full', h, 'Does Sandra Kowalski have breast cancer?', 'bool', ['no'], {'or_refusal': True})
    yield ('procedures', 'full', h, 'When did David Cohen undergo PCI?', 'date', ['2017-03-01'])
    yield ('procedures', 'full', h, 'Which procedures are planned for Grace Kim?', 'names', [['Screening mammography']])
    yield ('procedures', 'full', h, 'Why did Carlos Mendez not have a colonoscopy?', 'names', [['Patient refused']], {'or_refusal': True})
    yield ('ambiguous', 'full', h, 'Is James Wilson asthmatic?', 'ambiguous', 'ambiguous', {'between': [['hm-002', '1961-07-04'], ['hm-003', '1984-01-19']]})
    yield ('ids', 'full', h, 'When was the James Wilson from York born?', 'date', ['1984-01-19'])
    for what in (
        "What is Grace Kim's hair colour?",
        "Will Robert Nguyen need dialysis?",
        "Which pharmacy does Priya Raman use?",
        "What is Wei Li's insurance number?",
        "How is David Cohen feeling?",
        "What does Thomas Becker eat?",
        "Who referred Helga Brandt?",
    ):
        yield ('unanswerable', 'full', h, what, 'refusal', 'refusal')
