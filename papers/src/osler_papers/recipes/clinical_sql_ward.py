"""A made-up ward in which mimicsql's questions have answers: people reworded them, SQL gives the
gold.

The set has questions and SQL but no database. Patients are drawn at random over the values that the
queries name, some so that each query finds somebody; SQLite runs the queries; and the same patients
are written as typed triples under relation names of a hospital's own. Neither the wording nor the
gold is of our making.
"""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from osler.kinds import Entity, Triple
from osler.records.kb import ClinicalKB

_TEST = re.compile(r'(\w+)\."(\w+)" (=|<=|>=|<|>) "([^"]*)"')
_SEX = {
    "M": re.compile(r"\b(?:male|males|man|men|boys?|gentlem[ae]n|he|his|him)\b"),
    "F": re.compile(r"\b(?:female|females|wom[ae]n|girls?|lad(?:y|ies)|she|her)\b"),
}
_LEFT_OUT = {"CHARTTIME", "ICUSTAY_ID", "ADMITTIME", "DISCHTIME", "DOB", "DOD", "VALUE_UNIT"}
_NUMBERS = ("AGE", "ADMITYEAR", "DAYS_STAY", "DOB_YEAR", "DOD_YEAR")
_TABLES = {
    "DEMOGRAPHIC": [
        *("NAME", "GENDER", "INSURANCE", "ETHNICITY", "MARITAL_STATUS", "RELIGION", "LANGUAGE"),
        *("ADMISSION_TYPE", "ADMISSION_LOCATION", "DISCHARGE_LOCATION"),
        *("DIAGNOSIS", "EXPIRE_FLAG", *_NUMBERS),
    ],
    "DIAGNOSES": ["LONG_TITLE", "SHORT_TITLE", "ICD9_CODE"],
    "PROCEDURES": ["LONG_TITLE", "SHORT_TITLE", "ICD9_CODE"],
    "PRESCRIPTIONS": ["DRUG", "ROUTE", "DRUG_TYPE", "FORMULARY_DRUG_CD", "DRUG_DOSE"],
    "LAB": ["LABEL", "FLUID", "CATEGORY", "FLAG", "ITEMID"],
}
# Columns as this ward calls them: relation, type.
_NAMES = {
    "AGE": ("years_of_age", "age"),
    "GENDER": ("sex", "sex"),
    "INSURANCE": ("payer", "insurance"),
    "ETHNICITY": ("ethnic_background", "ethnicity"),
    "MARITAL_STATUS": ("marital_state", "marital status"),
    "RELIGION": ("religious_faith", "religion"),
    "LANGUAGE": ("spoken_language", "language"),
    "ADMISSION_TYPE": ("kind_of_admission", "admission type"),
    "ADMISSION_LOCATION": ("came_in_through", "admission location"),
    "DISCHARGE_LOCATION": ("left_to", "discharge location"),
    "ADMITYEAR": ("admitted_in_year", "admission year"),
    "DAYS_STAY": ("length_of_stay_days", "days of stay"),
    "DOB_YEAR": ("birth_year", "year of birth"),
    "DOD_YEAR": ("year_of_death", "year of death"),
    "DIAGNOSIS": ("primary_disease", "primary disease"),
    "NAME": ("goes_by", "name"),
    "DRUG": ("drug", "drug"),
    "ROUTE": ("route_of_administration", "route"),
    "DRUG_TYPE": ("drug_type", "drug type"),
    "FORMULARY_DRUG_CD": ("drug_code", "drug code"),
    "DRUG_DOSE": ("drug_dose", "dose"),
    "LABEL": ("test_name", "lab test"),
    "FLUID": ("specimen", "fluid"),
    "CATEGORY": ("test_category", "lab category"),
    "FLAG": ("status_flag", "lab status"),
    "ITEMID": ("item_id", "lab item id"),
}
_EVENTS = {"PRESCRIPTIONS": ("prescription", "rx"), "LAB": ("lab_result", "lab")}
_TITLES = {
    "DIAGNOSES": ("has_diagnosis", "diagnosis"),
    "PROCEDURES": ("had_procedure", "procedure"),
}

Row = dict[str, str | int | None]


@dataclass(frozen=True)
class Asked:
    """A question in a person's words. ``learn`` marks the half that defaults were fitted on."""

    question: str
    answers: tuple[str, ...]
    counts: bool
    learn: bool

    def right(self, answers: Sequence[str], entities: Sequence[str]) -> bool:
        """Equal sets; where the query counts, as many entities are right too ("which patients")."""
        if {a.lower() for a in answers} == {a.lower() for a in self.answers}:
            return True
        return self.counts and bool(entities) and str(len(entities)) in self.answers


@dataclass(frozen=True)
class _Query:
    question: str
    sql: str
    tests: tuple[tuple[str, str, str, str], ...]


