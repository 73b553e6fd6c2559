"""OMOP CDM (v5) as tables: CSV or TSV, one file a table, in a folder; or one table alone.

``person``, ``death``, ``visit_occurrence``, ``condition_occurrence``, ``drug_exposure``,
``measurement``, ``observation``, ``procedure_occurrence`` give facts; ``concept`` gives names and
codes, ``location`` cities. Other files of the folder are named and passed over. A folder is one
source; a person's id is ``person_id`` as written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.files.table import header_of, rows
from osler.kinds import Entity, Fact, FactSource, Note, Reject, Triple
from osler.records.building import person_facts, referred
from osler.records.derive import of_fact, of_person
from osler.records.ids import patient_id
from osler.records.naming import source_name
from osler.records.readers.omop_rows import WRITERS, Concepts, Row, person_said

KEYS = {
    "person": "person_id",
    "death": "person_id",
    "visit_occurrence": "visit_occurrence_id",
    "condition_occurrence": "condition_occurrence_id",
    "drug_exposure": "drug_exposure_id",
    "measurement": "measurement_id",
    "observation": "observation_id",
    "procedure_occurrence": "procedure_occurrence_id",
    "concept": "concept_id",
    "location": "location_id",
}
"""The tables that are read, with the column that a row is known by."""
_MARKS = {
    "person": "gender_concept_id",
    "death": "death_date",
    "visit_occurrence": "visit_concept_id",
    "condition_occurrence": "condition_concept_id",
    "drug_exposure": "drug_concept_id",
    "measurement": "measurement_concept_id",
    "observation": "observation_concept_id",
    "procedure_occurrence": "procedure_concept_id",
    "concept": "concept_name",
    "location": "city",
}
_ORDER = ("person", *WRITERS)


def table_of(columns: list[str]) -> str:
    """Which table these columns are of; empty for none."""
    known = {column.lower() for column in columns}
    fitting = (t for t in KEYS if {KEYS[t], _MARKS[t]} <= known)
    return next(fitting, "")


@readers.register("omop")
class Omop(Reader):
    name = "omop"
    help = "OMOP CDM tables: person, condition_occurrence, drug_exposure, ... (CSV; folder or file)"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            tables = {Path(n.removesuffix(".gz")).stem.lower() for n in head.names}
            return "person" in tables and bool(tables & {*WRITERS, "death"})
        # A terminology's CONCEPT.csv alone, or a list of places, says nothing of patients.
        return table_of(header_of(head.text)) not in ("", "concept", "location")

    def read(self, source: Source) -> Iterator[Item]:
        tables, passed = _tables(source)
        for name in passed:
            yield Note(name, "the file", "skipped", "no table of OMOP that is read")
        desk = Desk(source_name(self.options, source), Concepts.of(tables))
        # Rows of these become part of the person, and of whatever names a concept.
        for table in ("death", "location"):
            for part in tables.get(table, []):
                count = 0
                for row in _rows(part):
                    if isinstance(row, Reject):
                        yield row
                    elif desk.learn(table, row[1]):
                        count += 1
                    else:
                        yield Reject(part.name, f"line {row[0]}", f"a {table} without an id")
                if count:
                    reason = f"rows of {table} are part of the person"
                    yield Note(part.name, "the file", "merged", reason, count=count)
        for table in _ORDER:
            for part in tables.get(table, []):
                for row in _rows(part):
                    if isinstance(row, Reject):
                        yield row
                    else:
                        yield from desk.items(table, row[1], part.name, row[0])
        yield from desk.rest()


class Desk:
    """Rows as facts."""

    def __init__(self, source: str, concepts: Concepts) -> None:
        self.source = source
        self.concepts = concepts
        self._died: dict[str, list[Row]] = {}
        self._places: dict[str, Row] = {}
        self._met: set[str] = set()
        self._times: Counter[tuple[str, str]] = Counter()

    def learn(self, table: str, row: Row) -> bool:
        """Keep a row of death or location until its person comes; False for one without an id."""
        key = row.get(KEYS[table], "")
        if table == "death" and key:
            self._died.setdefault(key, []).append(row)
        elif key:
            self._places[key] = row
        return bool(key)

    def items(self, table: str, row: Row, file: str, number: int) -> Iterator[Item]:
        own = row.get("person_id", "")
        if not own:
            yield Reject(file, f"line {number}", f"a row of {table} without a person_id")
            return
        patient = patient_id(self.source, own)
        text = ", ".join(f"{name}={value}" for name, value in row.items() if value)
        where = FactSource(file=file, place=f":{number}", text=text)
        if table == "person":
            yield from self._person(patient, own, row, where)
            return
        if own not in self._met:
            yield from self._referred(patient, own, FactSource(file=file))
        key = row.get(KEYS[table], "")
        self._times[table, key] += 1
        times = self._times[table, key]
        if times > 1 or not key:
            # Two rows of one id are two rows all the same, and so are those without one.
            key = f"{key}#{times}"
        fact = WRITERS[table](self.concepts, patient, key, row, where)
        yield fact
        yield from of_fact(fact)

    def _person(
        self, patient: str, own: str, row: Row, where: FactSource
    ) -> Iterator[Fact | Entity | Triple]:
        self._met.add(own)
        place = self._places.get(row.get("location_id", ""), {})
        said = person_said(self.concepts, row, place, self._died.pop(own, []))
        facts = person_facts(patient, own, said, source=where)
        yield from facts
        yield from of_person(facts)

    def _referred(
        self, patient: str, own: str, where: FactSource
    ) -> Iterator[Fact | Entity | Triple]:
        self._met.add(own)
        deaths = self._died.pop(own, [])
        if deaths:
            said = person_said(self.concepts, {}, {}, deaths)
            facts = person_facts(patient, own, said, source=where, known_by="reference only")
        else:
            facts = [referred(patient, own, source=where)]
        yield from facts
        yield from of_person(facts)

    def rest(self) -> Iterator[Item]:
        """Deaths of people of whom nothing else is told."""
        for own in sorted(self._died):
            yield from self._referred(patient_id(self.source, own), own, FactSource(file="death"))


def _rows(part: Source) -> Iterator[tuple[int, Row] | Reject]:
    for row in rows(part):
        if isinstance(row, Reject):
            yield row
        else:
            yield row[0], {name.lower(): value.strip() for name, value in row[1].items()}


def _tables(source: Source) -> tuple[dict[str, list[Source]], list[str]]:
    parts = [source]
    if source.is_folder:
        files = [p for p in sorted(source.path.rglob("*")) if p.is_file()]
        parts = [Source(p, name=p.relative_to(source.path).as_posix()) for p in files]
    tables: dict[str, list[Source]] = {}
    passed: list[str] = []
    for part in parts:
        try:
            table = table_of(header_of(part.head().text))
        except FormatError:
            table = ""
        if table:
            tables.setdefault(table, []).append(part)
        else:
            passed.append(part.name)
    return tables, passed
