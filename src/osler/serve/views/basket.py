"""The librarian's bench: queries of this visit with their counts, and papers put aside."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from osler.corpus.writing import WRITERS
from osler.errors import ChoiceError, InputError, UnknownId
from osler.serve.desk import Desk
from osler.serve.export import table
from osler.serve.page import FIELDS, back_to, shown
from osler.serve.reader import Reader
from osler.serve.visits import Visits
from osler.verbs.formats import MEDIA

router = APIRouter()

FORMATS = ("ris", "nbib", "bib", "csv")


def visits_of(request: Request) -> Visits:
    visits: Visits = request.app.state.visits
    return visits


@router.get("/papers/history")
async def history(request: Request) -> Response:
    """Queries of this visit, to look at again and to combine."""
    _, visit = visits_of(request).of(request)
    return shown(
        request,
        "history.html",
        view="papers",
        title="Queries of this visit",
        searches=list(reversed(visit.searches)),
    )


@router.get("/papers/history.csv")
async def history_file(request: Request) -> Response:
    _, visit = visits_of(request).of(request)
    rows = [(f"#{one.number}", one.text, one.whole, one.total) for one in visit.searches]
    body = table(["number", "query", "as one expression", "papers"], rows)
    return Response(
        body,
        media_type=MEDIA["csv"],
        headers={"Content-Disposition": 'attachment; filename="osler-queries.csv"'},
    )


@router.get("/papers/basket")
async def basket(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    _, visit = visits_of(request).of(request)
    papers = await desk.run(lambda reader: _held(reader, list(visit.papers)))
    return shown(
        request,
        "basket.html",
        view="papers",
        title="Basket",
        papers=papers,
        dropped=len(visit.dropped),
        formats=FORMATS,
    )


def _held(reader: Reader, ids: list[str]) -> list[Any]:
    """Papers of the basket that are still in the library."""
    found = []
    for id in ids:
        try:
            found.append(reader.document(id))
        except UnknownId:
            continue
    return found


@router.post("/papers/basket")
async def change(request: Request) -> Response:
    """Put papers aside (``keep``), take them out (``drop``), ``empty`` it, ``refill`` it."""
    pairs = parse_qsl((await request.body()).decode("utf-8", "replace"), max_num_fields=FIELDS)
    form = dict(pairs)
    ids = [value for name, value in pairs if name == "document"]
    desk: Desk = request.app.state.desk
    visits = visits_of(request)
    name, visit = visits.of(request)
    act = form.get("act", "")
    if act == "keep":
        held = await desk.run(lambda reader: _held(reader, ids))
        if not held:
            raise InputError("there is no such paper here")
        visit.keep([one.id for one in held])
    elif act == "drop":
        visit.drop(ids)
    elif act == "empty":
        visit.empty()
    elif act == "refill":
        visit.refill()
    else:
        raise ChoiceError("change of the basket", act, ("keep", "drop", "empty", "refill"))
    answer: Response
    if request.headers.get("x-part") == "mark":
        answer = JSONResponse({"papers": len(visit.papers)})
    else:
        answer = RedirectResponse(back_to(form.get("back", "/papers/basket")), status_code=303)
    visits.hold(answer, name, visit)
    return answer


@router.get("/papers/basket.{format}")
async def export(request: Request, format: str) -> Response:
    """The basket as a file."""
    if format not in FORMATS:
        raise ChoiceError("format", format, FORMATS)
    desk: Desk = request.app.state.desk
    _, visit = visits_of(request).of(request)

    def work(reader: Reader) -> str:
        papers = _held(reader, list(visit.papers))
        if format == "csv":
            columns = ["id", "title", "journal", "published", "doi", "pmid"]
            rows = [
                (d.id, d.title, d.journal, d.published, d.ids.get("doi", ""), d.ids.get("pmid", ""))
                for d in papers
            ]
            return table(columns, rows)
        return "".join(map(WRITERS[format], papers))

    return Response(
        await desk.run(work),
        media_type=MEDIA[format],
        headers={"Content-Disposition": f'attachment; filename="osler-basket.{format}"'},
    )
