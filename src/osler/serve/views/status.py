"""The status view: what is in the library, models with their cards, rejects."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.serve.desk import Desk
from osler.serve.export import file_answer, json_file, table
from osler.serve.page import shown
from osler.serve.reader import Reader
from osler.settings import shown_settings
from osler.verbs.status import rejects, status

router = APIRouter()

SHOWN = 50


@router.get("/status")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk

    def work(reader: Reader) -> dict[str, Any]:
        from osler.learn.card import versions

        found = status(reader)
        return {
            "held": found,
            "rejected": rejects(reader, SHOWN),
            "versions": versions((*PACKAGES,)),
            "settings": shown_settings(),
            "path": str(reader.path),
        }

    context = await desk.run(work)
    return shown(request, "status.html", view="status", title="Status", **context)


PACKAGES = (
    "osler",
    "tantivy",
    "usearch",
    "onnxruntime",
    "numpy",
    "scipy",
    "fastapi",
    "torch",
    "transformers",
)


@router.get("/status.{format}")
async def export(request: Request, format: str) -> Response:
    """The status as JSON; the rejects as CSV."""
    desk: Desk = request.app.state.desk
    if format == "csv":
        rows = await desk.run(lambda reader: rejects(reader, 1_000_000))
        columns = ["file", "place", "reason", "id"]
        listed = [[row.get(name, "") for name in columns] for row in rows]
        return file_answer("rejects", "csv", table(columns, listed))
    return file_answer("status", format, json_file(await desk.run(status)))
