"""FHIR R4: a bundle (JSON) or one resource a line (NDJSON), alone or as a folder of such files.

Patient, Condition, MedicationRequest (dosage, reason), Observation (with components), Procedure,
Encounter, AllergyIntolerance, CarePlan, Immunization are read; other resources are passed over. A
resource whose patient cannot be found is a reject: it is never given to another patient.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from osler.errors import FormatError
from osler.files.reader import Item, Reader, readers
from osler.files.source import Head, Source
from osler.kinds import Reject
from osler.records.chart import Chart
from osler.records.ids import patient_id
from osler.records.readers.fhir_resources import HANDLED, Ward


@readers.register("fhir")
class Fhir(Reader):
    name = "fhir"
    help = "FHIR R4 bundle (JSON), or NDJSON, one resource a line; a file or a folder"
    gives = "records"

    @classmethod
    def recognises(cls, head: Head) -> bool:
        if head.is_folder:
            plain = [n.removesuffix(".gz") for n in head.names]
            return any(n.endswith(".ndjson") for n in plain) or all(
                n.endswith(".json") for n in plain
            )
        start = head.text.lstrip()
        return start.startswith("{") and '"resourceType"' in start[:4000]

    def read(self, source: Source) -> Iterator[Item]:
        if not source.is_folder:
            yield from self._file(source)
            return
        paths = [
            p for p in sorted(source.path.rglob("*")) if ".json" in p.name or ".ndjson" in p.name
        ]
        # Patients first, so that their names are known when a line speaks of them.
        for path in sorted(paths, key=lambda p: ("patient" not in p.name.lower(), p.as_posix())):
            yield from self._file(Source(path))

    def _file(self, source: Source) -> Iterator[Item]:
        if _is_lines(source):
            yield from self._lines(source)
            return
        with source.open() as stream:
            raw = stream.read()
        try:
            bundle = json.loads(raw)
        except (ValueError, RecursionError):
            raise FormatError(f"{source.name} is not whole JSON") from None
        if not isinstance(bundle, dict):
            raise FormatError(f"{source.name} holds no FHIR resource")
        whole = bundle.get("resourceType") == "Bundle"
        entries = (bundle.get("entry") or []) if whole else [{"resource": bundle}]
        if not isinstance(entries, list):
            raise FormatError(f"{source.name} is a bundle without a list of entries")
        ward = Ward(str(self.options.get("dataset", "fhir")), strict=whole)
        resources: list[tuple[str, str | None, dict[str, Any]]] = []
        for number, entry in enumerate(entries, 1):
            resource = _resource(entry.get("resource") if isinstance(entry, dict) else None)
            if resource is None:
                yield Reject(source.name, f"entry {number}", "an entry without a resource")
                continue
            full = entry.get("fullUrl")
            known = full if isinstance(full, str) else None
            resources.append((f"{source.name}#{number}", known, resource))
        yield from _run(ward, resources, source.name)

    def _lines(self, source: Source) -> Iterator[Item]:
        ward = Ward(str(self.options.get("dataset", "fhir")), strict=False)
        resources: list[tuple[str, str | None, dict[str, Any]]] = []
        for number, line in source.lines():
            if line is not None and not line.strip():
                continue
            try:
                resource = _resource(json.loads(line) if line is not None else None)
            except (ValueError, RecursionError):
                resource = None
            if resource is None:
                yield Reject(source.name, f"line {number}", "a line that is no FHIR resource")
                continue
            resources.append((f"{source.name}:{number}", None, resource))
        yield from _run(ward, resources, source.name)


def _resource(given: Any) -> dict[str, Any] | None:
    """What is given, if it is a resource: an object that says of which type."""
    if not isinstance(given, dict):
        return None
    kind = given.get("resourceType")
    return given if isinstance(kind, str) and kind else None


def _is_lines(source: Source) -> bool:
    head = source.head()
    first, _, rest = head.text.strip().partition("\n")
    if head.name.endswith(".ndjson"):
        return True
    return first.rstrip().endswith("}") and rest.lstrip().startswith("{")


def _run(
    ward: Ward, resources: list[tuple[str, str | None, dict[str, Any]]], file: str
) -> Iterator[Item]:
    for _, full, resource in resources:
        ward.learn(resource, full)
    charts: dict[str, Chart] = {}
    for where, _, resource in sorted(resources, key=lambda r: _ORDER.get(r[2]["resourceType"], 9)):
        kind = resource["resourceType"]
        if kind not in HANDLED:
            continue
        try:
            owner = ward.patient_of(resource)
            if owner is None:
                yield Reject(
                    file, where, "a reference to a patient that is not here", id=_id(resource)
                )
                continue
            chart = charts.get(owner)
            if chart is None:
                chart = charts[owner] = ward.chart(owner)
            for problem in ward.add(chart, resource, where):
                yield Reject(file, where, problem, id=_id(resource))
        except (AttributeError, TypeError, ValueError, KeyError, IndexError):
            yield Reject(
                file, where, f"a {kind} whose fields are not as FHIR R4 has them", id=_id(resource)
            )
    for owner, chart in charts.items():
        for item in chart.items():
            # A patient whose own resource stands in another file is named there, not here.
            if owner in ward.known or getattr(item, "id", "") != patient_id(ward.dataset, owner):
                yield item


_ORDER = {"Patient": 0, "Encounter": 1, "Condition": 2}


def _id(resource: dict[str, Any]) -> str:
    id = resource.get("id")
    return id if isinstance(id, str) else ""
