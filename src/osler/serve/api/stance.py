"""``/claim``: what the library's papers say to a claim; ``/stance``: what one text says to it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import StringConstraints

from osler.claims.judge import MAX_CLAIM, MAX_TEXT
from osler.claims.judge import stance as judge
from osler.claims.verdict import Stance
from osler.serve.answers import Json, told
from osler.serve.api.params import WORDS, At, Body, Limit
from osler.serve.models import ClaimHits
from osler.serve.reader import Reader
from osler.verbs.stance import ClaimRequest, stance

router = APIRouter(tags=["claim"])

Claim = Annotated[
    str,
    Query(min_length=1, max_length=MAX_CLAIM, pattern=WORDS, description="A claim in words."),
]


class ToJudge(Body):
    """A claim and the text that is judged by it."""

    claim: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CLAIM, pattern=WORDS)]
    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT, pattern=WORDS)]


@router.get("/claim", **told(ClaimHits, 400, 404, 409))
async def judge_papers(
    at: At, claim: Claim, limit: Limit = 50, without_model: bool = False
) -> Json:
    """Papers on a claim, each with the side that it takes (supports, refutes, no effect found,
    reports without a side, only mentions, unclear), its probability and its sentence; ``balance``
    counts them by side and by the design of the study. A count is no answer."""
    request = ClaimRequest(claim=claim, k=limit, without_model=without_model)
    ranking = await at.run(lambda reader: stance(reader, request), lane="think")
    return Json(ClaimHits.of_claim(ranking, limit=limit))


@router.post("/stance", **told(Stance, 400))
async def judge_text(at: At, body: ToJudge) -> Json:
    """The side that one text takes to a claim; nothing of the library is looked at."""

    def work(reader: Reader) -> Stance:
        return judge(body.claim, body.text)

    return Json(await at.run(work, lane="think"))
