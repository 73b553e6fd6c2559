"""Records that are probably one paper, in groups: shown, told apart and put together again."""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.serve.desk import Desk
from osler.serve.page import form_of, framed, shown
from osler.serve.reader import Reader
from osler.verbs.duplicates import DuplicatesRequest, duplicates, pairs_apart

router = APIRouter()

SHOWN = 200
"""Groups on the page; the command line and REST have all."""


@router.get("/duplicates")
async def view(request: Request) -> Response:
    """The groups, each record with its probability."""
    desk: Desk = request.app.state.desk

    def work(reader: Reader) -> dict[str, Any]:
        listed = duplicates(reader, DuplicatesRequest())
        groups = [list(group) for _, group in groupby(listed.records, lambda one: one.group)]
        shown_groups = [
            [(one, reader.document(one.id)) for one in group] for group in groups[:SHOWN]
        ]
        apart = sorted(tuple(sorted(pair)) for pair in pairs_apart(reader))
        return {"groups": shown_groups, "total": len(groups), "apart": apart}

    context = asyncio.ensure_future(desk.run(work))

    async def answer() -> Response:
        return shown(
            request, "duplicates.html", view="duplicates", title="Duplicates", **context.result()
        )

    return await framed(request, context, answer, view="duplicates", title="Duplicates")


@router.post("/duplicates")
async def tell(request: Request) -> Response:
    """Say that two records are two papers, or take that back."""
    desk: Desk = request.app.state.desk
    given = await form_of(request)
    one, other = given.get("one", ""), given.get("other", "")
    apart = given.get("apart") != "0"
    await desk.run(lambda reader: reader.set_apart(one, other, apart=apart), lane="write")
    return RedirectResponse("/duplicates", status_code=303)
