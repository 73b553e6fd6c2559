"""``/curate``: what people decided on facts in papers."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter
from pydantic import Field, StringConstraints

from osler.serve.answers import Json, told
from osler.serve.api.params import WORDS, At, Body, Named
from osler.serve.reader import Reader
from osler.verbs.curate import CurateRequest, Decision, curate, decisions, take_back

router = APIRouter(tags=["curate"])

Part = Annotated[Named, StringConstraints(pattern=WORDS)]


class ToDecide(Body):
    """A fact, a paper, what is said of it (accept, reject, unsure; null takes a decision back) and
    who says it."""

    head: Part
    relation: Part
    tail: Part
    paper: Part
    said: Annotated[str, Field(pattern="^(accept|reject|unsure)$")] | None = None
    by: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=WORDS)]


class Decisions(msgspec.Struct, kw_only=True):
    """Decisions in the order of facts and papers."""

    decisions: list[Decision]


@router.get("/curate", **told(Decisions))
async def list_decisions(at: At) -> Json:
    """All that was decided on facts: what, by whom, when."""
    return Json(Decisions(decisions=await at.run(decisions)))


@router.post("/curate", **told(Decisions, 400, 404, 423))
async def decide(at: At, body: ToDecide) -> Json:
    """Keep a decision on a fact in a paper; the last word counts, and null takes it back. A name of
    several entities is asked back. Answers with all that is now decided."""

    def work(reader: Reader) -> Decisions:
        if body.said is None:
            take_back(reader, body.head, body.relation, body.tail, body.paper)
        else:
            request = CurateRequest(
                head=body.head,
                relation=body.relation,
                tail=body.tail,
                paper=body.paper,
                said=body.said,
                by=body.by,
            )
            curate(reader, request)
        return Decisions(decisions=decisions(reader))

    return Json(await at.run(work, lane="write"))
