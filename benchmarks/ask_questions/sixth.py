# ruff: noqa: E501 (a question a line)
# fmt: off
"""The sixth set: a hospital's own register (since, until, first and last time, lengths of stay),
written after the fifth was cured, before it was asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ask_questions.fourth import HBA1C, WILSONS
from ask_questions.records import (
    CONDITIONS,
    DRUGS,
    HM,
    PEOPLE,
    PROCEDURES,
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
)


def diagnosed(word: str, first: str = "", end: str = "9999") -> set[str]:
    return {r['patient'] for r in CONDITIONS if word in r['display'].lower() and first <= r['onset'] < end}


def prescribed(word: str, first: str = "", end: str = "9999") -> set[str]:
    return {r['patient'] for r in DRUGS if word in r['display'].lower() and first <= r['authoredOn'] < end}


def performed(word: str, first: str = "", end: str = "9999") -> set[str]:
    return {r['patient'] for r in PROCEDURES if word in r['display'].lower() and first <= r['performed'] < end}


def questions() -> Iterator[tuple[Any, ...]]:
    h, five, big = "handmade", "synthea5", "synthea615"
    def now(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'active'))
    yield ('counts', 'since', big, 'How many patients were diagnosed with gout since 2000?', 'count', n(diagnosed('gout', '2000')))
    yield ('counts', 'until', big, 'Count the number of patients who were diagnosed with epilepsy until 1999.', 'count', n(diagnosed('epilepsy', '', '2000')), {'alt': [n(diagnosed('epilepsy', '', '2000') | diagnosed('seizure disorder', '', '2000'))]})
    yield ('counts', 'since', big, 'Since 2015, how many patients have been prescribed clopidogrel?', 'count', n(prescribed('clopidogrel', '2015')))
    yield ('counts', 'in', big, 'What is the number of patients prescribed warfarin in 2010?', 'count', n(prescribed('warfarin', '2010', '2011')))
    yield ('counts', 'in', big, 'How many patients underwent a colonoscopy in 2018?', 'count', n(performed('colonoscopy', '2018', '2019')))
    yield ('counts', 'before', big, 'Tell me the total number of patients who had a spirometry before 2015.', 'count', n(performed('spirometry', '', '2015')))
    yield ('counts', 'up to', big, 'How many patients were prescribed digoxin up to 2005?', 'count', n(prescribed('digoxin', '', '2006')))
    yield ('counts', 'since', big, 'Calculate the number of people who received naproxen since 2019.', 'count', n(prescribed('naproxen', '2019')))
    yield ('counts', 'between', big, 'How many patients were diagnosed with stroke between 2005 and 2010?', 'count', n(diagnosed('stroke', '2005', '2011')))
    yield ('counts', 'after', big, 'Give me the number of women who developed osteoporosis after 2012.', 'count', n(diagnosed('osteoporosis', '2013') & sex('female')), {'or_refusal': True})
    yield ('counts', 'full', big, 'How many men were given a flu vaccine?', 'refusal', 'refusal')
    yield ('counts', 'full', big, 'How many patients received a bone density scan?', 'count', n(did('bone density scan')))
    yield ('counts', 'full', big, 'How many patients have been identified as allergic to latex?', 'count', n(allergic('latex')), {'or_refusal': True})
    yield ('visits', 'stay', h, "What was the length of stay of David Cohen's hospital admission?", 'contains', [['6 days']], {'or_refusal': True})
    yield ('visits', 'stay', h, "Calculate the length of Margaret O'Neill's inpatient admission.", 'contains', [['14 days']], {'or_refusal': True})
    yield ('visits', 'first time', five, 'When was the first time Rufus Kihn was seen?', 'date', [S5.visits('Kihn')[0]])
    yield ('visits', 'first time', five, 'When did Pete Hirthe visit us for the last time?', 'date', [S5.visits('Hirthe')[-1]], {'or_refusal': True})
    yield ('visits', 'times', five, 'How many times has Raymon Kris been seen since 2016?', 'count', [str(sum(v >= '2016' for v in S5.visits('Raymon')))])
    yield ('visits', 'times', five, 'How many times was Marc Corkery admitted until 2015?', 'count', [str(sum(e['class']['code'] == 'IMP' and e['period']['start'] < '2016' for e in S5.of('Corkery', 'Encounter')))], {'or_refusal': True})
    yield ('visits', 'polar', h, 'Did Robert Nguyen visit in 2019?', 'bool', ['no'], {'or_refusal': True})
    yield ('visits', 'polar', h, 'Was Priya Raman seen in February 2020?', 'bool', ['yes'])
    yield ('meds_past', 'polar', h, 'Has Priya Raman been prescribed amoxicillin since 2019?', 'bool', ['yes'])
    yield ('meds_past', 'polar', h, 'Was any medication prescribed to Grace Kim in 2015?', 'bool', ['yes'])
    yield ('meds_past', 'polar', h, 'Has David Cohen received simvastatin since 2015?', 'bool', ['no'], {'or_refusal': True})
    yield ('meds_past', 'first time', h, 'When was losartan prescribed to Priya Raman for the first time?', 'date', ['2020-02-17'])
    yield ('meds_past', 'first time', h, 'What was the first drug prescribed to Robert Nguyen?', 'names', [['Lisinopril 10 MG Oral Tablet']], {'or_refusal': True})
    yield ('meds_past', 'last time', h, 'What is the last drug that Priya Raman was prescribed?', 'names', [['Ibuprofen 200 MG Oral Tablet']], {'or_refusal': True})
    yield ('meds_past', 'count', h, 'How many drugs have been prescribed to David Cohen since 2017?', 'count', ['5'], {'alt': [['4'], ['6']], 'or_refusal': True})
    yield ('meds_current', 'list', h, 'List the drugs that are currently prescribed to Thomas Becker.', 'names', now('Becker'))
    yield ('meds_current', 'list', h, 'What are the current prescriptions for David Cohen?', 'names', now('Cohen'))
    yield ('meds_current', 'polar', h, 'Is there any statin among the drugs of David Cohen?', 'bool', ['yes'], {'or_refusal': True})
    yield ('status', 'polar', h, 'Has Robert Nguyen been diagnosed with pneumonia since 2018?', 'bool', ['yes'])
    yield ('status', 'polar', h, 'Did Thomas Becker receive a diagnosis of gout before 2015?', 'bool', ['yes'])
    yield ('status', 'list', h, 'What was Priya Raman diagnosed with in 2019?', 'names', [['Acute otitis media']])
    yield ('status', 'list', five, 'What diagnoses did Rufus Kihn receive since 2017?', 'names', [['Acute viral pharyngitis (disorder)'], ['Body mass index 30+ - obesity (finding)'], ['Osteoarthritis of hip']])
    yield ('status', 'first', five, 'What was the first diagnosis of Rufus Kihn?', 'names', [['Streptococcal sore throat (disorder)']])
    yield ('status', 'last', five, 'What is the most recent diagnosis of Marc Corkery?', 'names', [['Second degree burn']])
    yield ('procedures', 'polar', h, 'Has David Cohen undergone any procedure since 2017?', 'bool', ['yes'])
    yield ('procedures', 'last', h, "When was the last procedure of Margaret O'Neill?", 'date', ['2020-01-16'])
    yield ('procedures', 'list', five, 'Which procedures did Raymon Kris undergo until 2017?', 'refusal', 'refusal')
    yield ('procedures', 'count', five, 'How many procedures has Fredrick Kris had since 2015?', 'count', ['4'])
    yield ('latest_value', 'first', h, "What was the first creatinine measured for Robert Nguyen?", 'number', [1.0])
    yield ('latest_value', 'last', h, "What is the last measured potassium of Wei Li?", 'number', [4.4])
    yield ('latest_value', 'max', h, "What was the maximum A1c of MRN-40022 since 2020?", 'number', [8.2])
    yield ('latest_value', 'min', h, "Give me the minimum LDL of David Cohen.", 'number', [61])
    yield ('latest_value', 'average', h, "What was the average creatinine of Robert Nguyen since 2019?", 'number', [(1.4 + 1.9) / 2])
    yield ('latest_value', 'second', h, "What was the second hemoglobin value of Fatima Al-Sayed?", 'number', [10.4])
    yield ('latest_value', 'time', h, "When was the A1c of Ana Sousa measured for the first time?", 'date', ['2020-01-20'])
    yield ('latest_value', 'sex', five, "What is the last systolic blood pressure of Marc Corkery?", 'number', last(S5.results('Corkery', 'Systolic')))
    yield ('value_at_date', 'since', h, "What creatinine values did Robert Nguyen have since 2019?", 'number', [1.4, 1.9])
    yield ('value_at_date', 'polar', h, "Was Ana Sousa's A1c greater than 8 in 2021?", 'bool', ['yes'])
    yield ('value_at_date', 'polar', h, "Has Priya Raman's systolic blood pressure ever been greater than 160?", 'bool', ['yes'])
    yield ('value_at_date', 'polar', h, "Has Robert Nguyen's creatinine ever been above 2?", 'bool', ['no'])
    yield ('value_at_date', 'polar', h, "Did Fatima Al-Sayed have a hemoglobin test in 2021?", 'bool', ['yes'])
    yield ('value_at_date', 'count', h, "How many times was creatinine measured in Robert Nguyen?", 'count', ['3'])
    yield ('value_at_date', 'count', h, "How many A1c tests has Ana Sousa had since July 2020?", 'count', ['2'])
    yield ('cohort_and', 'full', big, 'How many patients diagnosed with atrial fibrillation were prescribed warfarin?', 'count', n(sick('atrial fibrillation', False) & prescribed('warfarin')), {'alt': [n(sick('atrial fibrillation') & on('warfarin'))]})
    yield ('cohort_and', 'ids', big, 'List the ids of patients diagnosed with gout since 2010.', 'patients', *cohort(diagnosed('gout', '2010')), {'or_refusal': not diagnosed('gout', '2010')})
    yield ('cohort_and', 'full', big, 'Which patients with diabetes had an A1c of more than 9?', 'patients', *cohort(sick('diabetes') & result(HBA1C, lambda v: v > 9)), {'or_refusal': True})
    yield ('cohort_or', 'full', h, 'Have any patients been prescribed apixaban or warfarin?', 'patients', *people('hm-001'), {'alt': [['yes']], 'or_refusal': True})
    yield ('cohort_not', 'full', big, 'How many patients diagnosed with hypertension were never prescribed hydrochlorothiazide?', 'count', n(sick('hypertension', False) - prescribed('hydrochlorothiazide')))
    yield ('cohort_not', 'full', h, 'Which women do not have hypertension?', 'patients', *people('hm-001', 'hm-007', 'hm-010', 'hm-012', 'hm-014', 'pt-7a'))
    yield ('cohort_age_sex', 'full', big, 'How many female patients born after 1990 have been diagnosed with asthma?', 'count', n(diagnosed('asthma') & sex('female') & {i for i, p in PEOPLE.items() if p['birthDate'] >= '1991'}), {'or_refusal': True})
    yield ('alive_dead', 'full', big, 'How many patients died in 2010?', 'count', n({i for i, p in PEOPLE.items() if p['deceased'].startswith('2010')}))
    yield ('alive_dead', 'full', big, 'What is the number of men who died before 2000?', 'count', n({i for i, p in PEOPLE.items() if '0' < p['deceased'] < '2000'} & sex('male')))
    yield ('alive_dead', 'full', h, "What is Margaret O'Neill's date of death?", 'date', ['2021-11-02'])
    yield ('demographics', 'full', h, 'What is the gender of patient hm-004?', 'names', [['female']])
    yield ('demographics', 'full', h, 'What is the date of birth of patient MRN-40066?', 'date', ['1968-09-09'])
    yield ('demographics', 'full', h, "What was Robert Nguyen's age in December 2020?", 'age', ['50'])
    yield ('ambiguous', 'full', h, 'Has James Wilson been prescribed metformin since 2010?', 'ambiguous', 'ambiguous', WILSONS)
    for what in (
        "What does COPD stand for?",
        "What is the cost of a colonoscopy?",
        "How is losartan taken?",
        "What is the one year survival rate of patients with stroke?",
        "Which ward did David Cohen stay in?",
        "How many beds are free?",
        "What is the side effect of warfarin?",
        "Was Priya Raman discharged with the same drugs as before?",
        "Within two months after his heart attack, what was David Cohen prescribed?",
    ):
        yield ('unanswerable', 'full', h, what, 'refusal', 'refusal')
