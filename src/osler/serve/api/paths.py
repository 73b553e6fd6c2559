"""``/paths``: how two entities are joined in the graph."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from osler.serve.answers import Json, told
from osler.serve.api.params import At, Limit, Name
from osler.verbs.graph import Paths, PathsRequest, paths

router = APIRouter(tags=["graph"])


@router.get("/paths", **told(Paths, 404, 409))
async def find_paths(
    at: At,
    source: Name,
    target: Name,
    length: Annotated[int, Query(ge=2, le=5, description="Entities on a path, at most.")] = 3,
    limit: Limit = 50,
) -> Json:
    """All simple paths, shortest first; ``cut`` says what a limit left out."""
    request = PathsRequest(source=source, target=target, length=length, k=limit)
    return Json(await at.run(lambda reader: paths(reader, request)))
