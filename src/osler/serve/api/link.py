"""``/link``: the entities that a text mentions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from osler.serve.answers import Json, told
from osler.serve.api.params import At, Body, LongText, Named
from osler.serve.documents import linked
from osler.serve.models import LinkedMentions
from osler.serve.reader import Reader

router = APIRouter(tags=["graph"])

Some = Annotated[list[Named], Field(max_length=20)]


class ToLink(Body):
    """A text, and to which branches, types and terminologies mentions are limited; ``without``
    leaves branches out, ``steps`` whatever stands less far below the root of its tree."""

    text: LongText
    branches: Some = []
    types: Some = []
    terminologies: Some = []
    without: Some = []
    steps: Annotated[int, Field(ge=0, le=20)] = 0


@router.post("/link", **told(LinkedMentions, 400, 409))
async def link_text(at: At, body: ToLink) -> Json:
    """Mentions with their places, candidates and scores; ``negated`` where the text denies it."""

    def work(reader: Reader) -> LinkedMentions:
        linker = reader.linker
        if body.branches or body.types or body.terminologies or body.without or body.steps:
            linker = linker.within(
                branches=body.branches,
                types=body.types,
                terminologies=body.terminologies,
                without=body.without,
                steps=body.steps,
            )
        return LinkedMentions(mentions=linked(reader, linker.link(body.text)))

    return Json(await at.run(work))
