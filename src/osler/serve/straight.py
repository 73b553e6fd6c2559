"""A straight way to the one resource that is asked most, past the framework's routing.

FastAPI opens two exit stacks, looks for a body and solves dependencies for every request; a search
has none of them. The route stays registered, so that it is described like every other one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi.exceptions import RequestValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from osler.errors import OslerError

Endpoint = Callable[[Request], Awaitable[Response]]
Failed = Callable[[Request, Exception], Awaitable[Response]]


class Straight:
    """Wraps an application: GET of ``path`` goes to ``endpoint``, everything else on. ``failed``
    makes an answer of an error, as the application's own handlers do."""

    def __init__(self, app: ASGIApp, *, path: str, endpoint: Endpoint, failed: Failed) -> None:
        self.app = app
        self.path = path
        self.endpoint = endpoint
        self.failed = failed
        self.route = Route(path, endpoint)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != self.path or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        scope["route"] = self.route
        request = Request(scope, receive)
        try:
            response = await self.endpoint(request)
        except (OslerError, RequestValidationError) as error:
            response = await self.failed(request, error)
        await response(scope, receive, send)
