"""Addresses of before: links that people kept lead to where a view stands now."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.serve.menu import MOVED

router = APIRouter()


def onward(request: Request, path: str) -> Response:
    """To a path, with what was asked; a form that was sent is sent there."""
    query = request.url.query
    return RedirectResponse(f"{path}?{query}" if query else path, status_code=307)


def _lead(old: str, new: str) -> None:
    @router.api_route(old, methods=["GET", "POST"])
    async def view(request: Request) -> Response:
        return onward(request, new)

    @router.api_route(old + ".{format}", methods=["GET", "POST"])
    async def export(request: Request, format: str) -> Response:
        return onward(request, f"{new}/status.{format}" if old == "/status" else f"{new}.{format}")

    @router.post(old + "/{rest}")
    async def below(request: Request, rest: str) -> Response:
        return onward(request, f"{new}/{rest}")


for _old, _new in MOVED.items():
    _lead(_old, _new)
