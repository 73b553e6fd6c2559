"""``/rank``: papers for a topic, learned from marks; as an answer, or as events while it learns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import StreamingResponse

from osler.rank.labels import Label
from osler.rank.ranker import rankers
from osler.serve.answers import Json, told
from osler.serve.api.params import WHOLE, At, Body, Choice, Limit, LongText, Named, Text
from osler.serve.events import STREAM, stream
from osler.serve.models import Ranked
from osler.settings import MAX_PAGE, MAX_QUERY
from osler.verbs.rank import RankRequest, rank

router = APIRouter(tags=["rank"])

Method = Annotated[str, Choice(rankers)]


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
    method: Method | None = None
    without_model: bool = False


@router.get("/rank", **told(Ranked, 400, 409))
async def rank_by_marks(
    at: At,
    topic: Text,
    limit: Limit = 20,
    seen: bool = False,
    method: Method | None = None,
    without_model: bool = False,
) -> Json:
    """Papers for a topic, learned from the marks that the library keeps for it."""
    request = RankRequest(
        topic=topic, k=limit, seen=seen, method=method, without_model=without_model
    )
    ranking = await at.run(lambda reader: rank(reader, request), lane="learn")
    return Json(Ranked.of(ranking))


@router.post("/rank", **told(Ranked, 400, 409))
async def rank_by_examples(at: At, body: ToRank) -> Json:
    """Papers for a topic, learned from the examples given. A paper that is marked both ways is
    refused; one that the library does not hold is passed over, and a note says so."""
    request = RankRequest(
        topic=body.topic,
        description=body.description,
        examples=tuple(Label(e.document, e.relevant, "", e.sentence) for e in body.examples),
        k=body.limit,
        seen=body.seen,
        method=body.method,
        without_model=body.without_model,
    )
    ranking = await at.run(lambda reader: rank(reader, request), lane="learn")
    return Json(Ranked.of(ranking))


@router.get("/rank/events", responses=STREAM, response_class=StreamingResponse)
async def rank_events(at: At, topic: Text, limit: Limit = 20) -> StreamingResponse:
    """Server-sent events: ``progress`` with a line of text while it learns, then ``done`` with the
    ranking, or ``problem`` with what went wrong."""

    def events() -> AsyncIterator[bytes]:
        request = RankRequest(topic=topic, k=limit)
        return stream(
            at, lambda reader, say: Ranked.of(rank(reader, request, say=say)), lane="learn"
        )

    return StreamingResponse(events(), media_type="text/event-stream")
