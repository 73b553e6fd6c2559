"""The ward: who and what the references of one source point at, learned in a first reading.

Only what others point at is kept (patients, drugs, conditions, encounters, names of authors), so
that a large bundle costs little memory. A reference is resolved as FHIR says: against what the
resource itself contains, the server of its entry, then the source.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import xxhash

from osler.records.derive import shown
from osler.records.ids import node_id, patient_id
from osler.records.readers.fhir_status import condition_status
from osler.records.readers.fhir_stream import Entry
from osler.records.readers.fhir_values import (
    Concept,
    Malformed,
    Resource,
    child,
    concept,
    human_name,
    objects,
    word,
)

_POINTED_AT = frozenset(
    ["Patient", "Medication", "Condition", "Encounter", "Practitioner", "Organization"]
)


@dataclass(frozen=True)
class Target:
    """What a reference points at: its type, its key in the source, and what is told of it."""

    kind: str
    key: str
    concept: Concept = field(default_factory=Concept)
    subject: Resource = field(default_factory=dict)


@dataclass(frozen=True)
class Owner:
    """Whose a resource is. ``own`` is the source's id; ``referred`` where no resource of the source
    describes the patient; ``name`` is what the reference calls the patient."""

    id: str
    own: str
    referred: bool = False
    name: str = ""
    contained: Resource | None = None
    nobody: str = ""
    """Where the resource is no patient's: whose it is instead, or that nobody is named."""


class Ward:
    """References and versions of one source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._targets: dict[str, Target] = {}
        self._identified: dict[tuple[str, str], str] = {}
        self._conditions: dict[tuple[str, str], str] = {}
        self._bases: set[str] = set()
        self._latest: dict[int, tuple[str, int]] = {}

    # -- the first reading ----------------------------------------------------------------------

    def learn(self, entry: Entry, order: int) -> None:
        """``order`` is the entry's place in the whole source."""
        resource = entry.resource
        if resource is None:
            if entry.method == "DELETE":
                self._version(entry, order, entry.url)
            return
        if entry.base:
            self._bases.add(entry.base)
        self._version(entry, order, _address(entry))
        kind = resource["resourceType"]
        if kind not in _POINTED_AT:
            return
        try:
            key = key_in(entry)
            target = Target(kind, key, _told(resource), _subject(resource))
            identifiers = list(objects(resource.get("identifier"))) if kind == "Patient" else []
            names = {entry.url, *_names(entry)} - {""}
        except Malformed:
            return
        for name in names:
            self._targets[name] = target
        for identifier in identifiers:
            system, value = identifier.get("system"), identifier.get("value")
            if isinstance(value, str):
                self._identified[str(system or ""), value] = key

    def _version(self, entry: Entry, order: int, address: str) -> None:
        """Remember which of several versions of a resource is the last."""
        if not address:
            return
        stamp = _stamp(entry)
        mark = xxhash.xxh3_64_intdigest(address.encode("utf-8", "surrogatepass"))
        held = self._latest.get(mark)
        newest_first = entry.bundle == "history"
        if held is None or stamp > held[0] or (stamp == held[0] and not newest_first):
            self._latest[mark] = (stamp, order)

    def learned(self) -> None:
        """After the first reading: conditions by the names that reasons give them."""
        for target in list(self._targets.values()):
            if target.kind == "Condition" and target.concept and target.subject:
                owner = self.owner(target.subject, None)
                if owner is not None:
                    name = shown(target.concept.display)[0].casefold()
                    node = node_id(owner.id, "Condition", target.key)
                    self._conditions.setdefault((owner.id, name), node)

    # -- the second -----------------------------------------------------------------------------

    def is_last(self, entry: Entry, order: int) -> bool:
        """Whether no later version of the same resource stands in the source."""
        address = _address(entry) if entry.resource is not None else entry.url
        if not address:
            return True
        mark = xxhash.xxh3_64_intdigest(address.encode("utf-8", "surrogatepass"))
        held = self._latest.get(mark)
        return held is None or held[1] == order

    def key(self, entry: Entry) -> str:
        """The resource's own id; its whole address where two servers' resources are in one
        source."""
        if len(self._bases) > 1 and entry.base:
            return entry.url
        return key_in(entry)

    def target(self, reference: str, entry: Entry | None) -> Target | None:
        if not reference:
            return None
        reference = reference.partition("/_history/")[0]
        if entry is not None and reference.startswith("#"):
            return _contained(reference, entry)
        if entry is not None and entry.base and "://" not in reference:
            near = self._targets.get(f"{entry.base}/{reference}")
            if near is not None:
                return self._keyed(near, f"{entry.base}/{reference}")
        return self._keyed(self._targets.get(reference), reference)

    def _keyed(self, target: Target | None, name: str) -> Target | None:
        if target is not None and len(self._bases) > 1 and name.startswith("http"):
            return Target(target.kind, name, target.concept, target.subject)
        return target

    def whose(self, entry: Entry) -> Owner:
        """The patient of a resource, or somebody of its own who is no known patient."""
        resource = entry.resource or {}
        holder: Resource = {}
        for name in ("subject", "patient", "beneficiary", "for"):
            holder = child(resource, name)
            if holder:
                break
        owner = self.owner(holder, entry) if holder else None
        if owner is not None:
            return owner
        own = f"{_address(entry) or key_in(entry)}#subject"
        whose = word(holder, "display", "reference") or "nobody is named"
        return Owner(self.patient(own), own, nobody=whose)

    def owner(self, holder: Resource, entry: Entry | None) -> Owner | None:
        """The patient that a subject or patient field names; None where it names none."""
        reference = word(holder, "reference")
        name = word(holder, "display")
        if reference.startswith("#") and entry is not None:
            person = _contained(reference, entry)
            if person is None or person.kind != "Patient":
                return None
            own = f"{_address(entry) or entry.place}{reference}"
            return Owner(self.patient(own), own, contained=_inside(reference, entry))
        target = self.target(reference, entry)
        if target is not None:
            return self._of(target.key) if target.kind == "Patient" else None
        kind = word(holder, "type")
        path, _, id = reference.partition("/_history/")[0].rpartition("/")
        if path == "Patient" and id:
            return Owner(self.patient(id), id, True, name)
        if reference.startswith("Patient?") or kind == "Patient" or path.endswith("/Patient"):
            query = reference.partition("identifier=")[2].partition("&")[0].replace("%7C", "|")
            system, _, value = query.rpartition("|")
            if value and (system, value) in self._identified:
                return self._of(self._identified[system, value])
            if reference:
                return Owner(self.patient(reference), reference, True, name)
        if reference.startswith(("urn:", "http://", "https://")) and not _other(path):
            return Owner(self.patient(reference), reference, True, name)
        return None if reference else self._unreferred(holder, entry, name)

    def _unreferred(self, holder: Resource, entry: Entry | None, name: str) -> Owner | None:
        """A subject by identifier, or by name alone: the name is nobody else's, too."""
        identifier = child(holder, "identifier")
        value = word(identifier, "value")
        if value:
            known = self._identified.get((word(identifier, "system"), value))
            if known is not None:
                return self._of(known)
            own = f"{word(identifier, 'system')}|{value}"
            return Owner(self.patient(own), own, True, name)
        if name and entry is not None and word(holder, "type") in ("", "Patient"):
            own = f"{_address(entry) or entry.place}#subject"
            return Owner(self.patient(own), own, True, name)
        return None

    def _of(self, key: str) -> Owner:
        return Owner(self.patient(key), key)

    def patient(self, own: str) -> str:
        return patient_id(self.source, own)

    def condition(self, patient: str, name: str) -> str:
        """The node of the patient's condition by that name; empty where there is none."""
        return self._conditions.get((patient, shown(name)[0].casefold()), "")


