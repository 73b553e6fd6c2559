"""``/feedback``: judgements of relevance; later searches and rankings learn from them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from osler.serve.answers import Json, told
from osler.serve.api.params import WHOLE, At, Body, LongText, Named, Text
from osler.verbs.marks import Judged, judged, mark

router = APIRouter(tags=["feedback"])

Grade = Annotated[int, Field(ge=0, le=3), WHOLE]


class Feedback(Body):
    """A query (a topic, a question) and grades by document: 0 not relevant, 1 to 3 relevant, null
    to take a judgement back."""

    query: LongText
    judgements: Annotated[dict[Named, Grade | None], Field(min_length=1, max_length=1_000)]


@router.post("/feedback", **told(Judged, 400, 404, 423))
async def give_feedback(at: At, body: Feedback) -> Json:
    """Keep judgements as qrels; the last word on a document counts, and null takes it back.
    Answers with all that is now judged for the query."""
    ranking = await at.run(
        lambda reader: mark(reader, body.query, dict(body.judgements)), lane="write"
    )
    return Json(ranking)


@router.get("/feedback", **told(Judged, 404))
async def get_feedback(at: At, query: Text) -> Json:
    """What was judged for a query, by its id or its words."""
    return Json(await at.run(lambda reader: judged(reader, query)))
