"""``/query``: a query of one language written in another."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from osler.serve.answers import Json, told
from osler.serve.api.params import Text
from osler.verbs.query import QueryRequest, Translated, query

router = APIRouter(tags=["search"])


@router.get("/query", **told(Translated, 400))
async def translate_query(
    q: Text,
    to: Annotated[Literal["pubmed", "osler"], Query(description="The language.")] = "osler",
) -> Json:
    """A query (PubMed's language, or the library's own) in another language; a broken one is a
    problem that shows the place."""
    return Json(query(QueryRequest(text=q, to=to)))
