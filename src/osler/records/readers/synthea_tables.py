"""Flattened FHIR tables (TSV with a header): patients, conditions, prescriptions, observations,
procedures, allergies, care plans. A folder of them or one table; ``patient`` joins them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Reject
from osler.records.chart import Chart
from osler.records.readers.fhir_chart import Facts, day, shown, tidy

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
        dataset = str(self.options.get("dataset", "fhir"))
        sources = [source]
        if source.is_folder:
            paths = [p for p in sorted(source.path.iterdir()) if ".tsv" in p.name]
            sources = [Source(p) for p in paths]
        tables: list[tuple[int, str, Source]] = []
        for part in sources:
            kind = table_of(part.head().text.split("\n", 1)[0])
            if kind:
                tables.append((ORDER.index(kind), kind, part))
        charts: dict[str, Chart] = {}
        named: set[str] = set()
        conditions: dict[tuple[str, str], str] = {}
        for _, kind, part in sorted(tables, key=lambda t: (t[0], t[2].name)):
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
                chart = charts.get(row["patient"])
                if chart is None:
                    name = row["name"] if kind == "patients" else ""
                    chart = charts[row["patient"]] = Chart(dataset, row["patient"], name=name)
                if kind == "patients":
                    named.add(row["patient"])
                where = f"{part.name}:{number}"
                _WRITERS[kind](Facts(chart), row, where, conditions)
        for patient, chart in charts.items():
            for item in chart.items():
                if patient in named or getattr(item, "id", "") != chart.patient:
                    yield item


def _patients(f: Facts, row: Row, where: str, _: dict[tuple[str, str], str]) -> None:
    f.person(
        gender=row["gender"],
        born=row["birthDate"],
        died=row.get("deceased", ""),
        race=row.get("race", ""),
        city=row.get("city", ""),
        source=where,
    )


def _conditions(f: Facts, row: Row, where: str, known: dict[tuple[str, str], str]) -> None:
    node = f.fact("condition", "has condition", row["display"], row["condition_id"], where)
    known.setdefault((f.chart.patient, shown(row["display"])[0]), node)
    f.coded(node, row["code"], "http://snomed.info/sct", where)
    f.dated(node, "has onset", row["onset"], where)
    f.dated(node, "has abatement", row.get("abatement", ""), where)
    f.said(node, "has clinical status", "clinical status", row.get("clinicalStatus", ""), where)


def _prescriptions(f: Facts, row: Row, where: str, known: dict[tuple[str, str], str]) -> None:
    node = f.fact("medication", "prescribed", row["display"], row["prescription_id"], where)
    f.coded(node, row["code"], "http://www.nlm.nih.gov/research/umls/rxnorm", where)
    f.dated(node, "prescribed on", row["authoredOn"], where)
    f.said(node, "has status", "status", row["status"], where)
    if row.get("dose_value"):
        f.said(node, "has dosage", "dosage", tidy(row["dose_value"]), where)
    f.frequency(
        node, row.get("frequency", ""), row.get("period", ""), row.get("periodUnit", ""), where
    )
    if row.get("asNeeded") == "True":
        f.said(node, "has frequency", "frequency", "as needed", where)
    f.reason(node, row.get("reason", ""), _finder(f, known), where)


def _observations(f: Facts, row: Row, where: str, _: dict[tuple[str, str], str]) -> None:
    key = f"{row['code'] or row['display']}-{day(row['date'])}"
    node = f.fact("observation", "has observation", row["display"], key, where)
    f.coded(node, row["code"], "http://loinc.org", where)
    f.dated(node, "measured on", row["date"], where)
    f.measured(node, row["value"], row["unit"], where)


def _procedures(f: Facts, row: Row, where: str, known: dict[tuple[str, str], str]) -> None:
    key = f"{row['code']}-{day(row['performed'])}"
    node = f.fact("procedure", "underwent", row["display"], key, where)
    f.coded(node, row["code"], "http://snomed.info/sct", where)
    f.dated(node, "performed on", row["performed"], where)
    f.reason(node, row.get("reason", ""), _finder(f, known), where)


def _allergies(f: Facts, row: Row, where: str, _: dict[tuple[str, str], str]) -> None:
    node = f.fact("allergy", "allergic to", row["display"], row["code"], where)
    f.coded(node, row["code"], "http://snomed.info/sct", where)
    f.said(node, "has criticality", "criticality", row["criticality"], where)


def _careplans(f: Facts, row: Row, where: str, known: dict[tuple[str, str], str]) -> None:
    node = f.fact("care plan", "has care plan", row["category"], row["category"], where)
    for activity in row["activities"].split("|"):
        f.said(node, "includes activity", "activity", activity, where)
    f.reason(node, row["reason"], _finder(f, known), where)


def _finder(f: Facts, known: dict[tuple[str, str], str]) -> Callable[[str], str]:
    return lambda name: known.get((f.chart.patient, name), "")


_WRITERS: dict[str, Callable[[Facts, Row, str, dict[tuple[str, str], str]], None]] = {
    "patients": _patients,
    "conditions": _conditions,
    "prescriptions": _prescriptions,
    "observations": _observations,
    "procedures": _procedures,
    "allergies": _allergies,
    "careplans": _careplans,
}
