"""Saved searches on the page: what each found when, and what is new since."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.errors import InputError, OslerError
from osler.serve.desk import Desk
from osler.serve.page import form_of, link, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.views.papers import REPEATED
from osler.serve.visits import Visits
from osler.verbs.filters import filter_of
from osler.verbs.review import Alert, alerts

router = APIRouter()

HELD = {
    "language": "languages",
    "journal": "journals",
    "type": "types",
    "design": "designs",
    "mesh": "headings",
    "keyword": "keywords",
}
"""What filters are called in an address, and in a filter that is kept."""


def address(alert: Alert, filter: dict[str, Any], syntax: str) -> str:
    """Where the search stands on the page, with its filters."""
    low, high = filter.get("years") or (None, None)
    years = "" if low is None and high is None else f"{low or ''}:{high or ''}"
    return link(
        "/",
        q=alert.query,
        sort="date",
        year=years,
        **{name: filter.get(held, []) for name, held in HELD.items()},
        abstract="1" if filter.get("has_abstract") else "",
        retracted="0" if filter.get("exclude_retracted") else "",
        syntax=syntax,
    )


@router.get("/saved")
async def view(request: Request) -> Response:
    """All saved searches, each run again."""
    desk: Desk = request.app.state.desk

    def work(reader: Reader) -> list[dict[str, Any]]:
        listed = []
        for saved, alert in zip(reader.decisions.saved(), alerts(reader), strict=True):
            titles = [(id, reader.document(id).title) for id in alert.new[:20]]
            href = address(alert, saved.filter, saved.syntax)
            listed.append({"saved": saved, "alert": alert, "new": titles, "href": href})
        return listed

    visits: Visits = request.app.state.visits
    _, visit = visits.of(request)
    context: dict[str, Any] = {"problem": None, "searches": [], "removed": list(visit.removed)}

    async def again() -> None:
        try:
            context["searches"] = await desk.run(work)
        except OslerError as error:
            context["problem"] = problem_of(error)

    return await shown_slowly(
        request,
        "saved.html",
        "saved_searches.html",
        again(),
        view="papers",
        title="Saved searches",
        context=context,
    )


@router.post("/saved/remove")
async def remove(request: Request) -> Response:
    """Take a saved search out, or (``undo``) bring back one that this visitor has taken out."""
    desk: Desk = request.app.state.desk
    visits: Visits = request.app.state.visits
    who, visit = visits.of(request)
    form = await form_of(request)
    name = form.get("name", "")
    answer = RedirectResponse("/saved", status_code=303)
    if form.get("undo") != "1":
        visit.forget(await desk.run(lambda reader: reader.remove_search(name), lane="write"))
    elif name in visit.removed:
        search = visit.removed[name]
        await desk.run(lambda reader: reader.restore_search(search), lane="write")
        del visit.removed[name]
    else:
        raise InputError("this search was not removed in this visit", cure="save it again")
    visits.hold(answer, who, visit)
    return answer


@router.post("/saved")
async def save(request: Request) -> Response:
    """Keep a search under a name; one that is taken is refused."""
    desk: Desk = request.app.state.desk
    given = await form_of(request)
    asked = QueryParams(given.get("at", "").partition("?")[2])
    lists = {name: asked.getlist(name) for name in REPEATED}
    filter = filter_of(
        year=asked.get("year"),
        has_abstract=asked.get("abstract") == "1",
        without_retracted=asked.get("retracted") == "0",
        **lists,
    )
    name, text, syntax = given.get("name", ""), asked.get("q", ""), asked.get("syntax", "")

    def work(reader: Reader) -> None:
        reader.save_search(name, text, filter=filter, syntax=syntax)

    await desk.run(work, lane="write")
    return RedirectResponse("/saved", status_code=303)
