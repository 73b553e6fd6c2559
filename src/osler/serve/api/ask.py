"""``/ask``: a question about patients, answered from their records."""

from __future__ import annotations

from fastapi import APIRouter

from osler.ask.answer import Answer
from osler.serve.answers import Json, told
from osler.serve.api.params import At, Body, LongText
from osler.serve.verbs.asking import ask

router = APIRouter(tags=["ask"])


class ToAsk(Body):
    """A question. It comes in the body, not in the address: addresses end up in logs."""

    question: LongText


@router.post("/ask", **told(Answer, 400, 409))
async def ask_records(at: At, body: ToAsk) -> Json:
    """Entities of the records with path, sources and reasons. No answers is a refusal, and
    ``note`` says why."""
    return Json(await at.run(lambda reader: ask(reader, body.question), lane="think"))
