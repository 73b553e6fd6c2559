# ruff: noqa: E501 (a question a line)
# fmt: off
"""The fourth set: written without a look at the grammar, in wordings that none of the others has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ask_questions.records import (
    CONDITIONS,
    DRUGS,
    HM,
    PEOPLE,
    PROCEDURES,
    RESULTS,
    S5,
    TODAY,
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

HBA1C = 'Hemoglobin A1c/Hemoglobin.total in Blood'
WILSONS = {'between': [['hm-002', '1961-07-04'], ['hm-003', '1984-01-19']]}


def ended(*words: str) -> set[str]:
    return {r['patient'] for r in DRUGS if any(w in r['display'].lower() for w in words) and r['status'] == 'stopped'}


def older(years: int) -> set[str]:
    return {i for i, p in PEOPLE.items() if p['birthDate'] <= f'{TODAY.year - years:04}{TODAY.isoformat()[4:]}'}


def questions() -> Iterator[tuple[Any, ...]]:
    h, five, big = "handmade", "synthea5", "synthea615"
    yield ('demographics', 'inverted', h, 'Helga Brandt was born when?', 'date', ['1966-02-14'])
    yield ('demographics', 'colon', h, 'born: Thomas Becker', 'date', ['1955-08-08'])
    yield ('demographics', 'request', h, "Please look up the year of birth of David Cohen", 'date', ['1950-04-25'])
    yield ('demographics', 'request', h, "I need Sandra Kowalski's birth date", 'date', ['1982-06-30'])
    yield ('demographics', 'full', h, 'Which city is Wei Li from?', 'names', [['上海']])
    yield ('demographics', 'terse', h, 'Grace Kim hometown', 'names', [['Busan']], {'or_refusal': True})
    yield ('demographics', 'full', h, "Is Fatima Al-Sayed a lady?", 'bool', ['yes'], {'or_refusal': True})
    yield ('demographics', 'zh', h, 'Helga Brandt 是男的还是女的？', 'names', [['female']])
    yield ('demographics', 'zh', h, 'Robert Nguyen 哪年出生？', 'date', ['1970-11-30'])
    yield ('demographics', 'full', h, 'What medical record number does Grace Kim have?', 'contains', [['MRN-40154']])
    yield ('alive_dead', 'lay', h, 'Did Carlos Mendez pass on?', 'bool', ['yes'], {'or_refusal': True})
    yield ('alive_dead', 'lay', h, "Is Peggy O'Neill living?", 'bool', ['no'])
    yield ('alive_dead', 'full', h, "What day did Margaret Byrne die?", 'date', ['2021-11-02'])
    yield ('alive_dead', 'full', h, 'Which of our patients are no longer alive?', 'patients', *people('hm-001', 'hm-005'))
    yield ('alive_dead', 'terse', big, 'deceased men, number', 'count', n({i for i, p in PEOPLE.items() if p['deceased']} & sex('male')))
    yield ('alive_dead', 'full', big, 'How many patients with diabetes have died?', 'count', n({i for i, p in PEOPLE.items() if p['deceased']} & sick('diabetes')))
    yield ('alive_dead', 'zh', h, '哪些患者已经去世？', 'patients', *people('hm-001', 'hm-005'))
    def now(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'active'))
    def past(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'stopped', 'completed'))
    yield ('meds_current', 'request', h, "Show me David Cohen's medication list as it stands today", 'names', now('Cohen'))
    yield ('meds_current', 'request', h, 'Give me everything Fatima Al-Sayed takes.', 'names', now('Al-Sayed'))
    yield ('meds_current', 'lay', h, 'What pills is Robert Nguyen on these days?', 'names', now('Nguyen'))
    yield ('meds_current', 'abbrev', h, 'Rx Thomas Becker', 'names', now('Becker'))
    yield ('meds_current', 'full', h, "Which prescriptions of Ana Sousa are active?", 'names', now('Sousa'))
    yield ('meds_current', 'full', h, 'Has Priya Raman been taken off lisinopril?', 'bool', ['yes'])
    yield ('meds_current', 'full', h, 'Has David Cohen stopped clopidogrel?', 'bool', ['yes'])
    yield ('meds_current', 'tag', h, 'David Cohen takes aspirin, right?', 'bool', ['yes'])
    yield ('meds_current', 'tag', h, "Robert Nguyen isn't on sertraline anymore, is he?", 'bool', ['no'], {'or_refusal': True, 'alt': [['yes']]})
    yield ('meds_current', 'full', h, 'Is hydrochlorothiazide being taken by Priya Raman?', 'bool', ['no'])
    yield ('meds_current', 'full', h, 'Is bisoprolol paused for David Cohen?', 'bool', ['yes'])
    yield ('meds_current', 'full', h, "Which of Priya Raman's medicines are on hold?", 'names', generic(HM.drugs('Raman', 'on-hold')))
    yield ('meds_current', 'passive', h, 'Metoprolol is taken by whom?', 'patients', *people('hm-011'))
    yield ('meds_current', 'full', h, 'Name the patients receiving allopurinol.', 'patients', *people('pt-7A'))
    yield ('meds_current', 'terse', big, 'digoxin users: how many', 'count', n(on('digoxin')))
    yield ('meds_current', 'passive', big, 'For how many patients is furosemide currently prescribed?', 'count', n(on('furosemide')), {'alt': [n(on('furosemide', 'lasix'))]})
    yield ('meds_current', 'zh', big, '正在使用二甲双胍的患者有几个？', 'count', n(on('metformin')))
    yield ('meds_current', 'typo', h, 'is David Cohen takin atorvastatine?', 'bool', ['yes'])
    yield ('meds_past', 'full', h, 'What has been discontinued for Priya Raman?', 'names', past('Raman'), {'alt': [generic(HM.drugs('Raman', 'stopped'))]})
    yield ('meds_past', 'lay', h, 'Which tablets did David Cohen quit?', 'names', past('Cohen'), {'or_refusal': True})
    yield ('meds_past', 'terse', h, 'previous medication of Robert Nguyen', 'names', past('Nguyen'))
    yield ('meds_past', 'full', h, 'Did Ana Sousa formerly use regular insulin?', 'bool', ['yes'])
    yield ('meds_past', 'full', h, 'Was Priya Raman at one time treated with amoxicillin?', 'bool', ['yes'])
    yield ('meds_past', 'full', h, "On which date was Priya Raman's lisinopril begun?", 'date', ['2018-01-08'])
    yield ('meds_past', 'full', h, "When was atorvastatin first prescribed to David Cohen?", 'date', ['2017-03-05'])
    yield ('meds_past', 'full', h, 'Has any patient ever taken glipizide?', 'patients', *people('hm-002'), {'alt': [['yes']]})
    yield ('meds_past', 'full', big, 'How many patients came off clopidogrel?', 'count', n(ended('clopidogrel')), {'or_refusal': True})
    yield ('meds_past', 'full', big, 'How many were treated with cisplatin at some point?', 'count', n(on('cisplatin', active=False)))
    yield ('meds_past', 'zh', h, 'Priya Raman 以前吃过什么药？', 'names', past('Raman'))
    yield ('dose', 'full', h, 'How many milligrams of atorvastatin does David Cohen take?', 'number', [80])
    yield ('dose', 'full', h, 'What quantity of folic acid is prescribed to Fatima Al-Sayed?', 'number', [0.4])
    yield ('dose', 'full', h, "How many units of glargine does Ana Sousa inject?", 'number', [18], {'or_refusal': True})
    yield ('dose', 'terse', h, 'David Cohen metoprolol mg', 'number', [50])
    yield ('dose', 'full', h, 'How many times a day does David Cohen take metoprolol?', 'contains', [['2 per day', '2']])
    yield ('why', 'full', h, 'What is the reason that David Cohen takes metoprolol?', 'names', [['Myocardial infarction']])
    yield ('why', 'full', h, 'Which diagnosis led to the prescription of tiotropium for Carlos Mendez?', 'names', [['Chronic obstructive pulmonary disease']], {'or_refusal': True})
    yield ('why', 'lay', h, 'what does Priya Raman need the ibuprofen for', 'names', [['Low back pain']])
    yield ('why', 'zh', h, 'Ana Sousa 为什么用甘精胰岛素？', 'names', [['Type 1 diabetes mellitus']])
    yield ('latest_value', 'full', h, "Do we have a recent hemoglobin for Fatima Al-Sayed? What is it?", 'number', [9.6], {'or_refusal': True})
    yield ('latest_value', 'inverted', h, "Wei Li's sodium is how much?", 'number', [131])
    yield ('latest_value', 'request', h, 'Pull up the final LDL reading for David Cohen', 'number', [61], {'or_refusal': True})
    yield ('latest_value', 'abbrev', h, 'hgb Fatima Al-Sayed', 'number', [9.6])
    yield ('latest_value', 'abbrev', h, 'plt count of Wei Li', 'number', [112])
    yield ('latest_value', 'abbrev', h, 'Robert Nguyen Cr?', 'number', [1.9])
    yield ('latest_value', 'lay', h, "How's Ana Sousa's sugar control, i.e. her last HbA1c?", 'number', [8.8], {'or_refusal': True})
    yield ('latest_value', 'full', h, "What was Wei Li's viral load of hepatitis B?", 'number', ['<20'], {'or_refusal': True})
    yield ('latest_value', 'full', five, "What's the current height of Raymon Kris?", 'number', last(S5.results('Raymon', 'Body Height')))
    yield ('latest_value', 'full', five, 'How heavy is Rufus Kihn?', 'number', last(S5.results('Kihn', 'Body Weight')))
    yield ('latest_value', 'terse', five, 'Fredrick Kris triglycerides, last', 'number', last(S5.results('Fredrick', 'Triglycerides')))
    yield ('latest_value', 'full', five, 'What was the lowest body weight of Pete Hirthe?', 'number', [min(v for _, v in S5.results('Hirthe', 'Body Weight'))])
    yield ('latest_value', 'full', h, "Name Robert Nguyen's peak creatinine.", 'number', [1.9])
    yield ('latest_value', 'full', h, "On which day was Robert Nguyen's creatinine measured most recently?", 'date', ['2020-12-16'])
    yield ('latest_value', 'full', h, "What was David Cohen's second LDL?", 'number', [88])
    yield ('latest_value', 'full', h, "Give me Ana Sousa's last two A1c results", 'number', [7.9, 8.8], {'or_refusal': True})
    yield ('latest_value', 'zh', h, 'Fatima Al-Sayed 的血红蛋白最近一次结果是多少？', 'number', [9.6])
    yield ('value_at_date', 'slash', h, 'LDL of David Cohen in 09/2017', 'number', [88], {'or_refusal': True})
    yield ('value_at_date', 'slash', h, "What was Robert Nguyen's creatinine in 12/2019?", 'number', [1.4], {'or_refusal': True})
    yield ('value_at_date', 'dotted', h, "Priya Raman's BP on 21.06.2021", 'number', [128, 80], {'or_refusal': True})
    yield ('value_at_date', 'us', h, "What was Fatima Al-Sayed's hemoglobin on July 19, 2021?", 'number', [10.4])
    yield ('value_at_date', 'ordinal', h, "What was Ana Sousa's HbA1c on the 20th of January 2020?", 'number', [7.1])
    yield ('value_at_date', 'full', h, "During 2018, which diastolic pressure did Priya Raman have?", 'number', [98])
    yield ('value_at_date', 'full', h, "What was the A1c of hm-002 the year before 2021?", 'number', [8.2], {'or_refusal': True})
    yield ('value_at_date', 'full', h, "David Cohen's LDL prior to 2017?", 'number', [162])
    yield ('value_at_date', 'full', h, "What was Robert Nguyen's creatinine as of mid 2020?", 'number', [1.4], {'or_refusal': True})
    yield ('value_at_date', 'full', five, 'Which weight was recorded for Marc Corkery in 2017?', 'number', year(S5.results('Corkery', 'Body Weight'), '2017'))
    yield ('value_at_date', 'zh', h, 'Priya Raman 2020年的收缩压是多少？', 'number', [148])
    yield ('abnormal', 'lay', h, "Is anything off in Wei Li's blood work?", 'bool', ['yes'], {'or_refusal': True, 'alt': [[['Potassium'], ['Sodium'], ['Platelets']]]})
    yield ('abnormal', 'full', h, "Did Robert Nguyen's creatinine ever exceed the upper limit of normal?", 'bool', ['yes'], {'or_refusal': True})
    yield ('abnormal', 'full', h, "Which of Wei Li's values lie below the reference range?", 'names', [['Sodium'], ['Platelets']])
    yield ('abnormal', 'full', h, "Is Helga Brandt's creatinine normal?", 'bool', ['yes'])
    yield ('abnormal', 'full', h, 'Whose potassium has been too high?', 'patients', *people('hm-006'), {'or_refusal': True})
    yield ('abnormal', 'abbrev', h, 'pts with low plt', 'patients', *people('hm-006'))
    yield ('trend', 'full', h, "Over time, is David Cohen's LDL rising or falling?", 'trend', ['falling'])
    yield ('trend', 'lay', h, "Is Ana Sousa's A1c getting higher?", 'bool', ['yes'], {'or_refusal': True, 'alt': [['rising']]})
    yield ('trend', 'full', five, 'Has Pete Hirthe put on weight since 2012?', 'bool', ['yes'], {'or_refusal': True})
    yield ('trend', 'full', h, "Which direction is Robert Nguyen's systolic pressure going?", 'trend', ['falling'], {'or_refusal': True})
    yield ('trend', 'full', h, "Show the course of Fatima Al-Sayed's hemoglobin", 'number', [11.8, 10.4, 9.6], {'or_refusal': True})
    yield ('visits', 'full', h, 'When was David Cohen admitted with his heart attack?', 'date', ['2017-03-01'], {'or_refusal': True})
    yield ('visits', 'full', h, "On what date did Margaret O'Neill leave hospital?", 'date', ['2020-01-29'], {'or_refusal': True})
    yield ('visits', 'full', h, "Has Priya Raman an appointment that was cancelled?", 'bool', ['yes'], {'or_refusal': True})
    yield ('visits', 'full', five, 'How many times did Marc Corkery come in during 2016?', 'count', [str(len(S5.visits('Corkery', '2016')))])
    yield ('visits', 'full', five, 'Number of contacts of Rufus Kihn between 2014 and 2016', 'count', [str(sum('2014' <= v < '2017' for v in S5.visits('Kihn')))], {'or_refusal': True})
    yield ('visits', 'full', five, 'How many emergency visits has Raymon Kris had?', 'count', ['3'], {'alt': [[str(sum(r['class']['code'] == 'EMER' for r in S5.of('Raymon', 'Encounter')))]], 'or_refusal': True})
    yield ('visits', 'zh', h, 'Robert Nguyen 第一次就诊是哪天？', 'date', ['2012-10-10'])
    yield ('counts', 'full', big, 'What is the number of patients living with epilepsy?', 'count', n(sick('epilepsy')))
    yield ('counts', 'lay', big, 'How many patients have high blood pressure?', 'count', n(sick('hypertension')))
    yield ('counts', 'lay', big, 'How many people had a heart attack?', 'count', n(sick('myocardial infarction', False)), {'alt': [n({r['patient'] for r in CONDITIONS if 'myocardial infarction' in r['display'].lower()})]})
    yield ('counts', 'lay', big, 'how many folks are obese?', 'count', n(sick('body mass index 30+') | sick('body mass index 40+') | sick('obesity') | sick('obese')), {'alt': [n({r['patient'] for r in CONDITIONS if 'obes' in r['display'].lower() and r['clinicalStatus'] == 'active'})], 'or_refusal': True})
    yield ('counts', 'full', big, 'In how many patients was a spirometry performed?', 'count', n(did('spirometry')))
    yield ('counts', 'terse', big, 'dust mite allergy count', 'count', n(allergic('dust mite')), {'or_refusal': True})
    yield ('counts', 'full', h, 'How many different drugs does Priya Raman take currently?', 'count', ['2'])
    yield ('counts', 'full', h, 'How often was Fatima Al-Sayed vaccinated against COVID?', 'count', ['2'])
    yield ('counts', 'full', five, 'How many times has Raymon Kris had viral sinusitis?', 'count', ['4'], {'or_refusal': True})
    yield ('cohort_and', 'full', big, 'How many hypertensive patients also have coronary heart disease?', 'count', n(sick('hypertension') & sick('coronary heart disease')))
    yield ('cohort_and', 'full', big, 'How many patients suffering from stroke are given clopidogrel now?', 'count', n(sick('stroke') & on('clopidogrel')))
    yield ('cohort_and', 'plus', big, 'AF + warfarin: number of patients', 'count', n(sick('atrial fibrillation') & on('warfarin')))
    yield ('cohort_and', 'full', big, 'List patients who have epilepsy and also osteoporosis', 'patients', *cohort(sick('epilepsy') & sick('osteoporosis')), {'or_refusal': not sick('epilepsy') & sick('osteoporosis')})
    yield ('cohort_and', 'full', h, 'Which men have high blood pressure and take amlodipine?', 'patients', *people('hm-002'))
    yield ('cohort_or', 'full', big, 'How many have either epilepsy or stroke?', 'count', n(sick('epilepsy') | sick('stroke')))
    yield ('cohort_or', 'full', big, 'How many patients use warfarin or digoxin or both?', 'count', n(on('warfarin') | on('digoxin')))
    yield ('cohort_or', 'zh', big, '患有痛风或骨质疏松的患者有多少？', 'count', n(sick('gout') | sick('osteoporosis')))
    yield ('cohort_not', 'full', big, 'How many people with gout are not hypertensive?', 'count', n(sick('gout') - sick('hypertension')))
    yield ('cohort_not', 'full', big, 'How many patients with stroke lack atrial fibrillation?', 'count', n(sick('stroke') - sick('atrial fibrillation')), {'or_refusal': True})
    yield ('cohort_not', 'except', big, 'All patients on hydrochlorothiazide except those with diabetes: how many?', 'count', n(on('hydrochlorothiazide') - sick('diabetes')), {'or_refusal': True})
    yield ('cohort_not', 'full', h, 'Which patients with CKD do not have gout?', 'patients', *people('pt-7a'))
    yield ('cohort_not', 'zh', big, '有多少高血压患者没有糖尿病？', 'count', n(sick('hypertension') - sick('diabetes')))
    yield ('cohort_age_sex', 'full', big, 'How many women over 60 suffer from osteoporosis?', 'count', n(sick('osteoporosis') & older(61) & sex('female') - {i for i, p in PEOPLE.items() if p['deceased']}))
    yield ('cohort_age_sex', 'full', big, 'How many males take finasteride or warfarin?', 'count', n((on('finasteride') | on('warfarin')) & sex('male')), {'or_refusal': True})
    yield ('cohort_age_sex', 'full', h, 'Which women were born after 1970?', 'patients', *people('hm-004', 'hm-007', 'hm-010', 'hm-012'))
    yield ('cohort_age_sex', 'full', h, 'Who is the oldest patient?', 'patients', *people('hm-005'), {'or_refusal': True})
    yield ('cohort_value', 'full', big, 'How many patients have a hemoglobin lower than 10?', 'count', n({r['patient'] for r in RESULTS if r['code'] == '718-7' and float(r['value']) < 10}))
    yield ('cohort_value', 'symbol', big, 'A1c >= 7, how many', 'count', n(result(HBA1C, lambda v: v >= 7)))
    yield ('cohort_value', 'full', big, 'How many patients have an HDL that does not reach 40?', 'count', n(result('High Density Lipoprotein Cholesterol', lambda v: v < 40)), {'or_refusal': True})
    yield ('cohort_value', 'full', big, 'How many women have a BMI from 25 to 30?', 'count', n(result('Body Mass Index', lambda v: 25 <= v <= 30) & sex('female')))
    yield ('cohort_value', 'full', h, 'Whose last creatinine is above 1.5?', 'patients', *people('hm-013', 'pt-7A'))
    yield ('drug_class', 'full', h, 'Is Robert Nguyen on an ACE inhibitor?', 'bool', ['yes'])
    yield ('drug_class', 'full', h, 'Does David Cohen take any blood thinner?', 'bool', ['yes'], {'or_refusal': True, 'alt': [['no']]})
    yield ('drug_class', 'full', h, 'Which diabetes medicine does the James Wilson born in 1961 take?', 'names', [['Metformin hydrochloride 1000 MG Oral Tablet']], {'or_refusal': True})
    yield ('drug_class', 'full', big, 'How many patients are on a diuretic at present?', 'count', n(on('hydrochlorothiazide', 'furosemide', 'lasix')), {'or_refusal': True})
    yield ('allergies', 'full', h, 'Is latex a problem for Fatima Al-Sayed?', 'bool', ['no'], {'or_refusal': True})
    yield ('allergies', 'full', h, 'Can you check whether Fatima Al-Sayed has a codeine allergy?', 'bool', ['no'])
    yield ('allergies', 'terse', h, 'NKDA Ana Sousa?', 'bool', ['yes'], {'or_refusal': True})
    yield ('allergies', 'full', h, 'Does Ana Sousa have drug allergies?', 'bool', ['no'])
    yield ('allergies', 'full', big, 'How many patients react to shellfish?', 'count', n(allergic('shellfish')), {'or_refusal': True})
    yield ('allergies', 'zh', h, 'Fatima Al-Sayed 对什么过敏？', 'names', [['Penicillin'], ['Peanut']], {'alt': [[['Penicillin']]]})
    yield ('refuted', 'full', h, 'Has Sandra Kowalski had a lung embolism?', 'bool', ['no'], {'or_refusal': True})
    yield ('refuted', 'full', h, "Was breast cancer ruled out in Margaret O'Neill?", 'bool', ['yes'])
    yield ('refuted', 'terse', h, "problem list Margaret O'Neill", 'names', [['Atrial fibrillation']])
    yield ('refuted', 'terse', h, "SLE Margaret O'Neill?", 'bool', ['no'])
    yield ('status', 'full', h, 'Is Priya Raman over her ear infection?', 'bool', ['yes'], {'or_refusal': True})
    yield ('status', 'full', h, "When was Margaret O'Neill's hip fracture over?", 'date', ['2020-06-30'], {'or_refusal': True})
    yield ('status', 'full', h, 'When did Thomas Becker first get gout?', 'date', ['2011-11-11'])
    yield ('status', 'full', h, 'Is celiac disease certain in Ana Sousa?', 'bool', ['no'], {'or_refusal': True})
    yield ('status', 'full', h, "What is Helga Brandt suffering from?", 'names', [['Migraine'], ['Chronic kidney disease stage 2']])
    yield ('status', 'full', five, 'When did Rufus Kihn break his collarbone?', 'date', ['2014-11-01'], {'or_refusal': True})
    yield ('status', 'zh', h, 'Thomas Becker 有什么疾病？', 'names', [['Gout'], ['Chronic kidney disease stage 3']])
    yield ('family', 'full', h, 'Which relative of David Cohen had a stroke?', 'names', [['father']], {'or_refusal': True})
    yield ('family', 'full', h, "Did David Cohen himself have a stroke?", 'bool', ['no'], {'or_refusal': True})
    yield ('family', 'full', h, "Does Sandra Kowalski's dad have diabetes?", 'bool', ['yes'])
    yield ('family', 'full', h, "Is there diabetes in Sandra Kowalski's family?", 'bool', ['yes'])
    yield ('procedures', 'full', h, 'Has Carlos Mendez had his cataract removed?', 'bool', ['yes'], {'or_refusal': True})
    yield ('procedures', 'full', h, "Which operation did Margaret O'Neill undergo in 2020?", 'names', [['Hip hemiarthroplasty']])
    yield ('procedures', 'full', h, 'Was alteplase administered to David Cohen?', 'bool', ['no'])
    yield ('procedures', 'full', h, 'Was David Cohen given heparin?', 'bool', ['yes'])
    yield ('procedures', 'full', h, 'Is a mammography planned for Grace Kim?', 'bool', ['yes'])
    yield ('procedures', 'full', h, 'Did Carlos Mendez get his flu shot in 2019?', 'bool', ['no'])
    yield ('procedures', 'full', five, 'When did Rufus Kihn have his clavicle X-rayed?', 'date', ['2014-11-01'], {'or_refusal': True})
    yield ('procedures', 'full', big, 'How many patients underwent catheter ablation?', 'count', n({r['patient'] for r in PROCEDURES if 'catheter ablation' in r['display'].lower()}))
    yield ('never', 'full', h, 'Which patients have never taken a statin?', 'patients', *people(*(i for i in HM.patient if i != 'hm-011')))
    yield ('never', 'full', big, 'How many patients with stroke have not once received clopidogrel?', 'count', n(sick('stroke') - on('clopidogrel', active=False)), {'or_refusal': True})
    yield ('never', 'full', h, 'Has Priya Raman never smoked?', 'refusal', 'refusal')
    yield ('ambiguous', 'full', h, "When did we last see James Wilson?", 'ambiguous', 'ambiguous', WILSONS)
    yield ('ambiguous', 'terse', h, "A1c James Wilson", 'ambiguous', 'ambiguous', WILSONS)
    yield ('ambiguous', 'full', five, "What is Mr Kris's weight?", 'ambiguous', 'ambiguous', {'between': [['ec6a5bb6-b412-4bb6-8219-11d66f52ae8b', '1980-12-30'], ['ca5da59f-0a70-470d-8b20-a1c847ff9010', '1991-09-29']]})
    yield ('ids', 'full', h, 'Which medications does record MRN-40143 list as active?', 'names', now('Nguyen'), {'or_refusal': True})
    yield ('ids', 'full', h, "What conditions does pt-7a have?", 'names', [['Migraine'], ['Chronic kidney disease stage 2']])
    yield ('ids', 'full', h, "And what does the patient with number MRN-40033 suffer from?", 'names', [['Asthma']])
    yield ('unknown_patient', 'full', h, 'Does Grace Wilson have osteoporosis?', 'refusal', 'refusal')
    yield ('unknown_patient', 'full', h, 'What is the creatinine of MRN-40199?', 'refusal', 'refusal')
    yield ('unknown_patient', 'terse', h, 'meds pt-7B', 'refusal', 'refusal')
    # What was once not understood at all: answered, or refused with the reason.
    yield ('average', 'full', h, "What is David Cohen's average LDL?", 'number', [(162 + 88 + 61) / 3], {'or_refusal': True})
    yield ('average', 'full', h, "mean systolic pressure of Priya Raman", 'number', [146], {'or_refusal': True})
    yield ('duration', 'full', h, 'How long has Thomas Becker been on allopurinol?', 'contains', [['2012-01-10']], {'or_refusal': True})
    yield ('duration', 'full', h, "For how many years has Robert Nguyen had hypertension?", 'contains', [['2012-10-10']], {'or_refusal': True})
    yield ('duration', 'full', h, "How long was Margaret O'Neill in hospital?", 'contains', [['14 days']], {'or_refusal': True})
    yield ('two', 'full', h, 'Do Grace Kim and Robert Nguyen both smoke?', 'refusal', 'refusal')
    yield ('two', 'full', h, "Who has the higher creatinine, Robert Nguyen or Thomas Becker?", 'refusal', 'refusal')
    yield ('two', 'full', h, 'Which drugs do Priya Raman and David Cohen take?', 'refusal', 'refusal')
    for what in (
        "What is Robert Nguyen's favourite food?",
        "Which doctor prescribed losartan to Priya Raman?",
        "Is Grace Kim at risk of falling?",
        "What will David Cohen's LDL be next year?",
        "How much does the treatment of Wei Li cost?",
        "Does Ana Sousa have insurance?",
        "Why did Margaret O'Neill die?",
        "What is Thomas Becker's religion?",
        "What is Helga Brandt's ejection fraction?",
        "Which bed is Sandra Kowalski in?",
        "Was Carlos Mendez's lung function normal?",
        "Does Priya Raman's sister have asthma?",
    ):
        yield ('unanswerable', 'full', h, what, 'refusal', 'refusal')
