# ruff: noqa: E501 (a question a line)
# fmt: off
"""Our own questions over the same records, in other wordings than ask_fhir's, with gold counted from the
raw JSON and tables by this file alone (nothing of Osler is imported).

python benchmarks/ask_own_questions.py DATA [own|own2|own3] > own.jsonl
python benchmarks/ask_fhir.py --data DATA --questions own.jsonl
"""

from __future__ import annotations

import csv
import datetime
import gzip
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TODAY = datetime.date.today()
DATA = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
Row = dict[str, Any]


def bundle(path: Path) -> list[Row]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as stream:
        return [entry["resource"] for entry in json.load(stream)["entry"]]


def text(concept: Row | None) -> str:
    concept = concept or {}
    return concept.get("text") or next(
        (c.get("display", "") for c in concept.get("coding", [])), ""
    )


class Ward:
    """Resources by patient, straight from the files."""

    def __init__(self, folder: Path) -> None:
        self.all: dict[str, list[Row]] = {}
        self.patient: dict[str, Row] = {}
        for path in sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")]):
            rows = bundle(path)
            person = next(r for r in rows if r["resourceType"] == "Patient")
            self.all[person["id"]] = rows
            self.patient[person["id"]] = person

    def id(self, family: str) -> str:
        return next(
            i
            for i, p in self.patient.items()
            if any(family in json.dumps(n, ensure_ascii=False) for n in p["name"])
        )

    def of(self, family: str, kind: str) -> list[Row]:
        return [r for r in self.all[self.id(family)] if r["resourceType"] == kind]

    def results(self, family: str, name: str) -> list[tuple[str, float]]:
        found = []
        for r in self.of(family, "Observation"):
            if r.get("status") == "entered-in-error":
                continue
            for part in [r, *r.get("component", [])]:
                if (
                    text(part.get("code")).lower().startswith(name.lower())
                    and "valueQuantity" in part
                ):
                    found.append((r["effectiveDateTime"], part["valueQuantity"]["value"]))
        return sorted(found)

    def drugs(self, family: str, *status: str) -> list[str]:
        found = []
        for r in self.of(family, "MedicationRequest") + self.of(family, "MedicationStatement"):
            if r["status"] in status and not r.get("doNotPerform"):
                inner = next((c for c in r.get("contained", [])), {})
                name = (
                    text(r.get("medicationCodeableConcept"))
                    or text(inner.get("code"))
                    or r.get("medicationReference", {}).get("display", "")
                )
                found.append(name)
        return sorted(set(found))

    def visits(self, family: str, year: str = "") -> list[str]:
        return sorted(
            r["period"]["start"][:10]
            for r in self.of(family, "Encounter")
            if r["status"] == "finished" and r["period"]["start"].startswith(year)
        )


HM = Ward(DATA / "ask_fhir" / "handmade")
S5 = Ward(DATA / "synthea_fhir_r4" / "bundles")


