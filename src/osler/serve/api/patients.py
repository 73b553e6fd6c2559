"""``/patients``: sources of patient records, joining people across them, taking records out.

Ids of patients stand in bodies, never in addresses: addresses are written to logs.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from osler.serve.answers import Json, told
from osler.serve.api.params import At, Body, LongText, Named
from osler.store.removal import RecordsErased
from osler.verbs.patients import (
    JoinRequest,
    Kind,
    Patients,
    RemoveRequest,
    join,
    patients,
    remove_records,
)

router = APIRouter(tags=["patients"])


class Joining(Body):
    """An identifier system that sources carry; ``undo`` takes the rule back."""

    system: LongText
    undo: bool = False


class Removal(Body):
    """A patient by id (record:SOURCE/ID) or a source by name, and the same once more."""

    kind: Kind
    name: Named
    confirm: Annotated[Named, Field(description="The id or the name once more.")]


@router.get("/patients", **told(Patients, about="sources, rules, and whom they joined"))
async def listed_sources(at: At) -> Json:
    """Sources with how many patients each has, the identifier systems that join them, the people
    who have more than one id, and identifiers that join nobody."""
    return Json(await at.run(patients))


@router.post("/patients/join", **told(Patients, 423))
async def join_sources(at: At, body: Joining) -> Json:
    """Take patients of different sources who carry the same identifier for one person, from now
    on; or take that back."""
    request = JoinRequest(system=body.system, undo=body.undo)
    return Json(await at.run(lambda reader: join(reader, request), lane="write"))


@router.post("/patients/remove", **told(RecordsErased, 404, 409, 423))
async def remove_for_good(at: At, body: Removal) -> Json:
    """Take the records of a patient, or of a whole source, out for good."""
    request = RemoveRequest(kind=body.kind, name=body.name, confirm=body.confirm)
    return Json(await at.run(lambda reader: remove_records(reader, request), lane="write"))
