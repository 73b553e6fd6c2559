"""``/match``: answers to a health question, in order, explained by paths."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from osler.serve.answers import Json, told
from osler.serve.api.params import WHOLE, At, Body, LongText
from osler.serve.models import Hits
from osler.serve.verbs.facts import match
from osler.settings import MAX_ANSWERS, MAX_PAGE

router = APIRouter(tags=["match"])


class ToMatch(Body):
    """A question with candidate answers; without any, the library's own answers are the
    candidates."""

    question: LongText
    answers: Annotated[list[LongText], Field(max_length=MAX_ANSWERS.get())] | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE.get()), WHOLE] = 10


@router.post("/match", **told(Hits, 400, 409))
async def match_answers(at: At, body: ToMatch) -> Json:
    """Answers, best first; a hit's title is the answer's text, its reasons are weighted paths."""
    found = await at.run(
        lambda reader: match(reader, body.question, body.answers, limit=body.limit), lane="think"
    )
    return Json(found)