def table(name: str) -> list[Row]:
    with gzip.open(DATA / "synthea_fhir_r4" / f"{name}.tsv.gz", "rt", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


PEOPLE = {r["patient"]: r for r in table("patients")}
CONDITIONS, DRUGS = table("conditions"), table("prescriptions")
RESULTS, PROCEDURES, ALLERGIES = (
    table("observations_latest"),
    table("procedures"),
    table("allergies"),
)


def sick(word: str, active: bool = True) -> set[str]:
    return {
        r["patient"]
        for r in CONDITIONS
        if f" {word}" in f" {r['display'].lower()}"
        and not r["display"].lower().startswith(("history", "suspected"))
        and (r["clinicalStatus"] == "active" or not active)
    }


def on(*words: str, active: bool = True) -> set[str]:
    return {
        r["patient"]
        for r in DRUGS
        if any(w in r["display"].lower() for w in words) and (r["status"] == "active" or not active)
    }


def result(name: str, test: Callable[[float], bool]) -> set[str]:
    return {
        r["patient"]
        for r in RESULTS
        if r["display"] == name and r["value"] and test(float(r["value"]))
    }


def did(word: str) -> set[str]:
    return {r["patient"] for r in PROCEDURES if word in r["display"].lower()}


def allergic(word: str) -> set[str]:
    return {r["patient"] for r in ALLERGIES if word in r["display"].lower()}


def sex(gender: str) -> set[str]:
    return {i for i, p in PEOPLE.items() if p["gender"] == gender}


def n(patients: set[str]) -> list[str]:
    return [str(len(patients))]


def generic(names: list[str]) -> list[list[str]]:
    return [[name] for name in names]


def last(rows: list[tuple[str, float]]) -> list[float]:
    return [rows[-1][1]]


def year(rows: list[tuple[str, float]], when: str) -> list[float]:
    return [v for d, v in rows if d.startswith(when)]


def named(*ids: str) -> tuple[list[list[str]], list[str]]:
    found = []
    for id in ids:
        names = []
        for name in HM.patient[id]["name"]:
            full = name.get("text") or " ".join([*name.get("given", []), name["family"]])
            names += [full, f"{name.get('given', [''])[0]} {name['family']}"]
        found.append(names)
    return found, list(ids)


def questions() -> Iterator[tuple[Any, ...]]:
    h, five, big = "handmade", "synthea5", "synthea615"
    # kind, style, set, question, rule, gold[, more]
    yield ('demographics', 'full', h, 'What is the birthday of Robert Nguyen?', 'date', ['1970-11-30'])
    yield ('demographics', 'full', h, 'On which day was Helga Brandt born?', 'date', ['1966-02-14'])
    yield ('demographics', 'chatty', h, "can you give me Grace Kim's date of birth please", 'date', ['1959-01-05'])
    yield ('demographics', 'terse', h, 'birthdate David Cohen', 'date', ['{}'.format(HM.patient['hm-011']['birthDate'])])
    yield ('demographics', 'full', h, 'In which city does Robert Nguyen live?', 'names', [['Lyon']])
    yield ('demographics', 'terse', h, 'city: Priya Raman', 'names', [['Leicester']])
    yield ('demographics', 'full', h, "Where is Helga Brandt's home?", 'names', [['Kiel']])
    yield ('demographics', 'full', h, "What is the marital status of Margaret O'Neill?", 'names', [['Widowed', 'W']])
    yield ('demographics', 'full', h, "Is Margaret O'Neill widowed?", 'bool', ['yes'], {'or_refusal': True})
    yield ('demographics', 'full', big, 'What gender is Abdul Koepp?', 'names', [['male']])
    yield ('demographics', 'chatty', big, 'is Addie Tremblay a man or a woman?', 'names', [['female']])
    yield ('demographics', 'full', h, 'Is Grace Kim a man?', 'bool', ['no'])
    yield ('demographics', 'zh', h, '李伟的性别是什么？', 'names', [['male']])
    yield ('demographics', 'zh', big, 'Adalberto Hartmann 住在哪里？', 'names', [['Worcester']])
    yield ('demographics', 'full', h, 'How old was Carlos Mendez on 2019-12-02?', 'age', ['80'])
    yield ('demographics', 'full', h, "What was Ana Sousa's age on 1 March 2021?", 'age', ['20'])
    yield ('demographics', 'typo', h, 'date of brith of Priya Raman', 'date', ['1975-10-23'])
    yield ('demographics', 'full', h, "When was Peggy O'Neill born?", 'date', ['1948-03-12'])
    yield ('demographics', 'full', h, 'When was Margaret Byrne born?', 'date', ['1948-03-12'])
    yield ('demographics', 'full', h, 'What is the MRN of Fatima Al-Sayed?', 'contains', [['MRN-40077']])
    yield ('alive_dead', 'full', h, 'Has Carlos Mendez died?', 'bool', ['yes'])
    yield ('alive_dead', 'chatty', h, "is Margaret O'Neill still with us?", 'bool', ['no'])
    yield ('alive_dead', 'terse', h, 'Carlos Mendez dead?', 'bool', ['yes'])
    yield ('alive_dead', 'full', h, "When did Margaret O'Neill pass away?", 'date', ['2021-11-02'])
    yield ('alive_dead', 'full', big, 'On what date did Alejandro Riojas die?', 'date', ['2008-12-14'])
    dead = {i for i, p in PEOPLE.items() if p["deceased"]}
    yield ('alive_dead', 'full', big, 'How many of the patients are dead?', 'count', n(dead))
    yield ('alive_dead', 'full', big, 'How many patients are alive?', 'count', n(set(PEOPLE) - dead))
    yield ('alive_dead', 'zh', h, 'Carlos Mendez 去世了吗？', 'bool', ['yes'])
    yield ('alive_dead', 'full', big, 'How many women have passed away?', 'count', n(dead & sex('female')))
    def now(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'active'))
    yield ('meds_current', 'full', h, 'Which medicines is Ana Sousa taking now?', 'names', now('Sousa'))
    yield ('meds_current', 'chatty', h, "hi, could you list Robert Nguyen's current drugs?", 'names', now('Nguyen'))
    yield ('meds_current', 'terse', h, 'Wei Li meds', 'names', now('Wei'))
    yield ('meds_current', 'terse', h, 'drug list Thomas Becker', 'names', now('Becker'))
    yield ('meds_current', 'full', h, 'What is Fatima Al-Sayed being prescribed?', 'names', now('Al-Sayed'))
    yield ('meds_current', 'zh', h, 'Priya Raman 目前在服用哪些药物？', 'names', now('Raman'))
    yield ('meds_current', 'zh', h, '李伟现在吃什么药？', 'names', now('Wei'))
    yield ('meds_current', 'full', h, 'Is David Cohen still on clopidogrel?', 'bool', ['no'])
    yield ('meds_current', 'full', h, 'Is Priya Raman on lisinopril?', 'bool', ['no'])
    yield ('meds_current', 'full', h, 'Does Robert Nguyen take lisinopril at the moment?', 'bool', ['yes'])
    yield ('meds_current', 'terse', h, 'Grace Kim on alendronic acid?', 'bool', ['no'])
    yield ('meds_current', 'full', h, 'Is Grace Kim currently taking cholecalciferol?', 'bool', ['yes'])
    yield ('meds_current', 'full', h, 'Is Priya Raman taking amlodipine?', 'bool', ['no'])
    yield ('meds_current', 'full', h, 'Who takes metformin?', 'patients', *_p('hm-002'))
    yield ('meds_current', 'terse', h, 'patients on aspirin', 'patients', *_p('hm-011'))
    yield ('meds_current', 'full', h, 'List everyone on warfarin.', 'patients', [], {'or_refusal': True})
    yield ('meds_current', 'full', big, 'How many people take simvastatin?', 'count', n(on('simvastatin')))
    yield ('meds_current', 'terse', big, 'count of pts on digoxin', 'count', n(on('digoxin')))
    yield ('meds_current', 'zh', big, '有多少患者正在服用华法林？', 'count', n(on('warfarin')))
    yield ('meds_current', 'full', big, 'What number of patients is on amlodipine today?', 'count', n(on('amlodipine')))
    def past(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'stopped', 'completed'))
    yield ('meds_past', 'full', h, 'Which medications has Priya Raman stopped taking?', 'names', past('Raman'), {'alt': [generic(HM.drugs('Raman', 'stopped'))]})
    yield ('meds_past', 'full', h, 'What drugs did Robert Nguyen take in the past?', 'names', past('Nguyen'))
    yield ('meds_past', 'terse', h, 'discontinued drugs, David Cohen', 'names', generic(HM.drugs('Cohen', 'stopped')))
    yield ('meds_past', 'chatty', h, "what is Margaret O'Neill no longer taking?", 'names', past("O'Neill"))
    yield ('meds_past', 'full', h, "Has Margaret O'Neill ever taken digoxin?", 'bool', ['yes'])
    yield ('meds_past', 'full', h, 'Did David Cohen ever take simvastatin?', 'bool', ['yes'])
    yield ('meds_past', 'full', h, 'Was David Cohen given alteplase?', 'bool', ['no'])
    yield ('meds_past', 'full', h, 'When was losartan started for Priya Raman?', 'date', ['2020-02-17'])
    yield ('meds_past', 'full', h, 'Since when has Thomas Becker been taking allopurinol?', 'date', ['2012-01-10'])
    yield ('meds_past', 'terse', h, 'metformin start date MRN-40022', 'date', ['2014-02-10'])
    yield ('meds_past', 'full', big, 'How many patients have at any time received penicillin?', 'count', n(on('penicillin', active=False)), {'alt': [n(on('cillin', active=False))]})
    yield ('meds_past', 'full', big, 'How many patients used to take naproxen?', 'count', n({r['patient'] for r in DRUGS if 'naproxen' in r['display'].lower() and r['status'] == 'stopped'}))
    yield ('dose', 'full', h, 'How much metformin does the James Wilson born in 1961 take?', 'number', [1000])
    yield ('dose', 'full', h, "What is the dose of Wei Li's entecavir?", 'number', [0.5])
    yield ('dose', 'terse', h, 'losartan dosage Priya Raman', 'number', [50])
    yield ('dose', 'chatty', h, 'how many mg of allopurinol is Thomas Becker on?', 'number', [300])
    yield ('dose', 'full', h, "At what dose is Robert Nguyen's lisinopril prescribed now?", 'number', [20])
    yield ('dose', 'zh', h, 'Priya Raman 的氯沙坦剂量是多少？', 'number', [50])
    yield ('why', 'full', h, 'Why is Ana Sousa on insulin glargine?', 'names', [['Type 1 diabetes mellitus']])
    yield ('why', 'full', h, 'What was amoxicillin given to Priya Raman for?', 'names', [['Acute otitis media']])
    yield ('why', 'terse', h, 'why tiotropium Carlos Mendez', 'names', [['Chronic obstructive pulmonary disease']])
    yield ('why', 'full', h, "For which reason was digoxin prescribed to Margaret O'Neill?", 'names', [['Atrial fibrillation']])
    yield ('why', 'zh', h, 'Robert Nguyen 为什么服用赖诺普利？', 'names', [['Essential hypertension']])
    yield ('latest_value', 'full', h, "What is Robert Nguyen's creatinine?", 'number', [1.9])
    yield ('latest_value', 'full', h, 'Give the most recent haemoglobin of Fatima Al-Sayed.', 'number', [9.6])
    yield ('latest_value', 'terse', h, 'latest bp Priya Raman', 'number', [128, 80])
    yield ('latest_value', 'terse', h, 'Wei Li troponin', 'number', ['<0.01'])
    yield ('latest_value', 'chatty', h, "what's the newest T-score we have for Grace Kim?", 'number', [-2.4])
    yield ('latest_value', 'full', h, "How high was Margaret O'Neill's heart rate at the last measurement?", 'number', [118])
    yield ('latest_value', 'full', five, 'What does Pete Hirthe weigh?', 'number', last(S5.results('Hirthe', 'Body Weight')))
    yield ('latest_value', 'full', five, 'How tall is Fredrick Kris?', 'number', last(S5.results('Fredrick', 'Body Height')))
    yield ('latest_value', 'terse', five, 'Marc Corkery HDL', 'number', last(S5.results('Corkery', 'High Density')))
    yield ('latest_value', 'zh', five, 'Rufus Kihn 最近的总胆固醇是多少？', 'number', last(S5.results('Kihn', 'Total Cholesterol')))
    yield ('latest_value', 'full', h, 'When was potassium last measured in Wei Li?', 'date', ['2021-02-10'])
    yield ('latest_value', 'full', h, 'What is the smoking status of Carlos Mendez?', 'names', [['Former smoker']])
    yield ('latest_value', 'full', h, 'Is Carlos Mendez a smoker?', 'bool', ['no'])
    yield ('latest_value', 'typo', h, 'latest creatinin of Robert Nguyen', 'number', [1.9])
    yield ('latest_value', 'full', big, "What is Abdul Koepp's most recent body mass index?", 'number', [float(next(r['value'] for r in RESULTS if r['patient'].startswith('018f428e') and r['display'] == 'Body Mass Index'))])
    yield ('value_at_date', 'full', h, 'What was the LDL of David Cohen in September 2017?', 'number', [88])
    yield ('value_at_date', 'full', h, "What was Priya Raman's blood pressure on 17 February 2020?", 'number', [148, 92])
    yield ('value_at_date', 'terse', h, 'A1c Ana Sousa 2020-07-13', 'number', [7.9])
    yield ('value_at_date', 'chatty', h, "what was MRN-40022's a1c back in 2019?", 'number', [9.1])
    yield ('value_at_date', 'full', h, "What were Sandra Kowalski's glucose values on 2021-05-10?", 'number', [92, 188, 310])
    yield ('value_at_date', 'zh', h, 'David Cohen 在2020年的低密度脂蛋白是多少？', 'number', [61])
    yield ('value_at_date', 'full', h, "What was David Cohen's first LDL after the heart attack?", 'number', [88])
    yield ('value_at_date', 'full', h, 'What was the first recorded hemoglobin of Fatima Al-Sayed?', 'number', [11.8])
    yield ('value_at_date', 'full', five, 'What did Raymon Kris weigh in 2018?', 'number', year(S5.results('Raymon', 'Body Weight'), '2018'))
    yield ('abnormal', 'full', h, 'Does Wei Li have any abnormal lab values?', 'bool', ['yes'])
    yield ('abnormal', 'full', h, "Which of Robert Nguyen's labs were high?", 'names', [['Creatinine']])
    yield ('abnormal', 'terse', h, 'abnormal labs Fatima Al-Sayed', 'names', [['Hemoglobin']])
    yield ('abnormal', 'full', h, "Was Wei Li's sodium low?", 'bool', ['yes'])
    yield ('abnormal', 'full', h, "Is Robert Nguyen's creatinine elevated?", 'bool', ['yes'])
    yield ('abnormal', 'full', h, "Is Wei Li's ALT raised?", 'bool', ['no'])
    yield ('abnormal', 'full', h, 'Which patients have an elevated creatinine?', 'patients', *_p('hm-013', 'pt-7A'))
    yield ('abnormal', 'zh', h, '李伟哪些化验结果偏低？', 'names', [['Sodium'], ['Platelets']])
    yield ('trend', 'full', h, "Is Robert Nguyen's creatinine going up or down?", 'trend', ['rising'])
    yield ('trend', 'full', h, "How has Fatima Al-Sayed's hemoglobin changed?", 'trend', ['falling'])
    yield ('trend', 'full', h, "Has David Cohen's LDL gone down?", 'bool', ['yes'])
    yield ('trend', 'full', h, "Did Ana Sousa's A1c increase from 2020 to 2021?", 'bool', ['yes'])
    yield ('trend', 'terse', h, 'a1c trend MRN-40022', 'trend', ['falling'])
    yield ('trend', 'zh', h, 'Robert Nguyen 的肌酐是上升还是下降？', 'trend', ['rising'])
    yield ('trend', 'full', h, 'List every hemoglobin of Fatima Al-Sayed.', 'number', [11.8, 10.4, 9.6])
    yield ('visits', 'full', h, 'When did Robert Nguyen last come in?', 'date', ['2020-12-16'])
    yield ('visits', 'terse', h, 'last encounter Sandra Kowalski', 'date', ['2021-05-10'])
    yield ('visits', 'full', h, "When is Fatima Al-Sayed's next visit?", 'date', ['2099-01-15'])
    yield ('visits', 'full', five, 'How many visits did Marc Corkery have in 2012?', 'count', [str(len(S5.visits('Corkery', '2012')))])
    yield ('visits', 'full', five, 'How many times has Pete Hirthe been seen?', 'count', [str(len(S5.visits('Hirthe')))])
    yield ('visits', 'full', h, "How many visits has Margaret O'Neill had?", 'count', ['3'])
    yield ('visits', 'full', h, "What was the date of Robert Nguyen's first visit?", 'date', ['2012-10-10'])
    yield ('visits', 'zh', h, 'Priya Raman 最后一次就诊是什么时候？', 'date', ['2021-06-21'])
    yield ('counts', 'full', big, 'How many patients suffer from epilepsy?', 'count', n(sick('epilepsy')))
    yield ('counts', 'terse', big, 'number of patients with AF', 'count', n(sick('atrial fibrillation')))
    yield ('counts', 'full', big, 'How many people have been diagnosed with pneumonia?', 'count', n(sick('pneumonia', False)), {'alt': [n(sick('pneumonia'))]})
    yield ('counts', 'full', big, 'How many patients have had a colonoscopy?', 'count', n(did('colonoscopy')))
    yield ('counts', 'full', big, 'How many patients are allergic to peanuts?', 'count', n(allergic('peanut')))
    yield ('counts', 'zh', big, '多少病人有哮喘？', 'count', n(sick('asthma')), {'alt': [n(sick('asthma', False))]})
    yield ('counts', 'full', h, 'How many COVID vaccinations has Fatima Al-Sayed received?', 'count', ['2'])
    yield ('counts', 'full', h, 'How many drugs is David Cohen on?', 'count', ['3'])
    yield ('counts', 'full', h, 'How many allergies does Fatima Al-Sayed have?', 'count', ['2'], {'alt': [['1']]})
    yield ('cohort_and', 'full', big, 'How many patients with coronary heart disease take clopidogrel?', 'count', n(sick('coronary heart disease') & on('clopidogrel')))
    yield ('cohort_and', 'terse', big, 'pts with hyperlipidemia & hypertension, how many?', 'count', n(sick('hyperlipidemia') & sick('hypertension')))
    yield ('cohort_and', 'full', big, 'How many patients have gout as well as hypertension?', 'count', n(sick('gout') & sick('hypertension')))
    yield ('cohort_and', 'zh', big, '有多少患者同时患有高血压和糖尿病？', 'count', n(sick('hypertension') & sick('diabetes')))
    yield ('cohort_or', 'full', big, 'How many patients have gout or rheumatoid arthritis?', 'count', n(sick('gout') | sick('rheumatoid arthritis')))
    yield ('cohort_or', 'full', h, 'Which patients take either losartan or amlodipine?', 'patients', *_p('hm-002', 'hm-004'))
    yield ('cohort_not', 'full', big, 'How many diabetics are not on metformin?', 'count', n(sick('diabetes') - on('metformin')))
    yield ('cohort_not', 'full', big, 'How many patients have atrial fibrillation without taking warfarin?', 'count', n(sick('atrial fibrillation') - on('warfarin')))
    yield ('cohort_not', 'terse', big, 'HTN w/o diabetes: how many pts', 'count', n(sick('hypertension') - sick('diabetes')))
    yield ('cohort_not', 'full', h, 'Which patients with hypertension do not take lisinopril?', 'patients', *_p('hm-002', 'hm-004'))
    yield ('cohort_narrow', 'full', big, 'How many patients have a malignant neoplasm of the colon?', 'count', n(sick('malignant neoplasm of colon') | sick('malignant tumor of colon')), {'alt': [n(sick('malignant neoplasm of colon'))]})
    yield ('cohort_narrow', 'full', h, 'Which patients have diabetes?', 'patients', *_p('hm-002', 'hm-012'))
    yield ('cohort_age_sex', 'full', big, 'How many female patients take levothyroxine?', 'count', n(on('levothyroxine') & sex('female')))
    yield ('cohort_age_sex', 'full', big, 'How many men suffer from hypertension?', 'count', n(sick('hypertension') & sex('male')))
    yield ('cohort_age_sex', 'full', big, 'How many patients born before 1930 are there?', 'count', n({i for i, p in PEOPLE.items() if p['birthDate'] < '1930'}))
    yield ('cohort_age_sex', 'zh', big, '有多少女性患者患有骨质疏松？', 'count', n(sick('osteoporosis') & sex('female')))
    yield ('cohort_value', 'full', big, 'How many patients have an LDL greater than 160?', 'count', n(result('Low Density Lipoprotein Cholesterol', lambda v: v > 160)))
    yield ('cohort_value', 'full', big, 'How many patients have a BMI of at least 40?', 'count', n(result('Body Mass Index', lambda v: v >= 40)))
    yield ('cohort_value', 'terse', big, 'pts w/ triglycerides > 300, how many', 'count', n(result('Triglycerides', lambda v: v > 300)))
    yield ('cohort_value', 'full', big, 'How many patients have a potassium under 4?', 'count', n(result('Potassium', lambda v: v < 4)))
    yield ('cohort_value', 'full', big, 'How many men have a body weight of more than 100 kg?', 'count', n(result('Body Weight', lambda v: v > 100) & sex('male')))
    yield ('drug_class', 'full', big, 'How many patients take an anticoagulant?', 'count', n(on('warfarin', 'heparin')))
    yield ('drug_class', 'full', h, 'Is David Cohen on a statin?', 'bool', ['yes'])
    yield ('drug_class', 'full', h, 'Does Priya Raman take an ACE inhibitor?', 'bool', ['no'])
    yield ('drug_class', 'full', h, 'Which NSAID does Priya Raman use?', 'names', [['Ibuprofen 200 MG Oral Tablet']])
    yield ('drug_class', 'full', big, 'How many patients with diabetes take insulin?', 'count', n(sick('diabetes') & on('insulin')))
    yield ('drug_class', 'zh', big, '有多少患者在服用他汀类药物？', 'count', n(on('statin')))
    yield ('drug_class', 'full', h, 'Who is on an ARB?', 'patients', *_p('hm-004'))
    yield ('allergies', 'full', h, 'Is Fatima Al-Sayed allergic to latex?', 'bool', ['no'])
    yield ('allergies', 'full', h, 'Does Fatima Al-Sayed have a penicillin allergy?', 'bool', ['yes'])
    yield ('allergies', 'full', h, 'Does Ana Sousa have any drug allergies?', 'bool', ['no'], {'or_refusal': True})
    yield ('allergies', 'terse', big, 'allergies Ali Herman', 'names', [['House dust mite allergy'], ['Allergy to tree pollen'], ['Allergy to fish']])
    yield ('allergies', 'full', h, 'Is Fatima Al-Sayed allergic to codeine?', 'bool', ['no'], {'or_refusal': True})
    yield ('allergies', 'full', big, 'How many patients have a latex allergy?', 'count', n(allergic('latex')))
    yield ('allergies', 'full', h, 'How does Fatima Al-Sayed react to penicillin?', 'names', [['Anaphylaxis']])
    yield ('allergies', 'zh', big, 'Ali Herman 对什么过敏？', 'names', [['House dust mite allergy'], ['Allergy to tree pollen'], ['Allergy to fish']])
    yield ('refuted', 'full', h, 'Was pulmonary embolism ruled out in Sandra Kowalski?', 'bool', ['yes'])
    yield ('refuted', 'chatty', h, 'so does Sandra Kowalski have a PE or not?', 'bool', ['no'])
    yield ('refuted', 'full', h, "Has Margaret O'Neill ever had breast cancer?", 'bool', ['no'])
    yield ('refuted', 'full', h, "Which diagnosis of Margaret O'Neill was refuted?", 'names', [['Malignant neoplasm of breast']])
    yield ('refuted', 'terse', h, "lupus Margaret O'Neill?", 'bool', ['no'], {'or_refusal': True})
    yield ('refuted', 'full', h, 'Who has a pulmonary embolism?', 'patients', [], {'or_refusal': True})
    yield ('refuted', 'zh', h, "Margaret O'Neill 有乳腺癌吗？", 'bool', ['no'])
    yield ('status', 'full', h, "Is Robert Nguyen's pneumonia resolved?", 'bool', ['yes'])
    yield ('status', 'full', h, "When did Priya Raman's ear infection clear up?", 'date', ['2019-11-16'])
    yield ('status', 'full', h, 'Did Robert Nguyen have pneumonia?', 'bool', ['yes'])
    yield ('status', 'full', h, 'Which active problems does Robert Nguyen have?', 'names', [['Essential hypertension']])
    yield ('status', 'full', h, 'When was Thomas Becker diagnosed with gout?', 'date', ['2011-11-11'])
    yield ('status', 'terse', h, 'problem list Thomas Becker', 'names', [['Gout'], ['Chronic kidney disease stage 3']])
    yield ('status', 'full', h, 'Which suspected conditions does Ana Sousa have?', 'names', [['Celiac disease']])
    yield ('family', 'full', h, "Did Sandra Kowalski's mother have breast cancer?", 'bool', ['yes'])
    yield ('family', 'full', h, 'Does Sandra Kowalski have a family history of diabetes?', 'bool', ['yes'])
    yield ('family', 'full', h, 'Does Sandra Kowalski have type 2 diabetes?', 'bool', ['no'], {'or_refusal': True})
    yield ('family', 'full', h, "Which illnesses run in David Cohen's family?", 'names', [['Stroke']])
    yield ('family', 'full', h, 'Has David Cohen had a stroke?', 'bool', ['no'], {'or_refusal': True})
    yield ('family', 'zh', h, 'Sandra Kowalski 的父亲得过什么病？', 'names', [['Myocardial infarction'], ['Type 2 diabetes mellitus']])
    yield ('procedures', 'full', h, 'Was a bypass operation performed on David Cohen?', 'bool', ['no'])
    yield ('procedures', 'full', h, "Which operations has Margaret O'Neill had?", 'names', [['Hip hemiarthroplasty']])
    yield ('procedures', 'terse', h, 'PCI date David Cohen', 'date', ['2017-03-01'])
    yield ('procedures', 'full', h, 'Did Carlos Mendez get a flu shot?', 'bool', ['no'])
    yield ('procedures', 'full', h, 'Is a mammography planned for Grace Kim?', 'bool', ['yes'])
    yield ('procedures', 'full', h, 'Which vaccines has Carlos Mendez received?', 'names', [['Pneumococcal polysaccharide vaccine']])
    yield ('procedures', 'full', h, 'When did Grace Kim have her bone density scan?', 'date', ['2020-08-18'])
    yield ('procedures', 'zh', h, 'David Cohen 做过搭桥手术吗？', 'bool', ['no'])
    yield ('never', 'full', h, 'Has Grace Kim never smoked?', 'bool', ['yes'])
    yield ('never', 'full', h, 'Has Carlos Mendez ever smoked?', 'bool', ['yes'])
    yield ('never', 'full', big, 'How many patients have never had a colonoscopy?', 'count', n(set(PEOPLE) - did('colonoscopy')))
    yield ('never', 'full', h, 'Which patients have never had a creatinine measured?', 'patients', *_p('hm-001', 'hm-002', 'hm-003', 'hm-004', 'hm-005', 'hm-007', 'hm-010', 'hm-011', 'hm-012', 'hm-014'))
    james = {"between": [["hm-002", "1961-07-04"], ["hm-003", "1984-01-19"]]}
    yield ('ambiguous', 'full', h, 'What is James Wilson taking at present?', 'ambiguous', 'ambiguous', james)
    yield ('ambiguous', 'terse', h, 'James Wilson dob', 'ambiguous', 'ambiguous', james)
    yield ('ambiguous', 'full', h, 'What is the latest A1c of James Wilson?', 'ambiguous', 'ambiguous', james)
    yield ('ids', 'full', h, 'Is the James Wilson with MRN-40033 asthmatic?', 'bool', ['yes'])
    yield ('ids', 'terse', h, 'hm-003 meds', 'names', now('1984') if False else [['Albuterol 0.09 MG/ACTUAT Metered Dose Inhaler']])
    yield ('ids', 'full', h, 'When was patient pt-7A born?', 'date', ['1955-08-08'])
    yield ('ids', 'full', h, 'Which drugs does pt-7a take?', 'names', [['Sumatriptan 50 MG Oral Tablet']])
    yield ('ids', 'full', h, 'Does James Wilson, born 4 July 1961, have hypertension?', 'bool', ['yes'])
    yield ('ids', 'full', h, 'What is MRN-40022 allergic to?', 'names', [['Sulfonamide']])
    for who in ("Hildegard Muster", "Peter Nguyen", "PT-7A", "MRN-99999"):
        yield ('unknown_patient', 'full', h, f'What medications is {who} taking?', 'refusal', 'refusal')
    yield ('unknown_patient', 'terse', h, 'Priya Cohen dob', 'refusal', 'refusal')
    yield ('unknown_patient', 'zh', h, '张三有高血压吗？', 'refusal', 'refusal')
    for what in (
        "What insurance does Grace Kim have?",
        "Who is David Cohen's cardiologist?",
        "What is Wei Li's CRP?",
        "When will Robert Nguyen be discharged?",
        "What was Thomas Becker's uric acid last week?",
        "How much did Ana Sousa's hospital stay cost?",
        "What was Priya Raman's hemoglobin?",
        "Does Helga Brandt have children?",
        "What did the MRI of Robert Nguyen show?",
        "Which religion does Fatima Al-Sayed have?",
        "What was Robert Nguyen's creatinine in 2010?",
        "Why did Priya Raman see the neurologist?",
        "Is Grace Kim's mother alive?",
        "What is the prognosis of Carlos Mendez?",
    ):
        yield ('unanswerable', 'full', h, what, 'refusal', 'refusal')


