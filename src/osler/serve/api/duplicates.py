"""``/duplicates``: records that are probably the same paper."""

from __future__ import annotations

from fastapi import APIRouter

from osler.serve.answers import Json, told
from osler.serve.api.params import At
from osler.verbs.duplicates import Duplicates, DuplicatesRequest, duplicates

router = APIRouter(tags=["documents"])


@router.get("/duplicates", **told(Duplicates, about="records by group, with probabilities"))
async def listed_duplicates(at: At) -> Json:
    """Records that are probably the same paper, in groups. Nothing is merged."""
    return Json(await at.run(lambda reader: duplicates(reader, DuplicatesRequest())))
