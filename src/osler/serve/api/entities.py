"""``/entities``: concepts of the graph by id, by name, by the beginning of a name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from osler.serve.answers import Json, told
from osler.serve.api.params import At, Limit, Name, Offset
from osler.serve.models import Entities
from osler.settings import MAX_NAME
from osler.verbs.graph import EntityRequest, WholeEntity, complete, entity

router = APIRouter(tags=["graph"])


@router.get("/entities", **told(Entities, 409))
async def complete_name(at: At, starts: Name, limit: Limit = 10) -> Json:
    """Entities one of whose names begins so, the shortest names first."""
    return Json(await at.run(lambda reader: Entities(entities=complete(reader, starts, limit))))


@router.get("/entities/{id:path}", **told(WholeEntity, 404, 409))
async def one_entity(
    at: At,
    id: Annotated[str, Path(max_length=MAX_NAME.get(), description="An id or a name.")],
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Offset = 0,
) -> Json:
    """An entity with its names, parents, children and a page of its neighbours."""
    request = EntityRequest(entity=id, k=limit, skip=offset)
    return Json(await at.run(lambda reader: entity(reader, request)))