def more_questions() -> Iterator[tuple[Any, ...]]:
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
    yield ('alive_dead', 'imper', h, 'Name the patients who are no longer alive.', 'patients', *_p('hm-001', 'hm-005'))
    yield ('alive_dead', 'full', big, 'How many men died?', 'count', n({i for i, p in PEOPLE.items() if p['deceased'] and p['gender'] == 'male'}))
    yield ('alive_dead', 'full', big, 'Who died in 2008?', 'patients', [[PEOPLE[i]['name']] for i in PEOPLE if PEOPLE[i]['deceased'].startswith('2008')], {'ids': [i for i in PEOPLE if PEOPLE[i]['deceased'].startswith('2008')]})
    def now(who):  # type: ignore[no-untyped-def]
        return generic(HM.drugs(who, 'active'))
    yield ('meds_current', 'imper', h, 'Give me the active prescriptions for Priya Raman.', 'names', now('Raman'))
    yield ('meds_current', 'full', h, 'What drugs are being taken by David Cohen?', 'names', now('Cohen'))
    yield ('meds_current', 'noun', h, 'Grace Kim: current medication', 'names', now('Kim'))
    yield ('meds_current', 'chatty', h, 'I was wondering what Helga Brandt takes these days', 'names', [['Sumatriptan 50 MG Oral Tablet']])
    yield ('meds_current', 'full', h, "Is losartan part of Priya Raman's current treatment?", 'bool', ['yes'])
    yield ('meds_current', 'full', h, 'Are there any patients on tiotropium?', 'patients', *_p('hm-005'))
    yield ('meds_current', 'full', h, 'Which patients are being treated with entecavir?', 'patients', *_p('hm-006'))
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
    yield ('abnormal', 'full', h, 'Who had a sodium below normal?', 'patients', *_p('hm-006'))
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
    yield ('family', 'full', h, 'Who has a family history of breast cancer?', 'patients', *_p('hm-010'))
    yield ('procedures', 'full', h, 'Has David Cohen had a PCI?', 'bool', ['yes'])
    yield ('procedures', 'full', h, 'What surgery did Carlos Mendez have?', 'names', [['Cataract extraction']])
    yield ('procedures', 'full', h, "When was Margaret O'Neill's hip operated on?", 'date', ['2020-01-16'], {'or_refusal': True})
    yield ('procedures', 'full', h, 'Which immunization was not given to Fatima Al-Sayed?', 'names', [['Influenza vaccine']])
    yield ('procedures', 'full', h, 'Did Carlos Mendez refuse a colonoscopy?', 'bool', ['yes'])
    yield ('procedures', 'full', five, 'What was done on Raymon Kris in 2018?', 'names', [['Knee X-ray'], ['Surgical manipulation of joint of knee'], ['Documentation of current medications']])
    yield ('never', 'full', h, 'Who has never smoked?', 'patients', *_p('hm-014'))
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


