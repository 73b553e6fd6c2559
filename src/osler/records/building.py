"""Facts as readers of tables and notes build them: a person's record with its parts, and a record
of any other kind, each with a hash of what it says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import xxhash

from osler.kinds import Fact, FactSource
from osler.records.derive import PERSON, RELATIONS, person_entity
from osler.records.ids import node_id

Said = tuple[str, str, dict[str, Any]]
"""One thing about a person: which (``birth date``), what, and further fields of the fact."""
_encode = msgspec.json.Encoder().encode


def hashed(value: Any) -> str:
    return str(xxhash.xxh3_128_hexdigest(_encode(value)))


def person_facts(
    patient: str,
    own: str,
    said: Iterable[Said],
    *,
    source: FactSource,
    content: str = "",
    revised: str = "",
    known_by: str = "",
) -> list[Fact]:
    """The patient's record (the fact ``id``), then a part for each thing that is said."""
    listed = list(said)
    content = content or hashed([own, listed])
    plain = FactSource(file=source.file, place=source.place)
    facts = [
        Fact(
            id=patient,
            patient=patient,
            kind="patient",
            name="id",
            value=own,
            entity=patient,
            content=content,
            revised=revised,
            detail={"known by": known_by} if known_by else {},
            source=source,
        )
    ]
    numbers: dict[str, int] = {}
    for name, value, fields in listed:
        number = numbers[name] = numbers.get(name, 0) + 1
        entity = person_entity(patient, name, fields.get("start") or value)
        facts.append(
            Fact(
                id=f"{patient}/person/{name.replace(' ', '-')}/{number}",
                patient=patient,
                kind="patient",
                name=name,
                value=value,
                part_of=patient,
                content=content,
                revised=revised,
                entity=entity,
                relation=PERSON[name][0] if entity else "",
                source=plain,
                **fields,
            )
        )
    return facts


def referred(patient: str, own: str, *, source: FactSource, name: str = "") -> Fact:
    """A patient whom others only refer to: it gives way to the patient's own record, whether that
    comes before or after."""
    return Fact(
        id=patient,
        patient=patient,
        kind="patient",
        name="id",
        value=own,
        other_names=(name or referred_name(own),),
        entity=patient,
        detail={"known by": "reference only"},
        source=source,
    )


def referred_name(own: str) -> str:
    return f"{own} (known by reference only)"


def record(patient: str, kind: str, type: str, key: str | int, name: str, **fields: Any) -> Fact:
    """A record of a patient; ``type`` and ``key`` are its source's table (or the like) and id."""
    id = node_id(patient, type, key)
    entity = fields.pop("entity", id)
    fact = Fact(
        id=id,
        patient=patient,
        kind=kind,  # type: ignore[arg-type]
        name=name,
        entity=entity,
        relation=RELATIONS.get(kind, "") if entity == id else "",
        **fields,
    )
    return msgspec.structs.replace(fact, content=hashed(fact))
