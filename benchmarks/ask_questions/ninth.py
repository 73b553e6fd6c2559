# ruff: noqa: E501 (a question a line)
# fmt: off
"""The ninth set: constructions, not situations (relative clauses, exceptions, two clauses, counts
with a comparison, odd order of words), written before any of its questions had been asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ask_questions import records as r
from ask_questions.fourth import HBA1C, WILSONS, older
from ask_questions.sixth import diagnosed, performed, prescribed


def questions() -> Iterator[tuple[Any, ...]]:
    h, five, big = "handmade", "synthea5", "synthea615"
    def now(who):  # type: ignore[no-untyped-def]
        return r.generic(r.HM.drugs(who, 'active'))
    def but(who, *words):  # type: ignore[no-untyped-def]
        return [[d] for d in r.HM.drugs(who, 'active') if not any(w in d.lower() for w in words)]
    dead = {i for i, p in r.PEOPLE.items() if p['deceased']}
    chd, stroke = r.sick('coronary heart disease'), r.sick('stroke')
    # Exceptions.
    yield ('meds_current', 'exception', h, "Apart from aspirin, what is David Cohen taking?", 'names', but('Cohen', 'aspirin'))
    yield ('meds_current', 'exception', h, "Which drugs other than metformin is MRN-40022 on?", 'names', [['Amlodipine 5 MG Oral Tablet']])
    yield ('meds_current', 'exception', h, "Except for ibuprofen, which medicines does Priya Raman use?", 'names', but('Raman', 'ibuprofen'))
    yield ('status', 'exception', h, "What conditions besides gout does Thomas Becker have?", 'names', [['Chronic kidney disease stage 3']])
    yield ('cohort_not', 'exception', h, "Everybody with hypertension except Priya Raman", 'patients', *r.people('hm-002', 'hm-013'), {'or_refusal': True})
    # Neither, nor, both, only.
    yield ('cohort_not', 'neither', big, "How many patients with coronary heart disease take neither simvastatin nor clopidogrel?", 'count', r.n(chd - r.on('simvastatin') - r.on('clopidogrel')), {'alt': [r.n(chd - r.on('simvastatin', 'simvistatin') - r.on('clopidogrel'))], 'or_refusal': True})
    yield ('refuted', 'neither', h, "Is it true that Sandra Kowalski has neither a pulmonary embolism nor lupus?", 'bool', ['yes'], {'or_refusal': True})
    yield ('meds_current', 'both', h, "Does David Cohen take both aspirin and clopidogrel?", 'bool', ['no'])
    yield ('meds_current', 'both', h, "Are aspirin and atorvastatin both being taken by David Cohen?", 'bool', ['yes'])
    yield ('meds_current', 'only', h, "Is tiotropium the only drug of Carlos Mendez?", 'bool', ['yes'], {'or_refusal': True})
    yield ('meds_current', 'or-polar', h, "Is Margaret O'Neill on warfarin or on apixaban?", 'names', [['Apixaban 5 MG Oral Tablet', 'Apixaban', 'yes']], {'alt': [['yes'], [['Apixaban 5 MG Oral Tablet'], ['Warfarin 5 MG Oral Tablet']]], 'or_refusal': True})
    # Relative clauses.
    yield ('cohort_and', 'relative', h, "Show me patients whose diabetes is treated with metformin", 'patients', *r.people('hm-002'), {'or_refusal': True})
    yield ('cohort_value', 'relative', h, "Which people have a creatinine that exceeds 1.5?", 'patients', *r.people('hm-013', 'pt-7A'))
    yield ('cohort_and', 'relative', big, "How many of those who have had a stroke are women?", 'count', r.n(stroke & r.sex('female')), {'alt': [r.n(diagnosed('stroke') & r.sex('female'))]})
    yield ('cohort_age_sex', 'relative', h, "Who are the women that have hypertension?", 'patients', *r.people('hm-004'))
    yield ('meds_past', 'relative', h, "Name the drug that was stopped in Margaret O'Neill", 'names', [['Digoxin 0.125 MG Oral Tablet']])
    yield ('meds_current', 'relative', h, "Which is the drug that Wei Li is taking?", 'names', now('Wei'))
    yield ('status', 'relative', h, "Is there a condition of Priya Raman that has resolved, and which?", 'names', [['Acute otitis media']])
    # Counts with a comparison.
    yield ('counts', 'comparison', h, "Does David Cohen take more than two drugs?", 'bool', ['yes'], {'or_refusal': True})
    yield ('counts', 'comparison', big, "How many patients have more than five active conditions?", 'refusal', 'refusal')
    yield ('counts', 'comparison', h, "Has Fatima Al-Sayed had at least two covid jabs?", 'bool', ['yes'], {'or_refusal': True})
    yield ('trend', 'comparison', h, "Is Robert Nguyen's creatinine higher now than in 2018?", 'bool', ['yes'], {'alt': [['rising']], 'or_refusal': True})
    yield ('latest_value', 'comparison', h, "Was David Cohen's most recent LDL below 70?", 'bool', ['yes'])
    yield ('latest_value', 'comparison', h, "Is the potassium of Wei Li over 5 at present?", 'bool', ['no'])
    # Nested time.
    yield ('value_at_date', 'nested', h, "What was David Cohen's first LDL after his infarction?", 'number', [88])
    yield ('value_at_date', 'nested', h, "Ana Sousa's A1c in the second half of 2020?", 'number', [7.9], {'or_refusal': True})
    yield ('value_at_date', 'nested', h, "How high was Fatima Al-Sayed's hemoglobin in July of 2021?", 'number', [10.4])
    yield ('meds_past', 'nested', h, "What was Priya Raman taking in December 2019?", 'names', [['Lisinopril 10 MG Oral Tablet']], {'or_refusal': True})
    yield ('visits', 'nested', h, "Was Robert Nguyen seen after December 2020?", 'bool', ['no'], {'or_refusal': True})
    yield ('meds_past', 'nested', h, "Before she was switched to losartan, what did Priya Raman take for blood pressure?", 'names', [['Lisinopril 10 MG Oral Tablet']], {'or_refusal': True})
    # Two clauses, odd order.
    yield ('status', 'two-clause', h, "Celiac disease - since when has Ana Sousa had it?", 'date', ['2021-03-03'])
    yield ('why', 'two-clause', h, "Ibuprofen is on Priya Raman's list; what is it for?", 'names', [['Low back pain']])
    yield ('dose', 'odd', h, "Insulin glargine, Ana Sousa, how many units?", 'number', [18])
    yield ('dose', 'odd', h, "The atorvastatin David Cohen takes is what strength?", 'number', [80])
    yield ('meds_current', 'odd', h, "Of Grace Kim, current drugs?", 'names', now('Kim'))
    yield ('demographics', 'odd', h, "Born when, Wei Li?", 'date', ['1968-09-09'])
    yield ('latest_value', 'odd', five, "Pete Hirthe, his BMI, the latest one", 'number', r.last(r.S5.results('Hirthe', 'Body Mass Index')))
    yield ('alive_dead', 'odd', h, "Dead or alive: Margaret O'Neill?", 'names', [['dead', 'no', 'yes', 'deceased']], {'or_refusal': True})
    yield ('alive_dead', 'odd', h, "Margaret O'Neill is dead, when did that happen?", 'date', ['2021-11-02'])
    # Partial names, nicknames, ids.
    yield ('ids', 'partial', h, "What does Mr Mendez take?", 'names', now('Mendez'))
    yield ('ids', 'partial', h, "Is Peggy O'Neill alive?", 'bool', ['no'])
    yield ('ids', 'partial', h, "When was Mrs Kowalski born?", 'date', ['1982-06-30'])
    yield ('ids', 'partial', h, "Mr. Cohen's statin?", 'names', [['Atorvastatin 80 MG Oral Tablet']])
    yield ('ambiguous', 'partial', h, "What is Mr Wilson's latest A1c?", 'ambiguous', 'ambiguous', WILSONS)
    yield ('ids', 'partial', h, "allergies, mrn 40022", 'names', [['Sulfonamide']], {'or_refusal': True})
    yield ('unknown_patient', 'partial', h, "What does Mrs Mendez-Garcia take?", 'refusal', 'refusal')
    yield ('unknown_patient', 'partial', h, "MRN-41022 conditions", 'refusal', 'refusal')
    # Lists and cohorts.
    yield ('cohort_or', 'list', h, "All patients with asthma or COPD", 'patients', *r.people('hm-003', 'hm-005'))
    yield ('cohort_value', 'list', big, "In how many people does the last HbA1c lie at 7 or higher?", 'count', r.n(r.result(HBA1C, lambda v: v >= 7)))
    yield ('cohort_value', 'list', big, "How many have a BMI of 40 or more?", 'count', r.n(r.result('Body Mass Index', lambda v: v >= 40)), {'alt': [r.n(r.result('Body mass index (BMI) [Ratio]', lambda v: v >= 40))]})
    yield ('cohort_age_sex', 'list', big, "How many female patients aged 65 and over have hypertension?", 'count', r.n((r.sick('hypertension') & r.sex('female') & older(65)) - dead))
    yield ('procedures', 'list', big, "How many patients underwent a colonoscopy?", 'count', r.n(r.did('colonoscopy')))
    yield ('procedures', 'list', h, "Whose colonoscopy did not take place?", 'patients', *r.people('hm-005'))
    yield ('never', 'list', big, "How many men were never prescribed a statin?", 'count', r.n(r.sex('male') - prescribed('statin')))
    yield ('allergies', 'list', big, "How many people have a nut allergy?", 'count', r.n(r.allergic('nut')), {'alt': [r.n(r.allergic('nuts')), r.n(r.allergic('peanut'))]})
    yield ('procedures', 'list', big, "How many patients had an appendectomy before 2000?", 'count', r.n(performed('appendectomy', '1800', '2000')), {'or_refusal': True})
    # Family.
    yield ('family', 'which', h, "Which of Sandra Kowalski's parents had diabetes?", 'names', [['father']])
    yield ('family', 'polar', h, "Did a parent of David Cohen suffer a stroke?", 'bool', ['yes'])
    yield ('family', 'polar', h, "Does Sandra Kowalski herself have breast cancer, or was it her mother?", 'names', [['mother']], {'or_refusal': True})
    yield ('family', 'odd', h, "Father of Sandra Kowalski: illnesses?", 'names', [['Myocardial infarction'], ['Type 2 diabetes mellitus']])
    # Abnormal, report.
    yield ('abnormal', 'which', h, "Anything abnormal in Robert Nguyen's labs?", 'names', [['Creatinine'], ['Systolic blood pressure'], ['Diastolic blood pressure']], {'alt': [['yes'], [['Creatinine']]], 'or_refusal': True})
    yield ('abnormal', 'which', h, "Was Fatima Al-Sayed's hemoglobin ever normal?", 'bool', ['no'], {'or_refusal': True})
    yield ('refuted', 'report', h, "What was the conclusion of the CT of Sandra Kowalski?", 'contains', [['no pulmonary embolism']])
    yield ('refuted', 'which', h, "Which diagnosis of Sandra Kowalski was ruled out?", 'names', [['Pulmonary embolism']])
    yield ('meds_past', 'paused', h, "Which of David Cohen's drugs has been put on hold?", 'names', [['Bisoprolol 5 MG Oral Tablet']])
    yield ('allergies', 'which', h, "Which allergy of Fatima Al-Sayed is unconfirmed?", 'names', [['Peanut']], {'or_refusal': True})
    # Chinese.
    yield ('meds_current', 'zh', h, "除了阿司匹林，David Cohen 还在吃什么药？", 'names', but('Cohen', 'aspirin'))
    yield ('status', 'zh', h, "Thomas Becker 的痛风是什么时候确诊的？", 'date', ['2011-11-11'])
    yield ('cohort_not', 'zh', h, "有慢性肾病但没有痛风的患者是谁？", 'patients', *r.people('pt-7a'))
    yield ('latest_value', 'zh', h, "Fatima Al-Sayed 的血红蛋白最近一次是多少？", 'number', [9.6])
    yield ('cohort_value', 'zh', h, "哪些患者的肌酐超过1.5？", 'patients', *r.people('hm-013', 'pt-7A'))
    yield ('procedures', 'zh', h, "Carlos Mendez 做过肠镜吗？", 'bool', ['no'])
    # Nothing to answer.
    for what in ("Who is heavier, Ana Sousa or Grace Kim?", "What did David Cohen have for breakfast?", "Is Thomas Becker's gout hereditary?", "How many more drugs than Wei Li does David Cohen take?", "Which of Grace Kim's drugs interact?", "Why does Helga Brandt have migraine?", "What percentage of patients have diabetes?", "Has Carlos Mendez's COPD got worse?", "Does losartan help Priya Raman?", "What was the haemoglobin of Fatima Al-Sayed's baby?", "Where does Robert Nguyen work?"):
        yield ('unanswerable', 'mixed', h, what, 'refusal', 'refusal')
