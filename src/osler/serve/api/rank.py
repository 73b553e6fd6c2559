"""``/rank``: papers for a topic, learned from marks; as an answer, or as events while it learns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import StreamingResponse

from osler.rank.labels import Label
from osler.serve.answers import Json, told
from osler.serve.api.params import WHOLE, At, Body, Limit, LongText, Named, Text
from osler.serve.events import STREAM, stream
from osler.serve.models import Ranked
from osler.serve.verbs.ranking import rank
from osler.settings import MAX_PAGE, MAX_QUERY

router = APIRouter(tags=["rank"])


class Example(Body):
    """A marked paper: relevant or not, and, if somebody chose one, the sentence that says it."""

    document: Named
    relevant: bool
    sentence: Annotated[str, Field(max_length=MAX_QUERY.get())] = ""


class ToRank(Body):
    topic: LongText
    description: Annotated[str, Field(max_length=MAX_QUERY.get())] = ""
    examples: Annotated[list[Example], Field(max_length=500)] = []
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE.get()), WHOLE] = 20
    seen: bool = False


@router.get("/rank", **told(Ranked, 400, 409))
async def rank_by_marks(at: At, topic: Text, limit: Limit = 20, seen: bool = False) -> Json:
    """Papers for a topic, learned from the marks that the library keeps for it."""
    found = await at.run(lambda reader: rank(reader, topic, k=limit, seen=seen), lane="learn")
    return Json(found)


@router.post("/rank", **told(Ranked, 400, 409))
async def rank_by_examples(at: At, body: ToRank) -> Json:
    """Papers for a topic, learned from the examples given. A paper that is marked both ways is
    refused; one that the library does not hold is passed over."""
    labels = [Label(e.document, e.relevant, "", e.sentence) for e in body.examples]
    found = await at.run(
        lambda reader: rank(
            reader,
            body.topic,
            k=body.limit,
            labels=labels,
            description=body.description,
            seen=body.seen,
        ),
        lane="learn",
    )
    return Json(found)


@router.get("/rank/events", responses=STREAM, response_class=StreamingResponse)
async def rank_events(at: At, topic: Text, limit: Limit = 20) -> StreamingResponse:
    """Server-sent events: ``progress`` with a line of text while it learns, then ``done`` with the
    ranking, or ``problem`` with what went wrong."""

    def events() -> AsyncIterator[bytes]:
        return stream(at, lambda reader, say: rank(reader, topic, k=limit, say=say), lane="learn")

    return StreamingResponse(events(), media_type="text/event-stream")