def third_questions() -> Iterator[tuple[Any, ...]]:
    """A third set: vaccines, care plans, ages, and wordings that the first two lack."""
    h, five, big = "handmade", "synthea5", "synthea615"
    def old(years):  # type: ignore[no-untyped-def]
        return {i for i, p in PEOPLE.items() if p['birthDate'] <= f'{TODAY.year - years:04}{TODAY.isoformat()[4:]}'}
    yield ('immunizations', 'full', h, 'Which vaccinations did Fatima Al-Sayed get?', 'names', [['COVID-19 mRNA vaccine']])
    yield ('immunizations', 'full', h, 'Was Fatima Al-Sayed vaccinated against influenza?', 'bool', ['no'])
    yield ('immunizations', 'full', h, 'When did Fatima Al-Sayed receive her last COVID vaccine?', 'date', ['2021-06-14'])
    yield ('immunizations', 'terse', h, 'covid jabs Fatima Al-Sayed', 'names', [['COVID-19 mRNA vaccine']], {'or_refusal': True})
    yield ('immunizations', 'full', h, 'Has Carlos Mendez been immunised against pneumococcus?', 'bool', ['yes'], {'or_refusal': True})
    yield ('immunizations', 'full', h, 'Who got a COVID-19 vaccine?', 'patients', *_p('hm-007'))
    yield ('immunizations', 'full', five, 'How many flu shots has Marc Corkery had?', 'count', [str(sum('nfluenza' in text(r['vaccineCode']) for r in S5.of('Corkery', 'Immunization')))])
    yield ('immunizations', 'full', five, 'When was Pete Hirthe last vaccinated against the flu?', 'date', [max(r['occurrenceDateTime'][:10] for r in S5.of('Hirthe', 'Immunization') if 'nfluenza' in text(r['vaccineCode']))])
    def plans(who):  # type: ignore[no-untyped-def]
        return generic(sorted({text(r['category'][-1]) for r in S5.of(who, 'CarePlan') if r['status'] == 'active'}))
    yield ('careplans', 'full', five, 'Which care plans are active for Marc Corkery?', 'names', plans('Corkery'))
    yield ('careplans', 'full', five, 'What care plan is Raymon Kris on?', 'names', plans('Raymon'))
    yield ('careplans', 'full', big, 'How many patients have a diabetes self management plan?', 'count', n({r['patient'] for r in table('careplans') if r['category'] == 'Diabetes self management plan'}))
    yield ('cohort_age_sex', 'full', big, 'How many patients are older than 80?', 'count', n(old(81)))
    yield ('cohort_age_sex', 'full', big, 'How many patients over 65 have hypertension?', 'count', n(sick('hypertension') & old(66)))
    yield ('cohort_age_sex', 'full', big, 'How many women aged 50 or more have osteoporosis?', 'count', n(sick('osteoporosis') & old(50) & sex('female')), {'or_refusal': True})
    yield ('cohort_age_sex', 'full', big, 'How many men under 40 take albuterol?', 'count', n(on('albuterol') - old(40) & sex('male')))
    yield ('cohort_age_sex', 'full', big, 'How many children have asthma?', 'count', n(sick('asthma') - old(18)))
    yield ('demographics', 'full', h, 'How old is Robert Nguyen?', 'age', [str(TODAY.year - 1970 - (TODAY.isoformat()[5:] < '11-30')), '1970-11-30'])
    yield ('demographics', 'full', h, "What is Margaret O'Neill's maiden name?", 'names', [['Margaret Byrne', 'Byrne']], {'or_refusal': True})
    yield ('demographics', 'chatty', h, 'do we know where Ana Sousa lives?', 'names', [['Porto']])
    yield ('demographics', 'full', h, 'Which patients live in Leeds?', 'patients', *_p('hm-002', 'hm-007'))
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
    yield ('cohort_and', 'full', big, 'Which patients have both gout and osteoporosis?', 'patients', *_b(sick('gout') & sick('osteoporosis')))
    yield ('cohort_and', 'full', big, 'Which women with epilepsy take diazepam?', 'patients', *_b(sick('epilepsy') & on('diazepam') & sex('female')))
    yield ('cohort_and', 'full', big, 'How many patients have hypertension, prediabetes and anemia?', 'count', n(sick('hypertension') & sick('prediabetes') & sick('anemia')))
    yield ('cohort_not', 'full', big, 'Who takes warfarin but does not have atrial fibrillation?', 'patients', *_b(on('warfarin') - sick('atrial fibrillation')), {'or_refusal': True})
    yield ('cohort_not', 'full', big, 'How many patients with hypertension take neither hydrochlorothiazide nor amlodipine?', 'count', n(sick('hypertension') - on('hydrochlorothiazide') - on('amlodipine')))
    yield ('cohort_not', 'full', big, "How many diabetic patients aren't taking insulin or metformin?", 'count', n(sick('diabetes') - on('insulin') - on('metformin')))
    yield ('cohort_value', 'full', big, 'Which patients have an HbA1c greater than 9?', 'patients', *_b(result('Hemoglobin A1c/Hemoglobin.total in Blood', lambda v: v > 9)), {'or_refusal': True})
    yield ('cohort_value', 'full', big, 'How many patients with diabetes have an LDL below 70?', 'count', n(sick('diabetes') & result('Low Density Lipoprotein Cholesterol', lambda v: v < 70)))
    yield ('drug_class', 'full', big, 'How many patients take a calcium channel blocker?', 'count', n(on('amlodipine', 'verapamil')))
    yield ('drug_class', 'full', big, 'How many patients on a statin also take an NSAID?', 'count', n(on('statin') & on('naproxen', 'ibuprofen', 'aspirin')))
    yield ('drug_class', 'full', h, 'Is Robert Nguyen taking an antidepressant?', 'bool', ['no'])
    yield ('allergies', 'full', h, 'Are there patients allergic to sulfonamides?', 'patients', *_p('hm-002'))
    yield ('allergies', 'full', h, "What are Fatima Al-Sayed's allergies?", 'names', [['Penicillin'], ['Peanut']], {'alt': [[['Penicillin']]]})
    yield ('refuted', 'full', h, "Which of Sandra Kowalski's diagnoses were ruled out?", 'names', [['Pulmonary embolism']])
    yield ('refuted', 'full', h, "Which conditions of Margaret O'Neill were entered in error?", 'names', [['Systemic lupus erythematosus']])
    yield ('status', 'full', h, 'Does Ana Sousa have celiac disease?', 'bool', ['yes'], {'or_refusal': True})
    yield ('status', 'full', five, 'Which conditions of Raymon Kris are still active?', 'names', generic(sorted({text(r['code']) for r in S5.of('Raymon', 'Condition') if r['clinicalStatus']['coding'][0]['code'] == 'active'})))
    yield ('status', 'full', h, "How long did Robert Nguyen's pneumonia last?", 'refusal', 'refusal')
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


def _b(patients: set[str]) -> tuple[list[list[str]], dict[str, Any]]:
    ids = sorted(patients)
    return [[PEOPLE[i]["name"]] for i in ids], {"ids": ids}


def _p(*ids: str) -> tuple[list[list[str]], dict[str, Any]]:
    gold, own = named(*ids)
    return gold, {"ids": own}


def main() -> None:
    sets = {"own": questions, "own2": more_questions, "own3": third_questions}
    name = sys.argv[2] if len(sys.argv) > 2 else "own"
    for number, (kind, style, where, question, rule, gold, *more) in enumerate(sets[name](), 1):
        row = {
            "id": f"{name}{number:03}",
            "kind": kind,
            "family": f"{name}-{style}",
            "style": style,
            "set": where,
            "question": question,
            "rule": rule,
            "gold": gold,
        }
        for extra in more:
            row |= extra
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