def key_in(entry: Entry) -> str:
    """A resource's id as its source writes it; without one its address, else a hash of it."""
    return entry.id or entry.url or f"{entry.place}:{digest(entry.resource or {})}"


def digest(resource: Resource) -> str:
    """A hash of all that a resource says."""
    text = json.dumps(resource, sort_keys=True, default=str, ensure_ascii=False)
    return str(xxhash.xxh3_128_hexdigest(text.encode("utf-8", "surrogatepass")))


def _address(entry: Entry) -> str:
    """What all versions of a resource share; empty for one without id and address."""
    if entry.base or not entry.id:
        return entry.url
    return f"{(entry.resource or {}).get('resourceType')}/{entry.id}"


def _stamp(entry: Entry) -> str:
    """When, or as which version, a resource was written; comparable as text."""
    meta = (entry.resource or {}).get("meta")
    meta = meta if isinstance(meta, dict) else {}
    updated, version = meta.get("lastUpdated"), meta.get("versionId")
    updated = updated if isinstance(updated, str) else ""
    version = version if isinstance(version, str) else ""
    return f"{updated}|{version.rjust(20, '0') if version.isdigit() else version}"


def _names(entry: Entry) -> list[str]:
    """The references by which others may call a resource."""
    kind = (entry.resource or {}).get("resourceType")
    return [f"{kind}/{entry.id}", f"urn:uuid:{entry.id}"] if entry.id else []


def _told(resource: Resource) -> Concept:
    kind = resource["resourceType"]
    if kind in ("Practitioner",):
        return Concept(next((human_name(n) for n in objects(resource.get("name"))), ""))
    if kind == "Organization":
        return Concept(word(resource, "name"))
    if kind == "Medication":
        return medication(resource)
    return concept(resource.get("code")) if kind == "Condition" else Concept()


def medication(resource: Resource) -> Concept:
    """The drug of a Medication: its code, else what it is made of."""
    named = concept(resource.get("code"))
    if named:
        return named
    parts = []
    for part in objects(resource.get("ingredient")):
        item = concept(part.get("itemCodeableConcept"))
        reference = child(part, "itemReference")
        inside = next((c for c in objects(resource.get("contained"))), {})
        drug = item or Concept(word(reference, "display")) or concept(inside.get("code"))
        parts.append(drug)
    codes = tuple(code for part in parts for code in part.codes)
    return Concept(" / ".join(p.display for p in parts if p), codes)


def _subject(resource: Resource) -> Resource:
    """The patient of a condition that holds: a refuted one is no node to point at."""
    if resource["resourceType"] != "Condition":
        return {}
    status, certainty = condition_status(resource)
    untrue = status == "entered in error" or certainty not in ("confirmed", "provisional")
    return {} if untrue else child(resource, "subject")


def _inside(reference: str, entry: Entry) -> Resource | None:
    wanted = reference.removeprefix("#")
    for resource in objects((entry.resource or {}).get("contained")):
        if str(resource.get("id") or "").removeprefix("#") == wanted:
            return resource
    return None


def _contained(reference: str, entry: Entry) -> Target | None:
    resource = _inside(reference, entry)
    if resource is None or not isinstance(resource.get("resourceType"), str):
        return None
    return Target(resource["resourceType"], reference, _told(resource))


def _other(path: str) -> bool:
    """Whether an address names the type of something that is no patient."""
    kind = path.rpartition("/")[2]
    return kind[:1].isupper() and kind.isalpha() and kind != "Patient"
