"""``/brief``: what the library says of a question, on one page of quotes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from osler.brief import Brief
from osler.claims.judge import MAX_CLAIM
from osler.serve.answers import Json, told
from osler.serve.api.params import WORDS, At, Limit
from osler.verbs.brief import BriefRequest, brief

router = APIRouter(tags=["brief"])

Question = Annotated[
    str,
    Query(min_length=1, max_length=MAX_CLAIM, pattern=WORDS, description="A question or a claim."),
]


@router.get("/brief", **told(Brief, 400, 404, 409))
async def write_brief(
    at: At, question: Question, limit: Limit = 50, without_model: bool = False
) -> Json:
    """One page of evidence: the verdict (answered, near, nothing), papers by side and design, and
    sentences word for word with the paper and their place in it. ``limit`` papers are weighed."""
    request = BriefRequest(question=question, k=limit, without_model=without_model)
    return Json(await at.run(lambda reader: brief(reader, request), lane="think"))
