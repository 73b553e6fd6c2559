"""The home page: one box that takes whatever a person brings, and offers the view that fits."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.errors import LimitError
from osler.serve.brought import offers
from osler.serve.desk import Desk
from osler.serve.menu import menu
from osler.serve.page import form_of, framed, shown
from osler.serve.reader import Reader
from osler.serve.views.moved import onward
from osler.serve.views.work import adding_form
from osler.settings import MAX_QUERY

router = APIRouter()

EXAMPLES = (
    "does vitamin D protect against COVID-19",
    "machine learning to predict sepsis in intensive care",
    "title:(telemedicine OR telehealth) AND year:2021",
)


@router.get("/")
async def view(request: Request) -> Response:
    """The box; an address of before, with a question in it, leads to the papers."""
    if request.query_params.get("q", "").strip():
        return onward(request, "/papers")
    desk: Desk = request.app.state.desk
    counts = asyncio.ensure_future(desk.run(_counts))

    async def answer() -> Response:
        if any(counts.result().values()):
            return _shown(request, counts=counts.result())
        return shown(
            request, "first.html", view="home", title="An empty library", **adding_form(request)
        )

    return await framed(request, counts, answer, view="home", title="Osler")


@router.post("/")
async def bring(request: Request) -> Response:
    """Where to go with it. It is sent, not written into the address: it may name a patient."""
    desk: Desk = request.app.state.desk
    text = (await form_of(request)).get("q", "").strip()
    if len(text) > MAX_QUERY.get():
        raise LimitError(f"the question has more than {MAX_QUERY.get():,} characters")
    if not text:
        return RedirectResponse("/", status_code=303)
    found = await desk.run(lambda reader: offers(reader, text))
    if found[0].certain:
        return RedirectResponse(found[0].href, status_code=303)
    return _shown(request, q=text, offers=found)


def _shown(request: Request, **context: Any) -> Response:
    kept: dict[str, Any] = {"q": "", "offers": [], "counts": {}, "examples": EXAMPLES}
    kept.update(context, places=[one for one in menu() if one.brings])
    return shown(request, "home.html", view="home", title="Osler", **kept)


def _counts(reader: Reader) -> dict[str, int]:
    return {"documents": len(reader), **reader.counts()}
