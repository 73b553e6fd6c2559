"""Flattened FHIR tables (TSV with a header): patients, conditions, prescriptions, observations,
procedures, allergies, care plans. A folder of them or one table; ``patient`` joins them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Fact, FactSource, Note, Reject
from osler.records.building import Said, person_facts, record, referred
from osler.records.derive import of_fact, of_person, shown
from osler.records.ids import patient_id
from osler.records.naming import source_name
from osler.records.readers.fhir_status import condition_status, status_of
from osler.records.readers.fhir_values import frequency, name_forms, number_of, tidy

Row = dict[str, str]

HEADERS = {
    "patients": ("patient", "name", "gender", "birthDate"),
    "conditions": ("patient", "condition_id", "code", "display", "onset"),
    "prescriptions": ("patient", "prescription_id", "code", "display", "status", "authoredOn"),
    "observations": ("patient", "code", "display", "value", "unit", "date"),
    "procedures": ("patient", "code", "display", "performed"),
    "allergies": ("patient", "code", "display", "criticality"),
    "careplans": ("patient", "category", "activities", "reason"),
}
ORDER = tuple(HEADERS)


def table_of(header: str) -> str:
    """Which table a header line belongs to; empty for none."""
    columns = tuple(header.rstrip("\r\n").split("\t"))
    return next((name for name in ORDER if columns[: len(HEADERS[name])] == HEADERS[name]), "")


@readers.register("fhir-tables")
class SyntheaTables(Reader):
    name = "fhir-tables"
    help = (
        "FHIR flattened to tables: patients, conditions, prescriptions, ... (TSV; folder or file)"
    )
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            tables = {n.removesuffix(".gz").removesuffix(".tsv") for n in head.names}
            return "patients" in tables and bool({"conditions", "prescriptions"} & tables)
        return bool(table_of(head.text.split("\n", 1)[0]))

    def read(self, source: Source) -> Iterator[Item]:
        tables, passed = self._tables(source)
        for name in passed:
            yield Note(name, "the file", "skipped", "no table of records")
        desk = Desk(source_name(self.options, source))
        for kind, part in tables:
            header: list[str] = []
            for number, line in part.lines():
                if number == 1:
                    header = (line or "").split("\t")
                    continue
                cells = line.split("\t") if line else []
                if len(cells) != len(header) or not cells[0]:
                    if line is None or line.strip():
                        reason = f"expected {len(header)} fields and a patient"
                        yield Reject(part.name, f"line {number}", reason)
                    continue
                row = dict(zip(header, cells, strict=True))
                yield from desk.items(kind, row, part.name, number)

    @staticmethod
    def _tables(source: Source) -> tuple[list[tuple[str, Source]], list[str]]:
        """The tables, patients first; and the files that are none."""
        parts = [source]
        if source.is_folder:
            files = [p for p in sorted(source.path.rglob("*")) if p.is_file()]
            parts = [Source(p, name=p.relative_to(source.path).as_posix()) for p in files]
        tables: list[tuple[str, Source]] = []
        passed: list[str] = []
        for part in parts:
            kind = table_of(part.head().text.split("\n", 1)[0])
            if kind:
                tables.append((kind, part))
            else:
                passed.append(part.name)
        return sorted(tables, key=lambda t: (ORDER.index(t[0]), t[1].name)), passed


class Desk:
    """Rows as facts. A row without an id of its own is known by what it says and which of several
    such rows it is, so that two results of one day stay two."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._met: set[str] = set()
        self._times: Counter[tuple[str, ...]] = Counter()
        self._conditions: dict[tuple[str, str], str] = {}

    def items(self, kind: str, row: Row, file: str, number: int) -> Iterator[Item]:
        patient = patient_id(self.source, row["patient"])
        where = FactSource(file=file, place=f":{number}", text="\t".join(row.values()))
        if kind == "patients":
            self._met.add(patient)
            facts = person_facts(patient, row["patient"], _person(row), source=where)
            yield from facts
            yield from of_person(facts)
            return
        if patient not in self._met:
            self._met.add(patient)
            fact = referred(patient, row["patient"], source=FactSource(file=file))
            yield fact
            yield from of_person([fact])
        fact = _WRITERS[kind](self, patient, row, where)
        if kind == "conditions":
            self._conditions.setdefault((patient, shown(fact.name)[0]), fact.entity)
        yield fact
        yield from of_fact(fact)

    def key(self, patient: str, table: str, *parts: str) -> str:
        """A key of a row that has no id: its parts, and its number among those alike."""
        self._times[patient, table, *parts] += 1
        times = self._times[patient, table, *parts]
        return "|".join((*(p.replace("|", "||") for p in parts), str(times)))

    def reason(self, patient: str, text: str) -> dict[str, str]:
        node = self._conditions.get((patient, shown(text)[0]), "") if text else ""
        return {"reason entity": node} if node else {"reason": text} if text else {}


