"""The application: REST under /api/v1, the page beside it, problems as problems."""

from __future__ import annotations

import contextlib
import logging
import re
import time
import traceback
from collections.abc import AsyncIterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from osler.errors import OslerError
from osler.serve.answers import problem_answer
from osler.serve.api.query import known_alone
from osler.serve.api.search import search_papers
from osler.serve.brake import Brake
from osler.serve.desk import BusyError, Desk
from osler.serve.guard import Guard, TooLarge
from osler.serve.jobs import Jobs
from osler.serve.menu import views
from osler.serve.openapi import describe
from osler.serve.problems import Problem, plain_problem, problem_of
from osler.serve.straight import Straight
from osler.serve.visits import Visits
from osler.settings import DEFAULT_ENCODER

if TYPE_CHECKING:
    from osler.text.encoder import Encoder

log = logging.getLogger(__name__)

API = "/api/v1"
RESOURCES = (
    "search",
    "saved",
    "translate",
    "documents",
    "duplicates",
    "summarise",
    "link",
    "entities",
    "paths",
    "rank",
    "projects",
    "sentences",
    "grade",
    "stance",
    "suggest",
    "curate",
    "brief",
    "match",
    "ask",
    "feedback",
    "patients",
    "status",
)


LISTED = 20
"""Things wrong in a request that are told one by one."""
TOLD = 200
"""Characters of each."""
SILENT: Any = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""The framework's own traces hold addresses, and addresses hold questions about patients: none are
made, whatever the environment says."""


def create_app(
    library: str | Path,
    *,
    encoder: str | Encoder = DEFAULT_ENCODER,
    hosts: Sequence[str] = (),
    token: str | None = None,
    warm: bool = False,
) -> FastAPI:
    """The application over one library. ``hosts`` are names beside the loopback's under which it
    answers; with a ``token`` every request must carry it."""
    desk = Desk(library, encoder=encoder)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if warm:
            desk.warm()
            compile_templates()
            app.openapi()
        yield
        app.state.jobs.close()
        desk.close()

    app = FastAPI(
        title="Osler",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=SILENT,
    )
    app.state.desk = desk
    app.state.token = token
    app.state.jobs = Jobs(desk.open_library)
    app.state.visits = Visits()
    for name in RESOURCES:
        router = import_module(f"osler.serve.api.{name}").router
        app.include_router(router, prefix=API, dependencies=[Depends(known_alone(API))])
    for view in views():
        app.include_router(import_module(view.module).router, include_in_schema=False)
    from osler.serve.page import compile_templates, static_file

    app.add_route("/static/{name}", static_file, name="static", include_in_schema=False)
    describe(app, API)
    app.add_exception_handler(OslerError, _told)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_middleware(Straight, path=f"{API}/search", endpoint=search_papers, failed=_failed)
    app.add_middleware(Journal)
    app.state.brake = Brake()
    app.add_middleware(Guard, hosts=hosts, token=token, brake=app.state.brake)
    return app


class Journal:
    """One line a request in the log: method, route, status, time. Never what was asked: it may
    be about a patient. An error that nobody foresaw is told by its place alone, too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except TooLarge:
            raise
        except Exception as error:
            places = "".join(traceback.format_tb(error.__traceback__))
            log.error("%s at\n%s", type(error).__name__, places)
            if not status:
                problem = plain_problem(
                    500, "E000", "something went wrong in the server", cure="its log says where"
                )
                await shown(Request(scope), problem)(scope, receive, noted)
        finally:
            route = getattr(scope.get("route"), "path", "-")
            spent = 1000 * (time.perf_counter() - started)
            log.info("%s %s %d %.0f ms", scope["method"], route, status, spent)


def shown(request: Request, problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """A problem as JSON for programs, as a page for people."""
    if request.url.path.startswith(API):
        return problem_answer(problem, headers)
    from osler.serve.page import problem_page

    return problem_page(request, problem, headers)


async def _failed(request: Request, error: Exception) -> Response:
    wrong = isinstance(error, RequestValidationError)
    return await (_invalid if wrong else _told)(request, error)


async def _told(request: Request, error: Exception) -> Response:
    assert isinstance(error, OslerError)
    headers = {"Retry-After": "5"} if isinstance(error, BusyError) else None
    return shown(request, problem_of(error), headers)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = error.errors()
    # A body may have thousands of keys that nobody knows: the answer stays small.
    fields = {
        (".".join(str(part) for part in one["loc"][1:]) or str(one["loc"][0]))[:TOLD]: str(
            one["msg"]
        )[:TOLD]
        for one in wrong[:LISTED]
    }
    if len(wrong) > LISTED:
        fields["..."] = f"{len(wrong) - LISTED:,} more"
    listed = "; ".join(f"{name}: {what}" for name, what in fields.items())
    return shown(request, plain_problem(422, "E104", listed, fields=fields))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = {
        404: "there is nothing at this address",
        405: "this address does not take that method",
    }
    detail = problem.get(error.status_code, str(error.detail))
    headers = dict(error.headers) if error.headers else {}
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed(request))
    return shown(request, plain_problem(error.status_code, "E100", detail), headers)


def _allowed(request: Request) -> list[str]:
    """The methods of all routes at an address: one route alone knows its own."""
    allowed: set[str] = set()
    for pattern, methods in _addresses():
        if pattern.match(request.url.path):
            allowed |= methods
    return sorted(allowed)


@cache
def _addresses() -> list[tuple[re.Pattern[str], set[str]]]:
    """Every address with its methods."""
    places = [(API, f"osler.serve.api.{name}") for name in RESOURCES]
    places += [("", view.module) for view in views()]
    return [
        (compile_path(prefix + route.path)[0], set(route.methods or ()))
        for prefix, module in places
        for route in import_module(module).router.routes
    ]
