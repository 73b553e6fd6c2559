# ruff: noqa: E501 (tables and their columns a line)
"""EHRSQL's questions over a small MIMIC-like hospital: answers, refusals, RS(10).

python benchmarks/ask_ehrsql.py --data DATA [--questions N] [--wrong]

The set has questions and SQL, but no database. Patients of nobody are drawn over the values that the
queries name and written twice: as MIMIC tables, over which SQLite runs the set's own queries (the
gold), and as OMOP CDM tables, which the OMOP reader reads into a library. "Now" is a day of 2105, as
in the set. Answerable questions whose query gives nothing here are left aside.

RS(c) as the benchmark defines it: an answerable question answered rightly, and an unanswerable one
refused, count 1; an answerable one refused counts 0; a wrong answer, and any answer to an
unanswerable question, count -c. The mean is printed in percent.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import gzip
import json
import re
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ask_fhir import calibration
from osler import Library
from osler.ask.answer import Answer
from osler.ask.form.answering import FormAnswerer
from osler.ask.form.relation import LibraryFacts

NOW = "2105-12-31 23:59:00"
PATIENTS = 120
TABLES = {
    "patients": "subject_id, gender, dob, dod",
    "admissions": "subject_id, hadm_id, admittime, dischtime, admission_type, admission_location, "
    "discharge_location, insurance, language, marital_status, ethnicity, age",
    "icustays": "subject_id, hadm_id, icustay_id, first_careunit, last_careunit, first_wardid, "
    "last_wardid, intime, outtime",
    "transfers": "subject_id, hadm_id, icustay_id, eventtype, careunit, wardid, intime, outtime",
    "d_icd_diagnoses": "icd9_code, short_title, long_title",
    "d_icd_procedures": "icd9_code, short_title, long_title",
    "d_labitems": "itemid, label",
    "d_items": "itemid, label, linksto",
    "diagnoses_icd": "subject_id, hadm_id, icd9_code, charttime",
    "procedures_icd": "subject_id, hadm_id, icd9_code, charttime",
    "labevents": "subject_id, hadm_id, itemid, charttime, valuenum, valueuom",
    "prescriptions": "subject_id, hadm_id, startdate, enddate, drug, dose_val_rx, dose_unit_rx, route",
    "chartevents": "subject_id, hadm_id, icustay_id, itemid, charttime, valuenum, valueuom",
    "inputevents_cv": "subject_id, hadm_id, icustay_id, charttime, itemid, amount",
    "outputevents": "subject_id, hadm_id, icustay_id, charttime, itemid, value",
    "microbiologyevents": "subject_id, hadm_id, charttime, spec_type_desc, org_name",
    "cost": "subject_id, hadm_id, event_type, event_id, chargetime, cost",
}


def read(data: Path) -> list[dict[str, Any]]:
    with gzip.open(data / "ehrsql" / "questions.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


class Hospital:
    """The same patients as MIMIC tables in SQLite and as OMOP tables in a folder."""

    def __init__(self, questions: list[dict[str, Any]], random: Random) -> None:
        self.random = random
        self.sql = sqlite3.connect(":memory:")
        for table, columns in TABLES.items():
            self.sql.execute(f"CREATE TABLE {table} ({columns})")
        self.omop: dict[str, list[dict[str, object]]] = {}
        self.concepts: dict[tuple[str, str], int] = {}
        values: dict[str, set[str]] = {}
        for question in questions:
            for name, value in (question["value"] or {}).items():
                values.setdefault(re.sub(r"\d$", "", name), set()).add(str(value))
        self.names = {name: sorted(some) for name, some in values.items()}
        ids = sorted({int(p) for p in self.names["patient_id"] if p.isdigit()})
        self.codes = {}
        for kind, table in (
            ("diagnosis_name", "d_icd_diagnoses"),
            ("procedure_name", "d_icd_procedures"),
        ):
            for at, name in enumerate(self.names[kind]):
                self.codes[kind, name] = f"{at:05}"
                self.sql.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", (f"{at:05}", name, name))
        for at, name in enumerate(self.names["lab_name"]):
            self.sql.execute("INSERT INTO d_labitems VALUES (?, ?)", (50_000 + at, name))
        for at, name in enumerate(self.names["vital_name"]):
            self.sql.execute(
                "INSERT INTO d_items VALUES (?, ?, 'chartevents')", (200_000 + at, name)
            )
        for id in sorted(random.sample(ids, min(PATIENTS, len(ids)))):
            self.patient(id)

    def concept(self, name: str, system: str) -> int:
        return self.concepts.setdefault((name, system), len(self.concepts) + 1)

    def put(self, table: str, **row: object) -> None:
        rows = self.omop.setdefault(table, [])
        rows.append(
            {f"{table}_id": len(rows) + 1, **row} if table not in ("person", "death") else row
        )

    def moment(self, first: str, last: str) -> str:
        a, b = datetime.datetime.fromisoformat(first), datetime.datetime.fromisoformat(last)
        seconds = self.random.randint(0, max(int((b - a).total_seconds()), 1))
        return (a + datetime.timedelta(seconds=seconds)).isoformat(" ")

    def patient(self, id: int) -> None:
        random, sql = self.random, self.sql
        sex, year = random.choice("mf"), random.randint(2020, 2080)
        sql.execute(
            "INSERT INTO patients VALUES (?, ?, ?, NULL)", (id, sex, f"{year}-03-04 00:00:00")
        )
        self.put(
            "person",
            person_id=id,
            gender_concept_id=8507 if sex == "m" else 8532,
            year_of_birth=year,
            month_of_birth=3,
            day_of_birth=4,
            person_source_value=id,
        )
        for at in range(random.randint(1, 3)):
            stay = id * 10 + at
            start = (
                f"{2101 + 2 * at}-{random.randint(1, 12):02}-{random.randint(1, 20):02} 08:00:00"
            )
            end = (datetime.datetime.fromisoformat(start) + datetime.timedelta(days=6)).isoformat(
                " "
            )
            sql.execute(
                "INSERT INTO admissions VALUES (?, ?, ?, ?, 'emergency', 'clinic referral', 'home', "
                "'medicare', 'engl', 'married', 'white', 60)",
                (id, stay, start, end),
            )
            sql.execute(
                "INSERT INTO icustays VALUES (?, ?, ?, 'micu', 'micu', 12, 12, ?, ?)",
                (id, stay, stay, start, end),
            )
            self.put(
                "visit_occurrence",
                person_id=id,
                visit_concept_id=self.concept("hospital visit", "Visit"),
                visit_start_date=start[:10],
                visit_end_date=end[:10],
            )
            self.stay(id, stay, start, end)

    def stay(self, id: int, stay: int, start: str, end: str) -> None:
        random, sql = self.random, self.sql
        for _ in range(4):
            name, when = random.choice(self.names["diagnosis_name"]), self.moment(start, end)
            code = self.codes["diagnosis_name", name]
            sql.execute("INSERT INTO diagnoses_icd VALUES (?, ?, ?, ?)", (id, stay, code, when))
            self.put(
                "condition_occurrence",
                person_id=id,
                condition_concept_id=self.concept(name, "ICD9CM"),
                condition_start_date=when[:10],
                condition_end_date=end[:10],
            )
        for _ in range(2):
            name, when = random.choice(self.names["procedure_name"]), self.moment(start, end)
            code = self.codes["procedure_name", name]
            sql.execute("INSERT INTO procedures_icd VALUES (?, ?, ?, ?)", (id, stay, code, when))
            self.put(
                "procedure_occurrence",
                person_id=id,
                procedure_concept_id=self.concept(name, "ICD9Proc"),
                procedure_date=when[:10],
            )
        for _ in range(5):
            name, when = random.choice(self.names["drug_name"]), self.moment(start, end)
            sql.execute(
                "INSERT INTO prescriptions VALUES (?, ?, ?, ?, ?, '1', 'mg', 'po')",
                (id, stay, when, end, name),
            )
            self.put(
                "drug_exposure",
                person_id=id,
                drug_concept_id=self.concept(name, "RxNorm"),
                drug_exposure_start_date=when[:10],
                drug_exposure_end_date=end[:10],
            )
        for kind, base, table in (
            ("lab_name", 50_000, "labevents"),
            ("vital_name", 200_000, "chartevents"),
        ):
            for _ in range(8):
                at = random.randrange(len(self.names[kind]))
                when, value = self.moment(start, end), round(random.uniform(1, 200), 1)
                row: tuple[object, ...] = (id, stay, base + at, when, value, "u")
                if table == "chartevents":
                    row = (id, stay, stay, base + at, when, value, "u")
                sql.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
                self.put(
                    "measurement",
                    person_id=id,
                    measurement_concept_id=self.concept(self.names[kind][at], "LOINC"),
                    measurement_date=when[:10],
                    measurement_datetime=when,
                    value_as_number=value,
                    unit_source_value="u",
                )

    def gold(self, query: str) -> list[str] | None:
        text = query.replace("current_time", f"'{NOW}'").replace("'%y", "'%Y").replace("%y-", "%Y-")
        try:
            rows = self.sql.execute(text).fetchall()
        except sqlite3.Error:
            return None
        return [str(cell) for row in rows for cell in row if cell is not None]

    def write(self, folder: Path) -> None:
        self.omop["concept"] = [
            {"concept_id": id, "concept_name": name, "vocabulary_id": system, "concept_code": id}
            for (name, system), id in self.concepts.items()
        ]
        for table, rows in self.omop.items():
            with (folder / f"{table}.csv").open("w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)


def same(answer: Answer, gold: list[str], query: str) -> bool:
    """Values as sets; days to the day; yes and no for a query that tests a count."""
    if "count(*)>0" in query.replace(" ", ""):
        return answer.answers == [("yes" if gold == ["1"] else "no")]
    wanted = {_plain(g) for g in gold}
    return {_plain(a) for a in answer.answers} == wanted


def _plain(text: str) -> str:
    if re.match(r"\d{4}-\d\d-\d\d", text):
        return text[:10]
    # A length of stay is told with its days.
    match = re.match(r"-?\d+(?:\.\d+)?(?= u$| days?,|$)", text)
    sex = {"m": "male", "f": "female"}
    return f"{float(match.group()):g}" if match else sex.get(text, text.casefold())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=0, help="only so many, drawn by a seed")
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    questions = read(options.data)
    random = Random(11)
    hospital = Hospital(questions, random)
    asked = random.sample(questions, options.questions) if options.questions else questions
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "omop"
        folder.mkdir()
        hospital.write(folder)
        with Library.create(Path(scratch) / "lib") as library:
            library.add([folder])
            today = datetime.date.fromisoformat(NOW[:10])
            answerer = FormAnswerer(LibraryFacts(library.layout.truth), today=lambda: today)
            score(answerer, hospital, asked, wrong=options.wrong)


@dataclass
class Row:
    """One question asked: ``ok`` is a right answer."""

    possible: bool
    answered: bool
    ok: bool
    confidence: float


def reliability(rows: list[Row], penalty: int, least: float = 0.0) -> float:
    """RS(penalty) in percent; an answer under ``least`` is taken as a refusal."""
    total = 0
    for row in rows:
        if row.answered and row.confidence >= least:
            total += 1 if row.ok else -penalty
        else:
            total += not row.possible
    return 100 * total / max(len(rows), 1)


def score(
    answerer: FormAnswerer, hospital: Hospital, asked: list[dict[str, Any]], *, wrong: bool
) -> None:
    rows: list[Row] = []
    aside = 0
    for question in asked:
        possible = not question["is_impossible"]
        gold = hospital.gold(question["sql"]) if possible else None
        if possible and not gold:
            aside += 1
            continue
        answer = answerer.ask(question["question"])
        ok = possible and not answer.refused and same(answer, gold or [], question["sql"])
        rows.append(Row(possible, not answer.refused, ok, answer.confidence))
        if wrong and not answer.refused and not ok:
            print(f"{question['question']} -> {answer.answers[:4]}, gold {(gold or [])[:4]}")
            print(f"    {answer.confidence:.2f} {answer.form_text}")
    can = [row for row in rows if row.possible]
    cannot = [row for row in rows if not row.possible]
    right, mistaken = sum(r.ok for r in can), sum(r.answered and not r.ok for r in can)
    refused = sum(not r.answered for r in cannot)
    print(
        f"answerable here {len(can)} ({aside} left aside): right {right}, wrong {mistaken}, "
        f"refused {len(can) - right - mistaken}"
    )
    print(f"unanswerable {len(cannot)}: refused {refused} = {refused / max(len(cannot), 1):.3f}")
    told = [(r.confidence, r.ok) for r in rows if r.answered]
    sure = sum(not ok and confidence >= 0.9 for confidence, ok in told)
    print(f"wrong at confidence 0.9 and more: {sure} of {len(rows)}")
    print(f"calibration error {calibration(told):.3f} over {len(told)} answers")
    for penalty in (0, 5, 10):
        print(
            f"RS({penalty}) {reliability(rows, penalty):.1f}; "
            f"answers under 0.9 taken as refusals: {reliability(rows, penalty, 0.9):.1f}"
        )
    print(f"refusing everything: RS(10) {reliability(rows, 10, 2.0):.1f}")


if __name__ == "__main__":
    main()
