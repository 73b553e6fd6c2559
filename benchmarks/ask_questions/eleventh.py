# ruff: noqa: E501 (a question a line)
# fmt: off
"""The eleventh set: for each kind of question the plainest wordings that the sets before do not have,
full, terse and in Chinese. Not a first look: questions were added where a fault was suspected, and some
that were refused were left out, after answers had been seen. It teaches neighbours (familiar.tsv) and
measures nothing. The answers over the hand-made bundles were read off the bundles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ask_questions import records as r
from ask_questions.fourth import HBA1C, WILSONS, older
from ask_questions.sixth import diagnosed, prescribed

H, FIVE, BIG = "handmade", "synthea5", "synthea615"
LENIENT = {'or_refusal': True}


def read_off() -> Iterator[tuple[Any, ...]]:
    """Questions whose answer stands in one of the hand-made bundles."""
    def now(who):  # type: ignore[no-untyped-def]
        return r.generic(r.HM.drugs(who, 'active'))
    def past(who):  # type: ignore[no-untyped-def]
        return r.generic(r.HM.drugs(who, 'stopped', 'completed'))
    def one(*names: str) -> list[list[str]]:
        return [[name] for name in names]
    yield from (('demographics', 'date', H, q, 'date', [d]) for q, d in (
        ("When was Priya Raman born?", '1975-10-23'), ("What is Grace Kim's date of birth?", '1959-01-05'),
        ("What is pt-7a's birth date?", '1966-02-14'), ("Kim G, DOB?", '1959-01-05')))
    yield ('demographics', 'city', H, "Which patients live in Lyon?", 'patients', *r.people('hm-013'))
    yield from (('alive_dead', 'polar', H, q, 'bool', [a]) for q, a in (
        ("Is Margaret O'Neill deceased?", 'yes'), ("Is Peggy O'Neill alive?", 'no')))
    yield ('alive_dead', 'if-so', H, "did Margaret O'Neill die, and if so when?", 'date', ['2021-11-02'])
    yield ('alive_dead', 'who', H, "Who is dead?", 'patients', *r.people('hm-001', 'hm-005'))
    yield ('alive_dead', 'age', H, "How old was Margaret O'Neill when she died?", 'age', ['73'])
    yield from (('meds_current', 'list', H, q, 'names', now(who)) for q, who in (
        ("What meds is David Cohen on?", 'Cohen'), ("List the active medications of Ana Sousa.", 'Sousa'),
        ("What does Priya Raman take?", 'Raman'), ("Priya Raman med list", 'Raman'),
        ("can you pull up what Thomas Becker is taking these days?", 'Becker'),
        ("According to the chart, what is Robert Nguyen currently being treated with?", 'Nguyen'),
        ("What regular medicines does David Cohen have?", 'Cohen'), ("On which drugs is patient hm-004?", 'Raman')))
    yield ('meds_current', 'id', H, "Medications of hm-001", 'names', [['Apixaban 5 MG Oral Tablet', 'Apixaban']])
    yield ('meds_current', 'id', H, "What does patient MRN-40022 take?", 'names', one('Metformin hydrochloride 1000 MG Oral Tablet', 'Amlodipine 5 MG Oral Tablet'))
    yield ('meds_current', 'id', H, "Wilson James MRN-40033 meds", 'names', one('Albuterol 0.09 MG/ACTUAT Metered Dose Inhaler'))
    yield from (('meds_current', 'polar', H, q, 'bool', [a]) for q, a in (
        ("Is Priya Raman still on lisinopril?", 'no'), ("Is Robert Nguyen taking sertraline?", 'no'),
        ("Does David Cohen take clopidogrel?", 'no'), ("Is hydrochlorothiazide being held for Priya Raman?", 'yes'),
        ("Is Margaret O'Neill's digoxin stopped?", 'yes'), ("Is David Cohen on a beta blocker?", 'yes'),
        ("Is Priya Raman on an ACE inhibitor?", 'no')))
    yield ('meds_current', 'hold', H, "Which of Priya Raman's medications are on hold?", 'names', one('Hydrochlorothiazide 25 MG Oral Tablet'))
    yield from (('meds_current', 'who', H, q, 'patients', *r.people(*ids)) for q, ids in (
        ("Who takes metformin?", ('hm-002',)), ("who's on insulin?", ('hm-012',)),
        ("Who takes lisinopril or losartan?", ('hm-004', 'hm-013')), ("Who has hypertension and takes losartan?", ('hm-004',)),
        ("Which patients have an active prescription for lisinopril?", ('hm-013',)), ("who is on a statin?", ('hm-011',)),
        ("Who is on a blood thinner?", ('hm-001',)), ("谁在服用他汀类药物？", ('hm-011',)),
        ("Which James Wilson takes metformin?", ('hm-002',))))
    yield from (('meds_past', 'polar', H, q, 'bool', ['yes']) for q in (
        "Has David Cohen ever taken simvastatin?", "Was Priya Raman ever on lisinopril?",
        "Did Priya Raman discontinue lisinopril?", "Did Margaret O'Neill ever take digoxin?"))
    yield ('meds_past', 'list', H, "What medications has Ana Sousa stopped taking?", 'names', past('Sousa'))
    yield ('meds_past', 'list', H, "previous medications of Margaret O'Neill", 'names', one('Digoxin 0.125 MG Oral Tablet'))
    yield ('meds_past', 'who', H, "Who used to take lisinopril?", 'patients', *r.people('hm-004'), {'alt': [[['Priya Raman'], ['Robert Nguyen']]], 'ids': []})
    yield from (('dose', 'plain', H, q, 'number', [n]) for q, n in (
        ("What dose of metoprolol does David Cohen take?", 50), ("How much atorvastatin is David Cohen on?", 80),
        ("How many units of glargine does Ana Sousa inject?", 18), ("losartan - what dose is Priya Raman on?", 50),
        ("What is the dosage of Margaret O'Neill's apixaban?", 5)))
    yield from (('why', 'plain', H, q, 'names', one(a)) for q, a in (
        ("Why does David Cohen take metoprolol?", 'Myocardial infarction'), ("Why is Priya Raman on ibuprofen?", 'Low back pain'),
        ("What is atorvastatin for in David Cohen?", 'Myocardial infarction'), ("what's losartan treating in Priya Raman?", 'Essential hypertension'),
        ("Why was lisinopril stopped in Priya Raman?", 'Drug-induced cough'), ("Why did Priya Raman come off lisinopril?", 'Drug-induced cough'),
        ("Why was the colonoscopy of Carlos Mendez not done?", 'Patient refused'),
        ("What is the indication for Margaret O'Neill's apixaban?", 'Atrial fibrillation')))
    yield from (('latest_value', 'plain', H, q, 'number', [n]) for q, n in (
        ("What was Ana Sousa's most recent HbA1c?", 8.8), ("Latest potassium of Wei Li?", 4.4), ("Wei Li K+", 4.4),
        ("How high was Thomas Becker's last creatinine?", 1.8), ("Fatima Al-Sayed Hb", 9.6), ("Cohen, David - last LDL", 61),
        ("David Cohen 的低密度脂蛋白最近是多少？", 61), ("What is the most recent reading of Wei Li's potassium?", 4.4)))
    yield ('latest_value', 'pressure', H, "last BP Robert Nguyen", 'number', [138, 84])
    yield ('latest_value', 'absent', H, "What is Grace Kim's current vitamin D level?", 'refusal', 'refusal')
    yield from (('latest_value', 'smoke', H, q, 'bool', [a]) for q, a in (
        ("Does Robert Nguyen smoke?", 'yes'), ("Is Carlos Mendez an ex-smoker?", 'yes'), ("Is Robert Nguyen a former smoker?", 'no'),
        ("Has Grace Kim never smoked?", 'yes'), ("Robert Nguyen 抽烟吗？", 'yes')))
    yield from (('latest_value', 'who-smokes', H, q, 'patients', *r.people(i)) for q, i in (
        ("Who smokes?", 'hm-013'), ("Who used to smoke?", 'hm-005'), ("Who are the ex-smokers?", 'hm-005'), ("Who has never smoked?", 'hm-014')))
    yield from (('value_at_date', 'plain', H, q, 'number', n) for q, n in (
        ("What was David Cohen's LDL after his heart attack?", [88]), ("David Cohen's first LDL?", [162]),
        ("What was Ana Sousa's highest A1c?", [8.8]), ("What was the LDL of David Cohen in September 2017?", [88]),
        ("List all creatinine values of Robert Nguyen", [1.0, 1.4, 1.9]), ("Show me the last two LDL results of David Cohen", [88, 61])))
    yield from (('abnormal', 'polar', H, q, 'bool', [a]) for q, a in (
        ("Is Wei Li's sodium normal?", 'no'), ("Is Robert Nguyen's creatinine elevated?", 'yes'),
        ("Was Fatima Al-Sayed's hemoglobin below the reference range?", 'yes'), ("Was Wei Li's potassium ever high?", 'yes')))
    yield from (('abnormal', 'list', H, q, 'names', one(a)) for q, a in (
        ("Any abnormal labs for Thomas Becker?", 'Creatinine'), ("abnormal results Robert Nguyen", 'Creatinine'), ("Which results of Wei Li are too high?", 'Potassium')))
    yield ('abnormal', 'who', H, "Which patients have a high creatinine?", 'patients', *r.people('hm-013', 'pt-7A'))
    yield ('abnormal', 'who', H, "Who has ever had a low sodium?", 'patients', *r.people('hm-006'))
    yield from (('trend', 'polar', H, q, 'bool', [a]) for q, a in (
        ("Has Ana Sousa's A1c gone up?", 'yes'), ("Has Robert Nguyen's creatinine risen since 2018?", 'yes')))
    yield ('trend', 'terse', H, "LDL trend David Cohen", 'trend', ['falling'])
    yield ('visits', 'stay', H, "When was David Cohen hospitalised?", 'date', ['2017-03-01'])
    yield ('visits', 'last', H, "most recent appointment of Ana Sousa", 'date', ['2021-03-03'])
    yield ('counts', 'own', H, "How many medications is Robert Nguyen on?", 'count', ['1'])
    yield ('counts', 'times', H, "How often has Wei Li's potassium been measured?", 'count', ['2'])
    yield ('counts', 'smoke', H, "How many patients smoke?", 'count', ['1'])
    yield from (('cohort', 'who', H, q, 'patients', *r.people(*ids)) for q, ids in (
        ("Which patients have diabetes and hypertension?", ('hm-002',)), ("patients with asthma or COPD", ('hm-003', 'hm-005')),
        ("Who has diabetes but not hypertension?", ('hm-012',)), ("Who has kidney disease?", ('pt-7A', 'pt-7a')),
        ("Who has any form of diabetes?", ('hm-002', 'hm-012')), ("谁有糖尿病？", ('hm-002', 'hm-012')),
        ("Which patients have type 1 diabetes?", ('hm-012',)), ("Do any patients have COPD?", ('hm-005',)),
        ("Whose A1c is above 7?", ('hm-002', 'hm-012')), ("Who has a creatinine greater than 1.3?", ('hm-013', 'pt-7A')),
        ("Which patients were born before 1950?", ('hm-001', 'hm-005')), ("HTN patients not on an ACE inhibitor", ('hm-002', 'hm-004')),
        ("Who has hypertension, leaving out those who died?", ('hm-002', 'hm-004', 'hm-013')), ("Who is the youngest patient?", ('hm-012',)),
        ("Who is the oldest woman?", ('hm-014',))))
    yield from (('allergies', 'polar', H, q, 'bool', ['no']) for q in ("Is Fatima Al-Sayed allergic to codeine?", "Is Fatima Al-Sayed allergic to latex?"))
    yield ('allergies', 'list', H, "allergies James Wilson MRN-40022", 'names', one('Sulfonamide'))
    yield ('allergies', 'list', H, "Fatima Al-Sayed 对什么过敏？", 'names', one('Penicillin', 'Peanut'), {'alt': [one('Penicillin')]})
    yield ('allergies', 'reaction', H, "how does Fatima Al-Sayed react to penicillin", 'names', one('Anaphylaxis'))
    yield from (('allergies', 'who', H, q, 'patients', *r.people('hm-007')) for q in ("Who has a penicillin allergy?", "Is anyone allergic to penicillin?", "哪些患者对青霉素过敏？"))
    yield from (('refuted', 'polar', H, q, 'bool', [a]) for q, a in (
        ("Was breast cancer ruled out in Margaret O'Neill?", 'yes'), ("Has Margaret O'Neill ever had lupus?", 'no'),
        ("Was pulmonary embolism excluded in Sandra Kowalski?", 'yes'), ("Does Sandra Kowalski have diabetes?", 'no'), ("Margaret O'Neill 有乳腺癌吗？", 'no')))
    yield ('refuted', 'list', H, "Which diagnoses of Margaret O'Neill were refuted?", 'names', one('Malignant neoplasm of breast'))
    yield ('refuted', 'who', H, "Who has a pulmonary embolism?", 'patients', [], LENIENT)
    yield ('refuted', 'report', H, "What did the CT of Sandra Kowalski find?", 'contains', [['no pulmonary embolism']])
    yield from (('status', 'list', H, q, 'names', one(*a)) for q, a in (
        ("problem list Priya Raman", ('Essential hypertension',)), ("Give me Thomas Becker's problem list", ('Gout', 'Chronic kidney disease stage 3')),
        ("What past illnesses has Priya Raman had?", ('Acute otitis media',)), ("mrn-40033 conditions", ('Asthma',)), ("Ana Sousa: type of diabetes?", ('Type 1 diabetes mellitus',))))
    yield from (('status', 'polar', H, q, 'bool', [a]) for q, a in (
        ("Is Robert Nguyen's pneumonia resolved?", 'yes'), ("Does Robert Nguyen still have pneumonia?", 'no'), ("Has Robert Nguyen ever had pneumonia?", 'yes'),
        ("Could you please tell me if Thomas Becker has gout?", 'yes'), ("Does Thomas Becker have a history of gout?", 'yes'),
        ("Did Sandra Kowalski have gestational diabetes?", 'yes'), ("Does anyone know whether Grace Kim has osteoporosis?", 'yes')))
    yield from (('status', 'date', H, q, 'date', [d]) for q, d in (
        ("When did Robert Nguyen have pneumonia?", '2018-12-20'), ("When was Priya Raman diagnosed with hypertension?", '2018-01-08'), ("When did David Cohen have his PCI?", '2017-03-01')))
    yield from (('family', 'polar', H, q, 'bool', ['yes']) for q in (
        "Does Sandra Kowalski's mother have breast cancer?", "Does breast cancer run in Sandra Kowalski's family?", "Is there a family history of stroke in David Cohen?",
        "Did David Cohen's father have a stroke?", "Has anybody in Sandra Kowalski's family had diabetes?"))
    yield ('family', 'who', H, "Who has a family history of breast cancer?", 'patients', *r.people('hm-010'))
    yield ('family', 'list', H, "What did David Cohen's father suffer from?", 'names', one('Stroke'))
    yield from (('procedures', 'polar', H, q, 'bool', [a]) for q, a in (
        ("Was the CABG of David Cohen done?", 'no'), ("Did Carlos Mendez get his colonoscopy?", 'no'), ("Is a mammogram scheduled for Grace Kim?", 'yes'), ("Has David Cohen had a bypass?", 'no')))
    yield from (('procedures', 'list', H, q, 'names', one(a)) for q, a in (
        ("What procedures has David Cohen had?", 'Percutaneous coronary intervention'), ("Which procedures are planned for Grace Kim?", 'Screening mammography'),
        ("Which vaccines did Carlos Mendez refuse?", 'Influenza vaccine'), ("David Cohen 做过什么手术？", 'Percutaneous coronary intervention')))
    yield ('procedures', 'who', H, "Who has had a PCI?", 'patients', *r.people('hm-011'))
    yield from (('ambiguous', 'plain', H, q, 'ambiguous', 'ambiguous', WILSONS) for q in ("What is James Wilson taking?", "When was James Wilson born?", "James Wilson's A1c?"))
    yield ('ambiguous', 'rank', H, "Does the younger James Wilson have asthma?", 'bool', ['yes'])
    yield from (('unanswerable', 'plain', H, q, 'refusal', 'refusal') for q in (
        "Is Zoe Quirk diabetic?", "What medication does patient 99999 take?", "What is Priya Raman's insurance?", "Who is Priya Raman's GP?", "What was Priya Raman's troponin?",
        "Is David Cohen likely to have another heart attack?", "Should Priya Raman stop ibuprofen?", "How many children does Ana Sousa have?", "What is the religion of Fatima Al-Sayed?",
        "What did Wei Li eat?", "What was Ana Sousa's TSH?", "Which drugs do I need to stop?", "Which drugs does Priya Raman need to stop?", "Which patients take only metformin?",
        "What was the cause of Margaret O'Neill's death?", "How severe is Wei Li's hepatitis?"))


def counted() -> Iterator[tuple[Any, ...]]:
    """Questions whose answer is counted over the bundles and tables of Synthea."""
    dead = {i for i, p in r.PEOPLE.items() if p['deceased']}
    yield ('alive_dead', 'polar', BIG, "Is Alejandro Riojas dead?", 'bool', ['yes'])
    yield ('alive_dead', 'polar', BIG, "Has Alejandro Riojas passed away?", 'bool', ['yes'])
    yield ('alive_dead', 'count', BIG, "How many patients have died?", 'count', r.n(dead))
    yield ('alive_dead', 'count', BIG, "how many patients are still alive?", 'count', r.n(set(r.PEOPLE) - dead))
    yield from (('counts', 'plain', BIG, q, 'count', r.n(ids)) for q, ids in (
        ("How many people take simvastatin currently?", r.on('simvastatin')), ("How many patients have hypertension?", r.sick('hypertension')),
        ("number of patients with prediabetes", r.sick('prediabetes')), ("How many patients have had a stroke?", diagnosed('stroke')),
        ("有多少病人患有高血压？", r.sick('hypertension')), ("服用辛伐他汀的患者有多少人？", r.on('simvastatin')), ("How many patients are there?", set(r.PEOPLE)),
        ("How many patients with diabetes do not take metformin?", r.sick('diabetes') - r.on('metformin')),
        ("Patients with both diabetes and hypertension: how many?", r.sick('diabetes') & r.sick('hypertension')),
        ("How many diabetics are on metformin?", r.sick('diabetes') & r.on('metformin')),
        ("How many patients have either gout or osteoarthritis?", r.sick('gout') | r.sick('osteoarthritis')),
        ("How many patients have atrial fibrillation without warfarin?", r.sick('atrial fibrillation') - r.on('warfarin')),
        ("How many female patients have asthma?", r.sex('female') & (r.sick('asthma') | r.sick('childhood asthma'))),
        ("How many women over 60 have hypertension?", (r.sex('female') & r.sick('hypertension') & older(61)) - dead),
        ("60岁以上患有高血压的女性有多少？", (r.sex('female') & r.sick('hypertension') & older(61)) - dead),
        ("How many patients are older than 80?", older(81) - dead), ("How many men are under 18?", r.sex('male') - older(18) - dead),
        ("How many patients have an HbA1c above 9?", r.result(HBA1C, lambda v: v > 9)),
        ("How many patients have never been prescribed simvastatin?", set(r.PEOPLE) - prescribed('simvastatin')),
        ("How many patients are allergic to peanuts?", r.allergic('peanut'))))
    yield ('latest_value', 'height', FIVE, "How tall is Pete Hirthe?", 'number', r.last(r.S5.results('Hirthe', 'Body Height')))
    yield ('latest_value', 'weigh', FIVE, "How much does Raymon Kris weigh?", 'number', r.last(r.S5.results('Raymon', 'Body Weight')))
    yield ('latest_value', 'bmi', FIVE, "Rufus Kihn 的体重指数是多少？", 'number', r.last(r.S5.results('Kihn', 'Body Mass Index')))
    yield ('visits', 'here', FIVE, "When was Fredrick Kris here last?", 'date', [max(r.S5.visits('Fredrick'))])
    yield ('visits', 'seen', FIVE, "Marc Corkery last seen when?", 'date', [max(r.S5.visits('Corkery'))])
    yield ('visits', 'first', FIVE, "When did Raymon Kris first come in?", 'date', [min(r.S5.visits('Raymon'))])
    yield ('visits', 'count', FIVE, "How many visits did Pete Hirthe have in 2019?", 'count', [str(len(r.S5.visits('Hirthe', '2019')))])
    yield ('visits', 'count', FIVE, "How many times has Rufus Kihn been seen?", 'count', [str(len(r.S5.visits('Kihn')))])
    yield ('visits', 'polar', FIVE, "Was Marc Corkery seen in 2020?", 'bool', ['yes' if r.S5.visits('Corkery', '2020') else 'no'])
    stays = [e for e in r.S5.of('Raymon', 'Encounter') if e['class']['code'] == 'IMP' and e['status'] == 'finished']
    yield ('visits', 'stay', FIVE, "How many admissions did Raymon Kris have?", 'count', [str(len(stays))], LENIENT)
    yield ('demographics', 'birthplace', FIVE, "Where was Pete Hirthe born?", 'contains', [['Webster']])
    yield ('why', 'given', BIG, "Why was Adalberto Hartmann given galantamine?", 'names', [["Alzheimer's disease"]])


def questions() -> Iterator[tuple[Any, ...]]:
    yield from read_off()
    yield from counted()
