"""``/duplicates``: records that are probably the same paper."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from osler.serve.answers import Json, told
from osler.serve.api.params import At, Body, Named
from osler.serve.reader import Reader
from osler.verbs.duplicates import (
    Apart,
    Duplicates,
    DuplicatesRequest,
    duplicates,
    pairs_apart,
)

router = APIRouter(tags=["documents"])


@router.get("/duplicates", **told(Duplicates, about="records by group, with probabilities"))
async def listed_duplicates(at: At) -> Json:
    """Records that are probably the same paper, in groups. Nothing is merged."""
    return Json(await at.run(lambda reader: duplicates(reader, DuplicatesRequest())))


class TwoPapers(Body):
    """Two records that are two papers, whatever they look like; ``apart`` false takes it back."""

    ids: Annotated[
        list[Named], Field(min_length=2, max_length=2, json_schema_extra={"uniqueItems": True})
    ]
    apart: bool = True


@router.post("/duplicates", **told(Apart, 400, 404, 423))
async def tell_apart(at: At, body: TwoPapers) -> Json:
    """Say that two records are two papers, or take that back. Nothing else changes."""

    def work(reader: Reader) -> Apart:
        one, other = body.ids
        reader.set_apart(one, other, apart=body.apart)
        return Apart(
            one=one,
            other=other,
            apart=body.apart,
            set_apart=len(pairs_apart(reader)),
        )

    return Json(await at.run(work, lane="write"))
