"""A FHIR Patient as facts: every name with its use, dates, death, addresses, identifiers."""

from __future__ import annotations

from collections.abc import Iterator

from osler.kinds import Fact, FactSource
from osler.records.building import Said, person_facts
from osler.records.readers.fhir_values import (
    Resource,
    child,
    concept,
    human_name,
    listed,
    name_forms,
    objects,
    word,
)
from osler.records.readers.fhir_ward import Owner

_USES = {"old": 3, "maiden": 3, "nickname": 2, "anonymous": 2, "temp": 2, "usual": 1, "official": 0}
_LATER = 1


def person(owner: Owner, resource: Resource, *, source: FactSource, content: str) -> list[Fact]:
    """The patient's record (the fact ``id``), then a part for each thing that is said."""
    revised = word(child(resource, "meta"), "lastUpdated")
    return person_facts(
        owner.id,
        owner.own,
        _said(resource),
        source=source,
        content=content,
        revised=revised,
        known_by="a resource that contains it" if owner.contained else "",
    )


def _said(resource: Resource) -> Iterator[Said]:
    for use, full in _names(resource):
        status = "completed" if use in ("old", "maiden") else "active"
        detail = {"use": use} if use else {}
        yield "name", full, {"other_names": name_forms(full), "status": status, "detail": detail}
    if word(resource, "gender"):
        yield "sex", word(resource, "gender"), {}
    if word(resource, "birthDate"):
        yield "birth date", word(resource, "birthDate"), {"start": word(resource, "birthDate")}
    yield from _death(resource)
    for address in objects(resource.get("address")):
        past = {"status": "completed"} if word(address, "use") == "old" else {}
        if word(address, "city"):
            yield "city", word(address, "city"), past
        lines = [str(line) for line in listed(address.get("line"))]
        rest = [word(address, n) for n in ("city", "district", "state", "postalCode", "country")]
        text = word(address, "text") or ", ".join(p for p in (*lines, *rest) if p)
        if text:
            yield "address", text, past
    yield from _told(resource)
    for identifier in objects(resource.get("identifier")):
        value = word(identifier, "value")
        if value:
            kind = concept(identifier.get("type")).display
            codes = ((word(identifier, "system"), value),)
            yield "identifier", value, {"codes": codes, "detail": {"type": kind} if kind else {}}
    for contact in objects(resource.get("telecom")):
        if word(contact, "value"):
            yield word(contact, "system") or "contact", word(contact, "value"), {}


def _names(resource: Resource) -> list[tuple[str, str]]:
    """(use, name), the one that people go by first."""
    names = []
    for value in objects(resource.get("name")):
        full = human_name(value)
        if full:
            use = word(value, "use")
            # A name whose time is over is an old one, whatever use it was written for.
            if word(child(value, "period"), "end") and use not in ("old", "maiden"):
                use = "old"
            names.append((use, full))
    return sorted(names, key=lambda n: _USES.get(n[0], _LATER))


def _death(resource: Resource) -> Iterator[Said]:
    moment = word(resource, "deceasedDateTime")
    said = resource.get("deceasedBoolean")
    if moment:
        yield "death", moment, {"start": moment}
    elif said is True:
        yield "death", "true", {}
    elif said is False:
        yield "death", "false", {"certainty": "absent"}


def _told(resource: Resource) -> Iterator[Said]:
    status = concept(resource.get("maritalStatus")).display
    if status:
        yield "marital status", status, {}
    for spoken in objects(resource.get("communication")):
        language = concept(spoken.get("language")).display
        if language:
            yield "language", language, {}
    for extension in objects(resource.get("extension")):
        url = word(extension, "url").lower()
        for name in ("race", "ethnicity", "birthplace", "birthsex", "religion", "nationality"):
            said = _extension(extension) if url.endswith(name) else ""
            if said:
                yield name, said, {}
    for doctor in objects(resource.get("generalPractitioner")):
        if word(doctor, "display"):
            yield "general practitioner", word(doctor, "display"), {}


def _extension(extension: Resource) -> str:
    """The value of an extension, or of the first within it that has one."""
    for key, value in extension.items():
        if key.startswith("value"):
            if isinstance(value, dict):
                city = [word(value, n) for n in ("city", "state", "country")]
                return concept(value).display or ", ".join(c for c in city if c)
            return str(value)
    inner = (_extension(e) for e in objects(extension.get("extension")))
    return next((said for said in inner if said), "")
