"""Each FHIR resource type as facts: who it belongs to, what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from osler.records.chart import Chart
from osler.records.readers.fhir_chart import Facts, coding, day, tidy

HANDLED = frozenset(
    [
        "Patient",
        "Condition",
        "MedicationRequest",
        "Observation",
        "Procedure",
        "Encounter",
        "AllergyIntolerance",
        "CarePlan",
        "Immunization",
    ]
)


class Ward:
    """The resources of one source: patients, and what their references point at.

    ``strict``: a bundle is whole, so a reference to a patient outside it dangles. Lines of NDJSON
    may speak of a patient whose own line stands in another file.
    """

    def __init__(self, dataset: str, *, strict: bool) -> None:
        self.dataset = dataset
        self.strict = strict
        self.known: dict[str, dict[str, Any]] = {}
        self._by_reference: dict[str, dict[str, Any]] = {}
        self._nodes: dict[tuple[str, str], str] = {}

    def learn(self, resource: dict[str, Any], full: str | None) -> None:
        kind, id = resource["resourceType"], resource.get("id")
        if not isinstance(id, str):
            return
        if kind == "Patient":
            self.known[id] = resource
        for reference in (full, f"{kind}/{id}", f"urn:uuid:{id}"):
            if reference:
                self._by_reference[reference] = resource

    def patient_of(self, resource: dict[str, Any]) -> str | None:
        if resource["resourceType"] == "Patient":
            return resource.get("id") if isinstance(resource.get("id"), str) else None
        holder = resource.get("subject") or resource.get("patient") or {}
        reference = holder.get("reference") or ""
        target = self._by_reference.get(reference)
        if target is not None:
            return target["id"] if target["resourceType"] == "Patient" else None
        if self.strict or not isinstance(reference, str):
            return None
        kind, _, id = reference.rpartition("/")
        return id if kind.rpartition("/")[2] == "Patient" and id else None

    def chart(self, patient: str) -> Chart:
        resource = self.known.get(patient, {})
        human: dict[str, Any] = next(iter(resource.get("name") or ()), {})
        name = human.get("text") or " ".join(
            [*(human.get("given") or ()), human.get("family") or ""]
        )
        other = [str(i.get("value")) for i in resource.get("identifier") or () if i.get("value")]
        plain = " ".join(word.rstrip("0123456789") for word in name.split())
        first_last = [plain, " ".join([*plain.split()[:1], *plain.split()[-1:]])]
        return Chart(self.dataset, patient, name=name.strip(), synonyms=(*other, *first_last))

    def add(self, chart: Chart, resource: dict[str, Any], source: str) -> Iterator[str]:
        """Write a resource's facts; yield what is wrong with it, in words."""
        kind = resource["resourceType"]
        yield from getattr(self, f"_{kind.lower()}")(chart, Facts(chart), resource, source)

    # One method a resource type, called by the resource's own name.

    def _patient(self, chart: Chart, facts: Facts, r: dict[str, Any], source: str) -> Iterator[str]:
        race = next(
            (
                coding({"coding": [e.get("valueCoding") or {}]})[0]
                for x in r.get("extension") or ()
                if str(x.get("url", "")).endswith("us-core-race")
                for e in x.get("extension") or ()
                if e.get("valueCoding")
            ),
            "",
        )
        address: dict[str, Any] = next(iter(r.get("address") or ()), {})
        facts.person(
            gender=r.get("gender") or "",
            born=r.get("birthDate") or "",
            died=r.get("deceasedDateTime") or "",
            race=race,
            city=address.get("city") or "",
            source=source,
        )
        facts.said(
            chart.patient,
            "has marital status",
            "marital status",
            coding(r.get("maritalStatus"))[0],
            source,
        )
        yield from ()

    def _condition(
        self, chart: Chart, facts: Facts, r: dict[str, Any], source: str
    ) -> Iterator[str]:
        display, code, system = coding(r.get("code"))
        if not display:
            yield "a condition without a code or text"
            return
        onset = r.get("onsetDateTime") or ""
        node = facts.fact(
            "condition", "has condition", display, r.get("id") or f"{code}-{day(onset)}", source
        )
        self._nodes[chart.patient, f"Condition/{r.get('id')}"] = node
        self._nodes.setdefault((chart.patient, chart._entities[node].name), node)
        facts.coded(node, code, system, source)
        facts.dated(node, "has onset", onset, source)
        facts.dated(node, "has abatement", r.get("abatementDateTime") or "", source)
        facts.said(
            node,
            "has clinical status",
            "clinical status",
            coding(r.get("clinicalStatus"))[0],
            source,
        )
        yield from self._encounter_link(chart, r, node, source)

    def _medicationrequest(
        self, chart: Chart, facts: Facts, r: dict[str, Any], source: str
    ) -> Iterator[str]:
        concept = r.get("medicationCodeableConcept")
        if concept is None:
            reference = (r.get("medicationReference") or {}).get("reference") or ""
            concept = (self._by_reference.get(reference) or {}).get("code")
        display, code, system = coding(concept)
        if not display:
            yield "a prescription whose medication is not here"
            return
        written = r.get("authoredOn") or ""
        node = facts.fact(
            "medication", "prescribed", display, r.get("id") or f"{code}-{day(written)}", source
        )
        facts.coded(node, code, system, source)
        facts.dated(node, "prescribed on", written, source)
        facts.said(node, "has status", "status", r.get("status") or "", source)
        for dosage in r.get("dosageInstruction") or ():
            facts.said(node, "has instruction", "instruction", dosage.get("text") or "", source)
            for rate in dosage.get("doseAndRate") or ():
                dose = rate.get("doseQuantity") or {}
                if dose.get("value") is not None:
                    text = f"{tidy(dose['value'])} {dose.get('unit') or ''}".strip()
                    facts.said(node, "has dosage", "dosage", text, source)
            repeat = (dosage.get("timing") or {}).get("repeat") or {}
            facts.frequency(
                node,
                str(repeat.get("frequency") or ""),
                str(repeat.get("period") or ""),
                str(repeat.get("periodUnit") or ""),
                source,
            )
            facts.said(node, "has route", "route", coding(dosage.get("route"))[0], source)
            if dosage.get("asNeededBoolean") is True:
                facts.said(node, "has frequency", "frequency", "as needed", source)
        yield from self._reasons(chart, facts, r, node, source)
        yield from self._encounter_link(chart, r, node, source)

    def _observation(
        self, chart: Chart, facts: Facts, r: dict[str, Any], source: str
    ) -> Iterator[str]:
        when = r.get("effectiveDateTime") or r.get("issued") or ""
        for part in [r, *(r.get("component") or ())]:
            display, code, system = coding(part.get("code"))
            if not display:
                yield "an observation without a code or text"
                continue
            node = facts.fact(
                "observation", "has observation", display, f"{code or display}-{day(when)}", source
            )
            facts.coded(node, code, system, source)
            facts.dated(node, "measured on", when, source)
            quantity = part.get("valueQuantity") or {}
            if quantity.get("value") is not None:
                facts.measured(node, str(quantity["value"]), quantity.get("unit") or "", source)
            text = coding(part.get("valueCodeableConcept"))[0] or part.get("valueString") or ""
            facts.said(node, "has value", "value", text, source)
            if part is r:
                yield from self._encounter_link(chart, r, node, source)

    def _procedure(
        self, chart: Chart, facts: Facts, r: dict[str, Any], source: str
    ) -> Iterator[str]:
        display, code, system = coding(r.get("code"))
        if not display:
            yield "a procedure without a code or text"
            return
        when = r.get("performedDateTime") or (r.get("performedPeriod") or {}).get("start") or ""
        node = facts.fact(
            "procedure", "underwent", display, f"{code or display}-{day(when)}", source
        )
        facts.coded(node, code, system, source)
        facts.dated(node, "performed on", when, source)
        yield from self._reasons(chart, facts, r, node, source)
        yield from self._encounter_link(chart, r, node, source)

    def _encounter(
        self, chart: Chart, facts: Facts, r: dict[str, Any], source: str
    ) -> Iterator[str]:
        display, code, system = coding(next(iter(r.get("type") or ()), {}))
        kind = (r.get("class") or {}).get("code") or ""
        node = facts.fact(
            "encounter",
            "had encounter",
            display or kind or "encounter",
            r.get("id") or code,
            source,
        )
        self._nodes[chart.patient, f"Encounter/{r.get('id')}"] = node
        facts.coded(node, code, system, source)
        period = r.get("period") or {}
        facts.dated(node, "started on", period.get("start") or "", source)
        facts.dated(node, "ended on", period.get("end") or "", source)
        facts.said(node, "has class", "encounter class", kind, source)
        yield from self._reasons(chart, facts, r, node, source)

    def _allergyintolerance(
        self, chart: Chart, facts: Facts, r: dict[str, Any], source: str
    ) -> Iterator[str]:
        display, code, system = coding(r.get("code"))
        if not display:
            yield "an allergy without a code or text"
            return
        node = facts.fact("allergy", "allergic to", display, code or display, source)
        facts.coded(node, code, system, source)
        facts.said(node, "has criticality", "criticality", r.get("criticality") or "", source)
        facts.dated(
            node, "has onset", r.get("onsetDateTime") or r.get("recordedDate") or "", source
        )
        for reaction in r.get("reaction") or ():
            for sign in reaction.get("manifestation") or ():
                facts.said(node, "has reaction", "reaction", coding(sign)[0], source)

    def _careplan(
        self, chart: Chart, facts: Facts, r: dict[str, Any], source: str
    ) -> Iterator[str]:
        kinds = [coding(c)[0] for c in r.get("category") or ()]
        display = next((d for d in reversed(kinds) if d), "") or r.get("title") or "care plan"
        node = facts.fact("care plan", "has care plan", display, r.get("id") or display, source)
        for activity in r.get("activity") or ():
            text = coding((activity.get("detail") or {}).get("code"))[0]
            facts.said(node, "includes activity", "activity", text, source)
        for address in r.get("addresses") or ():
            yield from self._reason_reference(chart, address, node, source)

    def _immunization(
        self, chart: Chart, facts: Facts, r: dict[str, Any], source: str
    ) -> Iterator[str]:
        display, code, system = coding(r.get("vaccineCode"))
        if not display:
            yield "an immunization without a vaccine"
            return
        when = r.get("occurrenceDateTime") or ""
        node = facts.fact(
            "immunization", "received vaccine", display, f"{code}-{day(when)}", source
        )
        facts.coded(node, code, system, source)
        facts.dated(node, "given on", when, source)

    def _reasons(
        self, chart: Chart, facts: Facts, r: dict[str, Any], node: str, source: str
    ) -> Iterator[str]:
        for reference in r.get("reasonReference") or ():
            yield from self._reason_reference(chart, reference, node, source)
        for concept in r.get("reasonCode") or ():
            facts.reason(
                node,
                coding(concept)[0],
                lambda name: self._nodes.get((chart.patient, name), ""),
                source,
            )

    def _reason_reference(
        self, chart: Chart, reference: dict[str, Any], node: str, source: str
    ) -> Iterator[str]:
        target = self._by_reference.get(reference.get("reference") or "")
        known = target and self._nodes.get(
            (chart.patient, f"{target['resourceType']}/{target.get('id')}")
        )
        if known:
            chart.link(node, "has reason", known, source)
        else:
            yield "a reason that points at nothing here"

    def _encounter_link(
        self, chart: Chart, r: dict[str, Any], node: str, source: str
    ) -> Iterator[str]:
        reference = ((r.get("encounter") or {}).get("reference")) or ""
        if not reference:
            return
        target = self._by_reference.get(reference)
        known = target and self._nodes.get((chart.patient, f"Encounter/{target.get('id')}"))
        if known:
            chart.link(node, "during encounter", known, source)
        elif self.strict:
            yield "an encounter that points at nothing here"
