# ruff: noqa: E501 (a question a line)
# fmt: off
"""The second set: written after the first had been looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ask_questions.records import (
    ALLERGIES,
    CONDITIONS,
    HM,
    PEOPLE,
    S5,
    allergic,
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
    """A second set, written after the first was looked at, in yet other shapes."""
    h, five, big = "handmade", "synthea5", "synthea615"
    yield ('demographics', 'noun', h, "Robert Nguyen's birth date", 'date', ['1970-11-30'])
    yield ('demographics', 'imper', h, 'Tell me when Ana Sousa was born', 'date', ['2001-02-28'])
    yield ('demographics', 'full', h, 'From which town does Thomas Becker come?', 'names', [['Bremen']])
    yield ('demographics', 'terse', big, 'Addie Tremblay gender', 'names', [['female']])
    yield ('demographics', 'full', big, 'Does Abdul Koepp live in Peabody?', 'bool', ['yes'])
    yield ('demographics', 'full', big, 'What race is Abdul Koepp?', 'names', [['White']])
    yield ('demographics', 'zh', h, 'Priya Raman 是男的还是女的？', 'names', [['female']])
    yield ('demographics', 'zh', h, 'Helga Brandt 哪年出生？', 'date', ['1966-02-14'])
    yield ('demographics', 'full', h, 'What year was Grace Kim born?', 'date', ['1959-01-05'])
    yield ('alive_dead', 'full', h, 'Is Carlos Mendez deceased?', 'bool', ['yes'])
    yield ('alive_dead', 'full', h, "Did Margaret O'Neill die?", 'bool', ['yes'])
    yield ('alive_dead', 'imper', h, 'Name the patients who are no longer alive.', 'patients', *people('hm-001', 'hm-005'))
    yield ('alive_dead', 'full', big, 'How many men died?', 'count', n({i for i, p in PEOPLE.items() if p['deceased'] and p['gender'] == 'male'}))
    yield ('alive_dead', 'full', big, 'Who died in 2008?', 'patients', [[PEOPLE[i]['name']] for i in PEOPLE if PEOPLE[i]['deceased'].startswith('2008')], {'ids': [i for i in PEOPLE if PEOPLE[i]['deceased'].startswith('2008')]})
    def now(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'active'))
    yield ('meds_current', 'imper', h, 'Give me the active prescriptions for Priya Raman.', 'names', now('Raman'))
    yield ('meds_current', 'full', h, 'What drugs are being taken by David Cohen?', 'names', now('Cohen'))
    yield ('meds_current', 'noun', h, 'Grace Kim: current medication', 'names', now('Kim'))
    yield ('meds_current', 'chatty', h, 'I was wondering what Helga Brandt takes these days', 'names', [['Sumatriptan 50 MG Oral Tablet']])
    yield ('meds_current', 'full', h, "Is losartan part of Priya Raman's current treatment?", 'bool', ['yes'])
    yield ('meds_current', 'full', h, 'Are there any patients on tiotropium?', 'patients', *people('hm-005'))
    yield ('meds_current', 'full', h, 'Which patients are being treated with entecavir?', 'patients', *people('hm-006'))
    yield ('meds_current', 'full', big, 'Number of patients currently prescribed hydrochlorothiazide', 'count', n(on('hydrochlorothiazide')))
    yield ('meds_current', 'zh', h, 'David Cohen 还在吃氯吡格雷吗？', 'bool', ['no'])
    yield ('meds_current', 'typo', h, 'curent medications of Robert Nguyen', 'names', now('Nguyen'))
    yield ('meds_current', 'full', h, 'What medication is on hold for Grace Kim?', 'names', [['Alendronic acid 70 MG Oral Tablet']])
    yield ('meds_current', 'full', h, "Which of Priya Raman's drugs are paused?", 'names', [['Hydrochlorothiazide 25 MG Oral Tablet']])
    def past(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'stopped', 'completed'))
    yield ('meds_past', 'noun', h, 'previous medication of Robert Nguyen', 'names', past('Nguyen'))
    yield ('meds_past', 'full', h, 'What was Ana Sousa taking before that she has since stopped?', 'names', past('Sousa'))
    yield ('meds_past', 'full', h, 'Has Priya Raman stopped lisinopril?', 'bool', ['yes'])
    yield ('meds_past', 'full', h, 'Was Priya Raman ever on amoxicillin?', 'bool', ['yes'])
    yield ('meds_past', 'full', h, 'When did Wei Li begin taking entecavir?', 'date', ['2010-01-01'])
    yield ('meds_past', 'zh', h, 'Thomas Becker 什么时候开始服用别嘌醇？', 'date', ['2012-01-10'])
    yield ('meds_past', 'zh', h, "Margaret O'Neill 以前吃过地高辛吗？", 'bool', ['yes'])
    yield ('dose', 'full', h, 'What dosage of atorvastatin is prescribed to David Cohen?', 'number', [80])
    yield ('dose', 'noun', h, "Fatima Al-Sayed's folic acid dose", 'number', [0.4])
    yield ('dose', 'full', h, 'How many units of glargine does Ana Sousa inject?', 'number', [18])
    yield ('dose', 'zh', h, '李伟的恩替卡韦用量是多少？', 'number', [0.5])
    yield ('why', 'full', h, 'What is the reason that Priya Raman takes ibuprofen?', 'names', [['Low back pain']])
    yield ('why', 'full', h, 'Which disease is metoprolol given for in David Cohen?', 'names', [['Myocardial infarction']])
    yield ('why', 'noun', h, 'David Cohen - clopidogrel indication', 'names', [['Myocardial infarction']])
    yield ('why', 'full', h, 'What does Carlos Mendez use tiotropium for?', 'names', [['Chronic obstructive pulmonary disease']])
    yield ('why', 'full', h, 'What does Priya Raman take for her hypertension?', 'names', [['Losartan 50 MG Oral Tablet']])
    yield ('latest_value', 'noun', h, 'Ana Sousa most recent HbA1c', 'number', [8.8])
    yield ('latest_value', 'full', h, 'What is the last recorded weight of Ana Sousa?', 'number', [58.4])
    yield ('latest_value', 'full', h, "What were Wei Li's platelets?", 'number', [112])
    yield ('latest_value', 'full', h, "What's David Cohen's LDL cholesterol now?", 'number', [61])
    yield ('latest_value', 'full', h, 'How much does Ana Sousa weigh?', 'number', [58.4])
    yield ('latest_value', 'imper', h, 'Show me the latest creatinine for Helga Brandt', 'number', [1.0])
    yield ('latest_value', 'zh', h, 'Fatima Al-Sayed 的血红蛋白最近是多少？', 'number', [9.6])
    yield ('latest_value', 'full', h, 'Does Robert Nguyen smoke?', 'bool', ['yes'])
    yield ('latest_value', 'full', h, "When was Grace Kim's T-score last taken?", 'date', ['2020-08-18'])
    yield ('latest_value', 'full', five, 'What is the systolic of Marc Corkery at the latest reading?', 'number', last(S5.results('Corkery', 'Systolic')))
    yield ('value_at_date', 'full', h, "On 2019-12-18, what was Robert Nguyen's creatinine?", 'number', [1.4])
    yield ('value_at_date', 'noun', h, 'Priya Raman BP Jan 2018', 'number', [162, 98])
    yield ('value_at_date', 'full', h, "What did Wei Li's potassium measure on Feb 3, 2021?", 'number', [5.9])
    yield ('value_at_date', 'full', h, "What was Fatima Al-Sayed's haemoglobin in July 2021?", 'number', [10.4])
    yield ('value_at_date', 'full', h, 'What was the LDL of David Cohen prior to his MI?', 'number', [162])
    yield ('value_at_date', 'zh', h, '2018年1月8日 Priya Raman 的收缩压是多少？', 'number', [162])
    yield ('value_at_date', 'full', five, 'What was the BMI of Rufus Kihn in 2018?', 'number', year(S5.results('Kihn', 'Body Mass'), '2018'))
    yield ('abnormal', 'full', h, "Are any of Wei Li's results outside the reference range?", 'bool', ['yes'])
    yield ('abnormal', 'imper', h, "List the elevated results of Margaret O'Neill", 'names', [['Heart rate']])
    yield ('abnormal', 'full', h, "Is Helga Brandt's creatinine normal?", 'bool', ['yes'])
    yield ('abnormal', 'full', h, 'Who had a sodium below normal?', 'patients', *people('hm-006'))
    yield ('trend', 'full', h, "Did Priya Raman's systolic pressure go down?", 'bool', ['yes'])
    yield ('trend', 'full', h, "Is Fatima Al-Sayed's hemoglobin falling?", 'bool', ['yes'])
    yield ('trend', 'noun', h, 'Robert Nguyen creatinine trend', 'trend', ['rising'])
    yield ('trend', 'full', h, "Has Grace Kim's T-score improved or changed since 2015?", 'trend', ['rising'], {'or_refusal': True})
    yield ('visits', 'full', h, 'When did Grace Kim last visit?', 'date', ['2020-08-18'])
    yield ('visits', 'full', h, 'What was the last time Thomas Becker was seen?', 'date', ['2021-01-12'])
    yield ('visits', 'full', five, 'In 2018, how many encounters did Rufus Kihn have?', 'count', [str(len(S5.visits('Kihn', '2018')))])
    yield ('visits', 'full', h, 'Has Priya Raman had a visit in 2020?', 'bool', ['yes'])
    yield ('visits', 'zh', five, 'Marc Corkery 2016年就诊过几次？', 'count', [str(len(S5.visits('Corkery', '2016')))])
    yield ('counts', 'full', big, 'What is the number of patients who have had a stroke?', 'count', n(sick('stroke', False)))
    yield ('counts', 'full', big, 'How many individuals live with osteoporosis?', 'count', n(sick('osteoporosis')))
    yield ('counts', 'full', big, 'How many patients underwent a prostatectomy?', 'count', n(did('prostatectomy')))
    yield ('counts', 'imper', big, 'Count the patients with migraine.', 'count', n(sick('migraine')))
    yield ('counts', 'full', h, 'How many active conditions does Thomas Becker have?', 'count', ['2'])
    yield ('cohort_and', 'full', big, 'How many patients with prediabetes also have anemia?', 'count', n(sick('prediabetes') & sick('anemia')))
    yield ('cohort_and', 'full', big, 'How many hypertensive patients are on amlodipine?', 'count', n(sick('hypertension') & on('amlodipine')))
    yield ('cohort_and', 'full', big, 'How many patients had both a colonoscopy and a polyp of colon?', 'count', n(did('colonoscopy') & sick('polyp of colon', False)))
    yield ('cohort_or', 'full', big, 'Number of patients with epilepsy or migraine', 'count', n(sick('epilepsy') | sick('migraine')))
    yield ('cohort_or', 'full', big, 'How many patients take warfarin or clopidogrel?', 'count', n(on('warfarin') | on('clopidogrel')))
    yield ('cohort_not', 'full', big, 'How many patients have asthma but no allergy?', 'count', n(sick('asthma') - {r['patient'] for r in ALLERGIES}), {'or_refusal': True})
    yield ('cohort_not', 'full', big, 'How many patients on digoxin do not have heart failure?', 'count', n(on('digoxin') - sick('chronic congestive heart failure')))
    yield ('cohort_not', 'full', big, 'How many women without osteoporosis take alendronic acid?', 'count', n(on('alendronic acid') - sick('osteoporosis') & sex('female')))
    yield ('cohort_narrow', 'full', big, 'How many patients have lung cancer?', 'count', n({r['patient'] for r in CONDITIONS if r['clinicalStatus'] == 'active' and 'lung' in r['display'].lower() and (not r['display'].startswith('Suspected'))}))
    yield ('cohort_narrow', 'full', big, 'How many patients have ever had sinusitis?', 'count', n(sick('sinusitis', False)))
    yield ('cohort_age_sex', 'full', big, 'How many male patients have had a myocardial infarction?', 'count', n(sick('myocardial infarction', False) & sex('male')), {'alt': [n({r['patient'] for r in CONDITIONS if 'myocardial infarction' in r['display'].lower()} & sex('male'))]})
    yield ('cohort_age_sex', 'full', big, 'How many women take warfarin?', 'count', n(on('warfarin') & sex('female')))
    yield ('cohort_age_sex', 'full', big, 'How many patients were born in 1950?', 'count', n({i for i, p in PEOPLE.items() if p['birthDate'].startswith('1950')}))
    yield ('cohort_age_sex', 'full', big, 'How many people in Worcester have diabetes?', 'count', n({i for i in sick('diabetes') if PEOPLE[i]['city'] == 'Worcester'}))
    yield ('cohort_value', 'full', big, 'How many patients have a creatinine over 3?', 'count', n(result('Creatinine', lambda v: v > 3)))
    yield ('cohort_value', 'full', big, 'Patients whose total cholesterol is above 250: how many?', 'count', n(result('Total Cholesterol', lambda v: v > 250)))
    yield ('cohort_value', 'full', big, 'How many women have a BMI between 25 and 30?', 'count', n(result('Body Mass Index', lambda v: 25 <= v <= 30) & sex('female')))
    yield ('cohort_value', 'zh', big, '有多少患者的体重超过100公斤？', 'count', n(result('Body Weight', lambda v: v > 100)))
    yield ('drug_class', 'full', big, 'How many patients use a loop diuretic?', 'count', n(on('furosemide', 'lasix')))
    yield ('drug_class', 'full', h, 'Has Priya Raman ever taken an antibiotic?', 'bool', ['yes'])
    yield ('drug_class', 'full', h, 'Which statins has David Cohen taken?', 'names', [['Atorvastatin 80 MG Oral Tablet'], ['Simvastatin 20 MG Oral Tablet']])
    yield ('drug_class', 'full', h, 'Is Thomas Becker on any blood thinner?', 'bool', ['no'], {'or_refusal': True})
    yield ('drug_class', 'full', big, 'How many patients with stroke are on an antiplatelet?', 'count', n(sick('stroke') & on('clopidogrel', 'aspirin')))
    yield ('allergies', 'full', h, 'Does Fatima Al-Sayed tolerate penicillin?', 'refusal', 'refusal')
    yield ('allergies', 'full', h, "Which of Fatima Al-Sayed's allergies are unconfirmed?", 'names', [['Peanut']])
    yield ('allergies', 'imper', big, 'List the allergies of Bonnie Marvin', 'names', [['Allergy to mould'], ['Dander (animal) allergy'], ['Allergy to nut']])
    yield ('allergies', 'full', big, 'How many patients are allergic to both fish and shellfish?', 'count', n(allergic('to fish') & allergic('shellfish')))
    yield ('allergies', 'zh', h, 'Fatima Al-Sayed 对青霉素过敏吗？', 'bool', ['yes'])
    yield ('refuted', 'full', h, 'Does anyone have lupus?', 'patients', [], {'or_refusal': True})
    yield ('refuted', 'full', h, "Is Margaret O'Neill a breast cancer patient?", 'bool', ['no'])
    yield ('refuted', 'full', h, "Was Margaret O'Neill diagnosed with lupus?", 'bool', ['no'], {'or_refusal': True})
    yield ('refuted', 'noun', h, 'Sandra Kowalski diagnoses', 'names', [['Gestational diabetes mellitus']])
    yield ('status', 'full', h, "Has Margaret O'Neill's hip fracture healed?", 'bool', ['yes'])
    yield ('status', 'full', h, 'Does Sandra Kowalski still have gestational diabetes?', 'bool', ['no'])
    yield ('status', 'full', h, 'Since when has Robert Nguyen had hypertension?', 'date', ['2012-10-10'])
    yield ('status', 'full', h, 'What past illnesses has Priya Raman had?', 'names', [['Acute otitis media']])
    yield ('status', 'full', h, 'Is Fatima Al-Sayed pregnant?', 'bool', ['yes'])
    yield ('status', 'zh', h, 'Robert Nguyen 现在有肺炎吗？', 'bool', ['no'])
    yield ('status', 'full', h, "Is Robert Nguyen's depression in remission?", 'bool', ['yes'])
    yield ('family', 'full', h, "What illnesses does Sandra Kowalski's father have?", 'names', [['Myocardial infarction'], ['Type 2 diabetes mellitus']])
    yield ('family', 'full', h, 'Is there a family history of stroke for David Cohen?', 'bool', ['yes'])
    yield ('family', 'full', h, 'Has Sandra Kowalski had a heart attack?', 'bool', ['no'], {'or_refusal': True})
    yield ('family', 'full', h, 'Who has a family history of breast cancer?', 'patients', *people('hm-010'))
    yield ('procedures', 'full', h, 'Has David Cohen had a PCI?', 'bool', ['yes'])
    yield ('procedures', 'full', h, 'What surgery did Carlos Mendez have?', 'names', [['Cataract extraction']])
    yield ('procedures', 'full', h, "When was Margaret O'Neill's hip operated on?", 'date', ['2020-01-16'], {'or_refusal': True})
    yield ('procedures', 'full', h, 'Which immunization was not given to Fatima Al-Sayed?', 'names', [['Influenza vaccine']])
    yield ('procedures', 'full', h, 'Did Carlos Mendez refuse a colonoscopy?', 'bool', ['yes'])
    yield ('procedures', 'full', five, 'What was done on Raymon Kris in 2018?', 'names', [['Knee X-ray'], ['Surgical manipulation of joint of knee'], ['Documentation of current medications']])
    yield ('never', 'full', h, 'Who has never smoked?', 'patients', *people('hm-014'))
    yield ('never', 'full', big, 'How many patients with hypertension never took hydrochlorothiazide?', 'count', n(sick('hypertension') - on('hydrochlorothiazide', active=False)))
    yield ('ids', 'full', h, "What's the date of birth for MRN-40099?", 'date', ['1966-02-14'])
    yield ('ids', 'noun', h, 'MRN-40143 creatinine', 'number', [1.9])
    yield ('ids', 'full', h, 'Does patient hm-002 take amlodipine?', 'bool', ['yes'])
    for what in (
        "What is Grace Kim's email?",
        "Which ward is David Cohen on?",
        "What is Robert Nguyen's vitamin B12?",
        "Does Priya Raman drink alcohol?",
        "What is Thomas Becker's occupation?",
        "What was Ana Sousa's cholesterol?",
        "How long will Carlos Mendez live?",
        "Should Priya Raman take metformin?",
        "What is the best treatment for gout?",
        "Which nurse looked after Margaret O'Neill?",
    ):
        yield ('unanswerable', 'full', h, what, 'refusal', 'refusal')