def ward(path: Path, *, seed: int = 7) -> tuple[ClinicalKB, list[Asked]]:
    """The knowledge base, and the questions whose values their wording says."""
    queries = _queries(path)
    people = _People(queries, Random(seed))  # noqa: S311
    tables = people.tables()
    return _as_triples(tables), _answered(queries, tables)


def _queries(path: Path) -> list[_Query]:
    """Queries of one column and at most two tests, without times of day."""
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            sql = row["sql"]
            asked = re.findall(r'\."(\w+)"', sql.split(" FROM ")[0])
            tests = tuple(_TEST.findall(sql))
            columns = {*asked, *(c for _, c, _, _ in tests)}
            if len(asked) == 1 and len(tests) <= 2 and not columns & _LEFT_OUT:
                found.append(_Query(row["natural_question"], sql, tests))
    return found


class _People:
    """Patients over the values that the queries name."""

    def __init__(self, queries: list[_Query], rng: Random) -> None:
        self.rng = rng
        self.pool: dict[tuple[str, str], list[str]] = {}
        for query in queries:
            for table, column, operator, value in query.tests:
                if operator == "=":
                    self.pool.setdefault((table, column), []).append(value)
        self.titles = {table: self._titled(table) for table in _TITLES}
        self.rows: dict[str, list[Row]] = {table: [] for table in _TABLES}
        self._ids: set[str] = set()
        for query in queries:
            named = any(c in ("NAME", "SUBJECT_ID") for _, c, _, _ in query.tests)
            for _ in range(1 if named else 2):
                self._add(query)

    def _titled(self, table: str) -> list[tuple[str, str | None]]:
        """Titles, short or long alike, the first of them with the codes.

        A title has one code or none wherever it stands, and a code one title: in the triples a
        title is one node, so that what SQL counts and what the graph holds are the same facts.
        """
        both = list(
            {
                title.casefold(): title
                for column in ("LONG_TITLE", "SHORT_TITLE")
                for title in self._values(table, column)
            }.values()
        )
        codes: list[str | None] = [*self._values(table, "ICD9_CODE")]
        both += [f"untitled {table.lower()} {code}" for code in codes[len(both) :]]
        return list(zip(both, codes + [None] * len(both), strict=False))

    def _values(self, table: str, column: str) -> list[str]:
        return list(dict.fromkeys(self.pool.get((table, column), ())))

    def _pick(self, table: str, column: str) -> str | None:
        values = self.pool.get((table, column))
        return self.rng.choice(values) if values else None

    def _add(self, query: _Query) -> None:
        rng = self.rng
        number = len(self.rows["DEMOGRAPHIC"])
        person: Row = {c: self._pick("DEMOGRAPHIC", c) for c in _TABLES["DEMOGRAPHIC"]}
        person |= {
            "SUBJECT_ID": str(10_000 + 7 * number),
            "HADM_ID": f"9{number:05d}",
            "NAME": f"person {_word(number)} {_word(number * 7919 + 13)}",
            "GENDER": rng.choice("MF"),
            "AGE": rng.randint(18, 89),
            "ADMITYEAR": rng.randint(2100, 2200),
            "DAYS_STAY": rng.randint(1, 40),
            "DOB_YEAR": rng.randint(1820, 2120),
            "DOD_YEAR": None,
            "EXPIRE_FLAG": "0",
        }
        wanted: dict[str, dict[str, str]] = {table: {} for table in _TABLES}
        for table, column, operator, value in query.tests:
            if column == "SUBJECT_ID":
                person["SUBJECT_ID"] = value
            elif table != "DEMOGRAPHIC":
                wanted[table][column] = value
            elif operator == "=":
                person[column] = value
            else:
                by = rng.randint(1, 5) - ("=" in operator)
                person[column] = int(float(value)) + (by if ">" in operator else -by)
        if person["DOD_YEAR"] is not None or person["EXPIRE_FLAG"] == "1":
            person["EXPIRE_FLAG"] = "1"
            person["DOD_YEAR"] = person["DOD_YEAR"] or rng.randint(2120, 2200)
        keys = {f"id {person['SUBJECT_ID']}", f"name {person['NAME']}"}
        if keys & self._ids:
            return
        self._ids |= keys
        self.rows["DEMOGRAPHIC"].append(person)
        who: Row = {"SUBJECT_ID": person["SUBJECT_ID"], "HADM_ID": person["HADM_ID"]}
        for table in _TITLES:
            self._add_titles(table, wanted[table], who)
        for table in _EVENTS:
            for more in (wanted[table], {}):
                row: Row = {c: more.get(c) or self._pick(table, c) for c in _TABLES[table]}
                row.setdefault("DRUG_DOSE", None)
                self.rows[table].append({**who, **row})

    def _add_titles(self, table: str, wanted: dict[str, str], who: Row) -> None:
        rng, titles = self.rng, self.titles[table]
        chosen = [rng.choice(titles) for _ in range(2)]
        title = wanted.get("LONG_TITLE") or wanted.get("SHORT_TITLE")
        chosen += [t for t in titles if title and t[0].casefold() == title.casefold()]
        code = wanted.get("ICD9_CODE")
        chosen += [t for t in titles if code and t[1] == code]
        for name, number in dict(chosen).items():
            row: Row = {"LONG_TITLE": name, "SHORT_TITLE": name, "ICD9_CODE": number}
            self.rows[table].append({**who, **row})

    def tables(self) -> dict[str, list[Row]]:
        return self.rows


