"""A page view: the journals of a library, at /journals and in the menu."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.plugins import Desk, shown
from osler_example.counting import journals

PATH = "/journals"
LABEL = "Journals"
router = APIRouter()


@router.get(PATH)
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk

    def work(reader: Any) -> list[tuple[str, int]]:
        return journals(reader.documents())

    rows = await desk.run(work)
    return shown(request, "journals/journals.html", view="journals", title="Journals", rows=rows)
