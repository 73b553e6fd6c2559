"""``/query``: a query of one language written in another."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from osler.serve.answers import Json, told
from osler.serve.api.params import Text
from osler.verbs.query import QueryRequest, Translated, query

Language = Literal["pubmed", "ovid", "embase", "osler"]
router = APIRouter(tags=["search"])


@router.get("/query", **told(Translated, 400))
async def translate_query(
    q: Text,
    to: Annotated[Language, Query(description="The language to write it in.")] = "osler",
    language: Annotated[
        Language | None, Query(alias="from", description="What it is in; its marks tell.")
    ] = None,
) -> Json:
    """A query (of PubMed's language, Ovid's, Embase's, or the library's own) in another language; a
    broken one is a problem that shows the place."""
    return Json(query(QueryRequest(text=q, to=to, language=language or "")))
