"""Records read straight from the files, and the counting that gives our own questions their gold.

Nothing of Osler is imported: the gold is an independent program's.
"""

from __future__ import annotations

import csv
import datetime
import gzip
import json
import sys
from collections.abc import Callable
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
        values = []
        for r in self.of(family, "Observation"):
            if r.get("status") == "entered-in-error":
                continue
            for part in [r, *r.get("component", [])]:
                if (
                    text(part.get("code")).lower().startswith(name.lower())
                    and "valueQuantity" in part
                ):
                    values.append((r["effectiveDateTime"], part["valueQuantity"]["value"]))
        return sorted(values)

    def drugs(self, family: str, *status: str) -> list[str]:
        names = []
        for r in self.of(family, "MedicationRequest") + self.of(family, "MedicationStatement"):
            if r["status"] in status and not r.get("doNotPerform"):
                inner = next((c for c in r.get("contained", [])), {})
                name = (
                    text(r.get("medicationCodeableConcept"))
                    or text(inner.get("code"))
                    or r.get("medicationReference", {}).get("display", "")
                )
                names.append(name)
        return sorted(set(names))

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
    bearers = []
    for id in ids:
        names = []
        for name in HM.patient[id]["name"]:
            full = name.get("text") or " ".join([*name.get("given", []), name["family"]])
            names += [full, f"{name.get('given', [''])[0]} {name['family']}"]
        bearers.append(names)
    return bearers, list(ids)


def cohort(patients: set[str]) -> tuple[list[list[str]], dict[str, Any]]:
    ids = sorted(patients)
    return [[PEOPLE[i]["name"]] for i in ids], {"ids": ids}


def people(*ids: str) -> tuple[list[list[str]], dict[str, Any]]:
    gold, own = named(*ids)
    return gold, {"ids": own}
