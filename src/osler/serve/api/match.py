"""``/match``: answers to a health question, in order, explained by paths."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from osler.match.matcher import matchers
from osler.serve.answers import Json, told
from osler.serve.api.params import WHOLE, At, Body, Choice, LongText
from osler.serve.models import Hits
from osler.settings import MAX_ANSWERS, MAX_PAGE
from osler.verbs.match import MatchRequest, candidates_of, match

router = APIRouter(tags=["match"])

Method = Annotated[str, Choice(matchers)]


class ToMatch(Body):
    """A question with candidate answers; without any, the library's own answers are the
    candidates."""

    question: LongText
    answers: Annotated[list[LongText], Field(max_length=MAX_ANSWERS.get())] | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE.get()), WHOLE] = 10
    method: Method | None = None
    explain: bool = True
    without_model: bool = False


@router.post("/match", **told(Hits, 400, 409))
async def match_answers(at: At, body: ToMatch) -> Json:
    """Answers, best first; a hit's title is the answer's text, its reasons are weighted paths."""
    request = MatchRequest(
        question=body.question,
        answers=candidates_of(body.answers),
        k=body.limit,
        method=body.method,
        explain=body.explain,
        without_model=body.without_model,
    )
    ranking = await at.run(lambda reader: match(reader, request), lane="think")
    return Json(Hits.of(ranking, limit=body.limit))
