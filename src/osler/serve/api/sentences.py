"""``/sentences``: the most relevant sentence of papers, for a topic."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from osler.serve.answers import Json, told
from osler.serve.api.params import LIMIT, At, Text
from osler.serve.models import TopicSentences
from osler.verbs.rank import RankRequest, sentences

router = APIRouter(tags=["rank"])


@router.get("/sentences", **told(TopicSentences, 400, 404))
async def topic_sentences(
    at: At,
    topic: Text,
    id: Annotated[
        list[str], Query(max_length=LIMIT, description="Papers; without any, the best ten.")
    ] = [],  # noqa: B006
) -> Json:
    """The sentence of each paper that is most relevant to a topic; null where none is."""
    request = RankRequest(topic=topic, k=10)
    listed = await at.run(lambda reader: sentences(reader, request, id), lane="learn")
    return Json(TopicSentences(topic=topic, sentences=listed))
