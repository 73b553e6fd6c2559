"""``/suggest``: facts that the graph does not hold and that look like those it holds."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from osler.serve.answers import Json, told
from osler.serve.api.params import WORDS, At
from osler.verbs.suggest import Suggestions, SuggestRequest, suggest

router = APIRouter(tags=["suggest"])

Word = Annotated[str, Query(min_length=1, max_length=200, pattern=WORDS)]


@router.get("/suggest", **told(Suggestions, 400, 404, 409))
async def suggest_facts(
    at: At, head: Word, relation: Word, limit: Annotated[int, Query(ge=1, le=100)] = 10
) -> Json:
    """Tails that may belong to a head by a relation, best first, each with its reasons (kinds of
    paths with an example, nearness, what is known of others, papers that name both). A suggestion
    is no fact."""
    request = SuggestRequest(head=head, relation=relation, k=limit)
    return Json(await at.run(lambda reader: suggest(reader, request), lane="think"))