def _word(number: int) -> str:
    """A pronounceable word for a number; no person's name."""
    parts = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "ro", "tu")
    return "".join(parts[int(d)] for d in f"{number % 10_000:04d}")


def _as_triples(tables: dict[str, list[Row]]) -> ClinicalKB:
    entities: dict[str, Entity] = {}
    triples: list[Triple] = []

    def join(head: tuple[object, str], relation: str, tail: tuple[object, str]) -> None:
        ends = []
        for name, type in (head, tail):
            if name is None or name == "":
                return
            id = f"{type}:{name}"
            entities.setdefault(id, Entity(id=id, name=str(name), type=type))
            ends.append(id)
        triples.append(Triple(ends[0], relation, ends[1], ""))

    for row in tables["DEMOGRAPHIC"]:
        who = (row["SUBJECT_ID"], "patient")
        for column in _TABLES["DEMOGRAPHIC"]:
            if column == "EXPIRE_FLAG":
                state = "deceased" if row[column] == "1" else "alive"
                join(who, "vital_state", (state, "vital state"))
            else:
                relation, type = _NAMES[column]
                join(who, relation, (row[column], type))
    for table, (relation, type) in _TITLES.items():
        for row in tables[table]:
            title = (row["LONG_TITLE"], type)
            join((row["SUBJECT_ID"], "patient"), relation, title)
            join(title, "icd9", (row["ICD9_CODE"], f"{type} icd9 code"))
    for table, (relation, prefix) in _EVENTS.items():
        for at, row in enumerate(tables[table]):
            event = (f"{prefix}{at}", relation.replace("_", " "))
            join((row["SUBJECT_ID"], "patient"), relation, event)
            for column in _TABLES[table]:
                name, type = _NAMES[column]
                join(event, name, (row[column], type))
    return ClinicalKB.build(entities.values(), triples)


def _answered(queries: list[_Query], tables: dict[str, list[Row]]) -> list[Asked]:
    """What SQLite finds; questions that find nothing, or whose wording hides a value, are left
    out."""
    database = sqlite3.connect(":memory:")
    for name, rows in tables.items():
        columns = list(rows[0])
        # Questions are in lower case: no reader could tell values that differ in case alone.
        kinds = ", ".join(
            f'"{c}" {"REAL" if c in _NUMBERS else "TEXT COLLATE NOCASE"}' for c in columns
        )
        database.execute(f"create table {name} ({kinds})")
        places = ", ".join("?" * len(columns))
        database.executemany(
            f"insert into {name} values ({places})",
            [[row[c] for c in columns] for row in rows],
        )
    found = []
    for query in queries:
        text = query.question.lower()
        if not all(_says(text, column, value) for _, column, _, value in query.tests):
            continue
        if not _counts_alike(text, query.sql):
            continue
        values = {_shown(row[0]) for row in database.execute(query.sql) if row[0] is not None}
        if values - {"0"}:
            half = zlib.crc32(query.question.encode()) % 2 == 0
            counts = "COUNT" in query.sql
            found.append(Asked(query.question, tuple(sorted(values)), counts, half))
    database.close()
    return found


def _says(text: str, column: str, value: str) -> bool:
    """Whether a wording says a value; a sex by a word for it and none for the other, a year of
    admission not by a word for birth alone."""
    if column == "ADMITYEAR" and "born" in text and "admi" not in text:
        return False
    if column != "GENDER":
        return value.lower() in text
    sexes = {sex for sex, pattern in _SEX.items() if pattern.search(text)}
    return sexes == {value}


_COUNTED = re.compile(r"\b(?:how many|number of|count)\b(?: \w+){0,3} (?:patients|people|subjects)")
_MEASURED = re.compile(r"\b(?:ages?|aged|old|average|mean|maximum|minimum|dose|doses)\b")


def _counts_alike(text: str, sql: str) -> bool:
    """Not where a wording asks how many patients there are and its query tells a mean age: seven of
    the set's pairs belong to different questions."""
    asked = _COUNTED.search(text) and not _MEASURED.search(text)
    return not asked or "COUNT" in sql.split(" FROM ")[0]


def _shown(value: object) -> str:
    if isinstance(value, float):
        return str(int(value)) if value == int(value) else f"{value:.4g}"
    return str(value)
