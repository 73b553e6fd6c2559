# ruff: noqa: E501 (a question a line)
# fmt: off
"""The fifth set: written after the faults of the fourth were cured, before it was asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ask_questions.fourth import HBA1C, WILSONS, older
from ask_questions.records import (
    CONDITIONS,
    HM,
    PEOPLE,
    RESULTS,
    S5,
    allergic,
    cohort,
    did,
    generic,
    last,
    n,
    on,
    people,
    result,
    sex,
    sick,
    year,
)


def questions() -> Iterator[tuple[Any, ...]]:
    h, five, big = "handmade", "synthea5", "synthea615"
    def now(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'active'))
    def past(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'stopped', 'completed'))
    yield ('demographics', 'full', h, 'On what day and in what year did Priya Raman come into the world?', 'date', ['1975-10-23'], {'or_refusal': True})
    yield ('demographics', 'terse', h, 'Ana Sousa - birthday', 'date', ['2001-02-28'])
    yield ('demographics', 'terse', big, 'gender, Addie Tremblay', 'names', [['female']])
    yield ('demographics', 'full', big, 'Tell me the place where Abdul Koepp lives', 'names', [['Peabody']])
    yield ('demographics', 'full', h, 'How old was David Cohen when he had his heart attack?', 'age', ['66'], {'or_refusal': True})
    yield ('demographics', 'full', h, "At what age did Margaret O'Neill die?", 'age', ['73'], {'or_refusal': True})
    yield ('alive_dead', 'full', h, 'Is Ana Sousa still living?', 'bool', ['yes'])
    yield ('alive_dead', 'full', h, 'Do we have a date of death for Carlos Mendez?', 'refusal', 'refusal')
    yield ('alive_dead', 'terse', big, 'Alejandro Riojas, died on?', 'date', ['2008-12-14'])
    yield ('alive_dead', 'full', big, 'How many women with hypertension are still alive?', 'count', n((sick('hypertension') & sex('female')) - {i for i, p in PEOPLE.items() if p['deceased']}))
    yield ('meds_current', 'full', h, 'What does Grace Kim take on a regular basis?', 'names', now('Kim'), {'or_refusal': True})
    yield ('meds_current', 'full', h, "What's on Robert Nguyen's medication list?", 'names', now('Nguyen'))
    yield ('meds_current', 'full', h, 'Which medicine has been prescribed for Helga Brandt and is still active?', 'names', now('Brandt'))
    yield ('meds_current', 'full', h, 'Does Ana Sousa still use human regular insulin?', 'bool', ['no'])
    yield ('meds_current', 'full', h, "Is Margaret O'Neill no longer on digoxin?", 'bool', ['yes'])
    yield ('meds_current', 'full', h, 'Do any patients take entecavir?', 'patients', *people('hm-006'), {'alt': [['yes']]})
    yield ('meds_current', 'full', big, 'What is the count of patients who currently use albuterol?', 'count', n(on('albuterol')))
    yield ('meds_current', 'zh', h, 'David Cohen 还在吃氯吡格雷吗？', 'bool', ['no'])
    yield ('meds_current', 'zh', h, '谁在服用别嘌醇？', 'patients', *people('pt-7A'))
    yield ('meds_past', 'full', h, "Which of David Cohen's drugs were stopped?", 'names', generic(HM.drugs('Cohen', 'stopped')))
    yield ('meds_past', 'full', h, 'Has Priya Raman ever been prescribed iron, i.e. ferrous sulfate?', 'bool', ['yes'], {'or_refusal': True})
    yield ('meds_past', 'full', h, 'Which medications did Robert Nguyen discontinue?', 'names', past('Nguyen'), {'alt': [generic(HM.drugs('Nguyen', 'stopped'))]})
    yield ('meds_past', 'full', h, 'When did David Cohen begin taking metoprolol?', 'date', ['2017-03-05'])
    yield ('meds_past', 'full', h, "What was Priya Raman taking in 2019?", 'names', [['Lisinopril 10 MG Oral Tablet'], ['Amoxicillin 500 MG Oral Capsule']], {'or_refusal': True, 'alt': [[['Amoxicillin 500 MG Oral Capsule']]]})
    yield ('meds_past', 'full', big, 'How many patients have taken naproxen in the past but not any more?', 'count', n(on('naproxen', active=False) - on('naproxen')), {'or_refusal': True})
    yield ('dose', 'full', h, 'What dose of lisinopril is Robert Nguyen taking these days?', 'number', [20])
    yield ('dose', 'terse', h, 'Helga Brandt sumatriptan dose?', 'number', [50])
    yield ('dose', 'zh', h, 'Thomas Becker 每天吃多少别嘌醇？', 'number', [300], {'or_refusal': True})
    yield ('why', 'full', h, 'Priya Raman takes losartan - why?', 'names', [['Essential hypertension']])
    yield ('why', 'full', h, 'What was the indication for amoxicillin in Priya Raman?', 'names', [['Acute otitis media']])
    yield ('why', 'full', h, 'Which drug does Carlos Mendez take for his COPD?', 'names', [['Tiotropium 0.018 MG Inhalation Capsule']])
    yield ('latest_value', 'full', h, "I'd like to know the most recent systolic value for Robert Nguyen", 'number', [138])
    yield ('latest_value', 'full', h, "Wei Li: what was the platelet count?", 'number', [112])
    yield ('latest_value', 'abbrev', h, 'MRN-40022 HbA1c', 'number', [7.4])
    yield ('latest_value', 'full', h, 'When did Grace Kim have her last T-score?', 'date', ['2020-08-18'])
    yield ('latest_value', 'full', five, "Rufus Kihn's latest cholesterol?", 'number', last(S5.results('Kihn', 'Total Cholesterol')))
    yield ('latest_value', 'full', five, 'what is the bmi of Pete Hirthe now', 'number', last(S5.results('Hirthe', 'Body Mass Index')))
    yield ('latest_value', 'full', h, 'Has Carlos Mendez ever been a smoker?', 'bool', ['yes'])
    yield ('latest_value', 'full', h, "What is Wei Li's ALT?", 'number', [36])
    yield ('latest_value', 'zh', h, 'Ana Sousa 的糖化血红蛋白是多少？', 'number', [8.8])
    yield ('value_at_date', 'full', h, "How high was Priya Raman's systolic blood pressure in February 2020?", 'number', [148])
    yield ('value_at_date', 'full', h, "Fatima Al-Sayed's hemoglobin in April 2021", 'number', [11.8])
    yield ('value_at_date', 'full', h, "What was David Cohen's last LDL before 2020?", 'number', [88])
    yield ('value_at_date', 'full', h, "What was Robert Nguyen's first creatinine after 2018?", 'number', [1.4])
    yield ('value_at_date', 'full', five, 'How much did Pete Hirthe weigh in 2014?', 'number', year(S5.results('Hirthe', 'Body Weight'), '2014'))
    yield ('abnormal', 'full', h, "Which of Sandra Kowalski's glucose readings were too high?", 'number', [188, 310])
    yield ('abnormal', 'full', h, 'Which patients have a low sodium?', 'patients', *people('hm-006'))
    yield ('abnormal', 'full', h, "Is Margaret O'Neill's heart rate above normal?", 'bool', ['yes'])
    yield ('abnormal', 'full', h, "Does Thomas Becker have an abnormal creatinine?", 'bool', ['yes'])
    yield ('trend', 'full', h, "Does David Cohen's LDL show a downward trend?", 'bool', ['yes'], {'or_refusal': True, 'alt': [['falling']]})
    yield ('trend', 'full', h, "What is the trend in Ana Sousa's A1c?", 'trend', ['rising'])
    yield ('trend', 'full', five, "Did Fredrick Kris's weight go down between 2012 and 2021?", 'bool', ['yes'])
    yield ('visits', 'full', h, 'When was Sandra Kowalski in the emergency department?', 'date', ['2021-05-10'], {'or_refusal': True})
    yield ('visits', 'full', h, 'When is the next appointment of Fatima Al-Sayed?', 'date', ['2099-01-15'])
    yield ('visits', 'full', five, "What was the reason for Marc Corkery's visit in April 2016?", 'names', [['Asthma']])
    yield ('visits', 'full', five, 'How many visits has Fredrick Kris had since 2018?', 'count', [str(sum(v >= '2018' for v in S5.visits('Fredrick')))])
    yield ('counts', 'full', big, 'How many patients currently have sinusitis?', 'count', n(sick('sinusitis')))
    yield ('counts', 'full', big, 'How many patients have ever been pregnant?', 'count', n(sick('pregnancy', False)), {'or_refusal': True})
    yield ('counts', 'full', big, "How many people live with Alzheimer's?", 'count', n(sick("alzheimer's")))
    yield ('counts', 'full', big, 'How many men had a colonoscopy?', 'count', n(did('colonoscopy') & sex('male')))
    yield ('counts', 'zh', big, '有几位患者对花生过敏？', 'count', n(allergic('peanut')))
    yield ('counts', 'full', h, 'How many times did Priya Raman have her blood pressure taken?', 'count', ['3'], {'or_refusal': True})
    yield ('cohort_and', 'full', big, 'Who has gout and takes allopurinol?', 'patients', *cohort(sick('gout') & on('allopurinol')), {'or_refusal': not sick('gout') & on('allopurinol')})
    yield ('cohort_and', 'full', big, 'How many women take both simvastatin and hydrochlorothiazide?', 'count', n(on('simvastatin') & on('hydrochlorothiazide') & sex('female')))
    yield ('cohort_and', 'full', big, 'Number of patients with anemia and prediabetes', 'count', n(sick('anemia') & sick('prediabetes')))
    yield ('cohort_or', 'full', h, 'Who has gout or migraine?', 'patients', *people('pt-7A', 'pt-7a'))
    yield ('cohort_or', 'full', big, 'How many men have stroke or myocardial infarction?', 'count', n((sick('stroke') | sick('myocardial infarction')) & sex('male')))
    yield ('cohort_not', 'full', big, 'How many patients take digoxin and have no atrial fibrillation?', 'count', n(on('digoxin') - sick('atrial fibrillation')))
    yield ('cohort_not', 'full', big, "How many hypertensive women don't take hydrochlorothiazide?", 'count', n((sick('hypertension') & sex('female')) - on('hydrochlorothiazide')))
    yield ('cohort_not', 'full', h, 'Which diabetics are not on insulin?', 'patients', *people('hm-002'))
    yield ('cohort_narrow', 'full', big, 'Which patients have epilepsy?', 'patients', *cohort(sick('epilepsy')), {'alt': [[[PEOPLE[i]['name']] for i in sorted(sick('epilepsy') | sick('seizure disorder'))]]})
    yield ('cohort_narrow', 'full', big, 'How many have an arthritis of any kind?', 'count', n({r['patient'] for r in CONDITIONS if 'arthritis' in r['display'].lower() and r['clinicalStatus'] == 'active'}), {'or_refusal': True})
    yield ('cohort_age_sex', 'full', big, 'How many patients younger than 18 have asthma?', 'count', n(sick('asthma') - older(18) - {i for i, p in PEOPLE.items() if p['deceased']}))
    yield ('cohort_age_sex', 'full', big, 'How many male patients above the age of 70 are on warfarin?', 'count', n(on('warfarin') & sex('male') & older(71) - {i for i, p in PEOPLE.items() if p['deceased']}))
    yield ('cohort_age_sex', 'full', h, 'List the men born before 1960', 'patients', *people('hm-005', 'hm-011', 'pt-7A'))
    yield ('cohort_value', 'full', big, 'How many patients have a T-score below -2.5?', 'count', n({r['patient'] for r in RESULTS if r['display'].startswith('DXA') and float(r['value']) < -2.5}), {'or_refusal': True})
    yield ('cohort_value', 'full', big, 'How many diabetics have an A1c over 7?', 'count', n(sick('diabetes') & result(HBA1C, lambda v: v > 7)))
    yield ('cohort_value', 'full', h, 'Which patients had an LDL above 150?', 'patients', *people('hm-011'))
    yield ('drug_class', 'full', h, 'Which patients are on a statin?', 'patients', *people('hm-011'))
    yield ('drug_class', 'full', h, 'Has Robert Nguyen ever been on an SSRI?', 'bool', ['yes'])
    yield ('drug_class', 'full', big, 'How many women take an opioid?', 'count', n(on('codone', 'codeine', 'morphine', 'meperidine', 'fentanyl', 'tramadol', 'methadone', 'buprenorphine') & sex('female')))
    yield ('allergies', 'full', h, 'Does any allergy of Fatima Al-Sayed remain unconfirmed?', 'bool', ['yes'], {'or_refusal': True, 'alt': [[['Peanut']]]})
    yield ('allergies', 'full', h, 'List the drug allergies of MRN-40022', 'names', [['Sulfonamide']])
    yield ('allergies', 'full', big, 'Which patients are allergic to soya?', 'patients', *cohort(allergic('soya')))
    yield ('refuted', 'full', h, 'Which diagnosis was refuted for Sandra Kowalski?', 'names', [['Pulmonary embolism']])
    yield ('refuted', 'full', h, "Does Margaret O'Neill suffer from systemic lupus erythematosus?", 'bool', ['no'])
    yield ('status', 'full', h, 'Which of the conditions of Priya Raman is active?', 'names', [['Essential hypertension']])
    yield ('status', 'full', h, "When was Robert Nguyen diagnosed with depression?", 'date', ['2014-05-05'])
    yield ('status', 'full', h, 'Does Ana Sousa have type 2 diabetes?', 'bool', ['no'], {'or_refusal': True})
    yield ('family', 'full', h, "What illness did David Cohen's father have?", 'names', [['Stroke']])
    yield ('family', 'full', h, 'Which patients have a family history of stroke?', 'patients', *people('hm-011'))
    yield ('procedures', 'full', h, 'Which procedures has Grace Kim undergone?', 'names', [['Bone density scan']])
    yield ('procedures', 'full', h, 'Was a coronary bypass performed on David Cohen?', 'bool', ['no'])
    yield ('procedures', 'full', five, 'Did Fredrick Kris have a clavicle X-ray in 2017?', 'bool', ['yes'])
    yield ('never', 'full', h, 'Did Grace Kim never smoke?', 'bool', ['yes'])
    yield ('ambiguous', 'full', h, "What's James Wilson's date of birth?", 'ambiguous', 'ambiguous', WILSONS)
    yield ('ids', 'full', h, 'Is pt-7A male?', 'bool', ['yes'])
    yield ('unknown_patient', 'full', big, 'List the medications of Ferdinand Magellan', 'refusal', 'refusal')
    for what in (
        "What is Priya Raman's job?",
        "Who is Grace Kim's husband?",
        "What did the X-ray of Thomas Becker show?",
        "How did Carlos Mendez die?",
        "Could Wei Li be pregnant?",
        "Is Helga Brandt happy with her treatment?",
    ):
        yield ('unanswerable', 'full', h, what, 'refusal', 'refusal')
