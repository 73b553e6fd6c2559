"""``/documents``: what the library holds, and one of them whole."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query

from osler.serve import documents
from osler.serve.answers import Json, told
from osler.serve.api.params import At, Cursor, Limit, Offset
from osler.serve.desk import Lane
from osler.serve.models import DocumentPage, WholeDocument
from osler.settings import MAX_NAME

router = APIRouter(tags=["documents"])

Parts = Annotated[
    list[Literal["mentions", "related", "facts"]],
    Query(alias="with", max_length=3, description="What to find beside the document."),
]


@router.get("/documents", **told(DocumentPage, 400))
async def list_documents(
    at: At, limit: Limit = 20, offset: Offset = 0, cursor: Cursor = ""
) -> Json:
    """Documents in the order of their ids; ``cursor`` of one page asks for the next, to the end."""
    return Json(
        await at.run(
            lambda reader: documents.page(reader, offset=offset, limit=limit, cursor=cursor)
        )
    )


@router.get("/documents/{id:path}", **told(WholeDocument, 404))
async def one_document(
    at: At,
    id: Annotated[str, Path(max_length=MAX_NAME.get(), description="An id, PMID, DOI or PMCID.")],
    parts: Parts = [],  # noqa: B006
) -> Json:
    """A document by id, PMID, DOI or PMCID. ``facts`` needs a trained grader; without one a note
    says which command trains it."""
    wanted = list(parts)
    lane: Lane = "think" if "facts" in wanted else "look"
    return Json(await at.run(lambda reader: documents.whole(reader, id, wanted), lane=lane))
