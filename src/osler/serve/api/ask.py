"""``/ask``: a question about patients, answered from their records."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter

from osler.ask.answer import Answer
from osler.ask.answerer import answerers
from osler.ask.form.form import form_from
from osler.serve.answers import Json, told
from osler.serve.api.params import At, Body, Choice, LongText
from osler.serve.patients import answered
from osler.verbs.ask import AskRequest

router = APIRouter(tags=["ask"])

Method = Annotated[str, Choice(answerers)]


class ToAsk(Body):
    """A question. It comes in the body, not in the address: addresses end up in logs."""

    question: LongText | None = None
    method: Method | None = None
    explain: bool = True
    without_model: bool = False
    form: dict[str, Any] | None = None
    before: dict[str, Any] | None = None


@router.post("/ask", **told(Answer, 400, 409))
async def ask_records(at: At, body: ToAsk) -> Json:
    """Entities of the records with path, sources and reasons. No answers is a refusal, and
    ``note`` says why; ``candidates`` are the namesakes to choose from. ``form`` is a logical form
    in place of words, ``before`` the form of the question that this one leans on: both as an
    answer holds its own. ``model`` names the trained model at work; ``without_model`` sets it
    aside."""
    request = AskRequest(
        question=body.question or "",
        explain=body.explain,
        method=body.method,
        without_model=body.without_model,
        form=form_from(body.form) if body.form is not None else None,
        before=form_from(body.before) if body.before is not None else None,
    )
    return Json(await at.run(lambda reader: answered(reader, request), lane="think"))
