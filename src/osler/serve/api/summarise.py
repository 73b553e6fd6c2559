"""``/summarise``: a document in a few of its own sentences."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from osler.retrieve.summaries.summarise import Summary, summarise
from osler.serve.answers import Json, told
from osler.serve.api.params import At, Id
from osler.serve.reader import Reader

router = APIRouter(tags=["documents"])


@router.get("/summarise", **told(Summary, 404))
async def summarise_document(
    at: At, id: Id, sentences: Annotated[int, Query(ge=1, le=20)] = 3
) -> Json:
    """The sentences that carry a document, with their places."""

    def work(reader: Reader) -> Summary:
        return summarise(reader.document(id), sentences=sentences, method="lexrank")

    return Json(await at.run(work))