def _person(row: Row) -> Iterator[Said]:
    if row["name"]:
        yield "name", row["name"], {"other_names": name_forms(row["name"])}
    if row["gender"]:
        yield "sex", row["gender"], {}
    if row["birthDate"]:
        yield "birth date", row["birthDate"], {"start": row["birthDate"]}
    died = row.get("deceased", "")
    if died.lower() in ("true", "false"):
        absent = {"certainty": "absent"} if died.lower() == "false" else {}
        yield "death", died.lower(), absent
    elif died:
        yield "death", died, {"start": died}
    for name in ("race", "city"):
        if row.get(name):
            yield name, row[name], {}


def _condition(desk: Desk, patient: str, row: Row, where: FactSource) -> Fact:
    key = row["condition_id"] or desk.key(patient, "conditions", row["code"], row["onset"])
    status, certainty = condition_status(
        {"clinicalStatus": row.get("clinicalStatus"), "abatement": row.get("abatement")}
    )
    return record(
        *(patient, "condition", "conditions", key, row["display"] or row["code"]),
        codes=_coded(row, "http://snomed.info/sct"),
        status=status,
        certainty=certainty,
        start=row["onset"],
        end=row.get("abatement", ""),
        detail=_said({"clinical status": row.get("clinicalStatus", "")}),
        source=where,
    )


def _prescription(desk: Desk, patient: str, row: Row, where: FactSource) -> Fact:
    key = row["prescription_id"] or desk.key(patient, "rx", row["code"], row["authoredOn"])
    amount = tidy(row.get("dose_value", ""))
    often = frequency(row.get("frequency", ""), row.get("period", ""), row.get("periodUnit", ""))
    needed = "as needed" if row.get("asNeeded") == "True" else ""
    reason = row.get("reason", "")
    return record(
        *(patient, "medication", "prescriptions", key, row["display"] or row["code"]),
        codes=_coded(row, "http://www.nlm.nih.gov/research/umls/rxnorm"),
        status=status_of({"status": row["status"]}),
        start=row["authoredOn"],
        recorded=row["authoredOn"],
        dose=", ".join(p for p in (amount, often, needed) if p),
        reason=reason,
        detail=_said(
            {
                "status": row["status"],
                "dosage": amount,
                "frequency": "\n".join(p for p in (often, needed) if p),
            }
            | desk.reason(patient, reason)
        ),
        source=where,
    )


def _observation(desk: Desk, patient: str, row: Row, where: FactSource) -> Fact:
    name = row["display"] or row["code"]
    key = desk.key(patient, "observations", row["code"] or name, row["date"])
    return record(
        *(patient, "observation", "observations", key, name),
        codes=_coded(row, "http://loinc.org"),
        status="completed",
        start=row["date"],
        value=row["value"],
        number=_number(row["value"]),
        unit=row["unit"],
        source=where,
    )


def _procedure(desk: Desk, patient: str, row: Row, where: FactSource) -> Fact:
    name = row["display"] or row["code"]
    key = desk.key(patient, "procedures", row["code"] or name, row["performed"])
    return record(
        *(patient, "procedure", "procedures", key, name),
        codes=_coded(row, "http://snomed.info/sct"),
        status="completed",
        start=row["performed"],
        reason=row.get("reason", ""),
        detail=desk.reason(patient, row.get("reason", "")),
        source=where,
    )


def _allergy(desk: Desk, patient: str, row: Row, where: FactSource) -> Fact:
    name = row["display"] or row["code"]
    key = desk.key(patient, "allergies", row["code"], name)
    return record(
        *(patient, "allergy", "allergies", key, name or "(no code or text)"),
        codes=_coded(row, "http://snomed.info/sct"),
        detail=_said({"criticality": row["criticality"]}),
        source=where,
    )


def _care_plan(desk: Desk, patient: str, row: Row, where: FactSource) -> Fact:
    key = desk.key(patient, "careplans", row["category"], row["reason"])
    activities = "\n".join(a for a in row["activities"].split("|") if a)
    return record(
        *(patient, "care plan", "careplans", key, row["category"] or "care plan"),
        status="unknown",
        reason=row["reason"],
        detail=_said({"activity": activities} | desk.reason(patient, row["reason"])),
        source=where,
    )


def _coded(row: Row, system: str) -> tuple[tuple[str, str], ...]:
    return ((system, row["code"]),) if row["code"] else ()


def _said(detail: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in detail.items() if value}


def _number(text: str) -> float | None:
    try:
        return number_of(Decimal(text))
    except ArithmeticError:
        return None


_WRITERS: dict[str, Callable[[Desk, str, Row, FactSource], Fact]] = {
    "conditions": _condition,
    "prescriptions": _prescription,
    "observations": _observation,
    "procedures": _procedure,
    "allergies": _allergy,
    "careplans": _care_plan,
}
