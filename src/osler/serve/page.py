"""The page's frame: templates, static files, what every view is given."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from osler import __version__
from osler.errors import LimitError, OslerError
from osler.serve.menu import menu
from osler.serve.plugin_views import template_folders
from osler.serve.problems import Problem, problem_of
from osler.serve.style import inline_style
from osler.store.layout import Layout
from osler.text.chance import chance
from osler.text.counted import counted
from osler.text.language import language

log = logging.getLogger(__name__)


STATIC = MappingProxyType({".css": "text/css", ".js": "text/javascript"})


async def static_file(request: Request) -> Response:
    """Our own styles and scripts, out of memory: a browser paints nothing before it has the styles,
    and threads that read a file would queue behind a search. A browser keeps them until their
    version changes."""
    name = request.path_params["name"]
    if name not in _statics():
        raise HTTPException(404)
    headers = {"Cache-Control": "public, max-age=86400", "ETag": f'"{_version()}"'}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(_statics()[name], headers=headers, media_type=STATIC[Path(name).suffix])


@cache
def _statics() -> dict[str, bytes]:
    """The files by their names."""
    folder = Path(str(resources.files("osler.serve"))) / "static"
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


@cache
def _version() -> str:
    """Changes when a static file does, so that no browser shows old styles."""
    digest = hashlib.sha256()
    for body in _statics().values():
        digest.update(body)
    return digest.hexdigest()[:10]


def asset(name: str) -> str:
    return f"/static/{name}?v={_version()}"


def link(path: str, **parameters: Any) -> str:
    """An address of the page; empty parameters are left out, lists repeat."""
    pairs = [
        (name.rstrip("_"), str(one))
        for name, value in parameters.items()
        for one in (value if isinstance(value, list | tuple) else [value])
        if one not in (None, "", False)
    ]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def document_link(id: str, **parameters: Any) -> str:
    return link(f"/document/{quote(id, safe='')}", **parameters)


def entity_link(id: str) -> str:
    return link("/graph", entity=id)


ELSEWHERE = {
    "doi": "https://doi.org/",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/",
    "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/",
}


def elsewhere(scheme: str, value: str) -> str:
    """Where a paper's identifier leads, for those who click on it: nothing is fetched before."""
    place = ELSEWHERE.get(scheme)
    return f"{place}{quote(value)}" if place else ""


def tongue(text: str) -> str:
    """The language that a text is shown in: browsers choose the glyphs of Chinese by it."""
    return "zh" if language(text) == "zh" else "en"


def ready(html: str) -> Markup:
    """HTML and SVG that the room ``explain`` made: all that comes from outside is escaped there."""
    return Markup(html)  # noqa: S704


def count(number: int) -> str:
    return f"{number:,}"


def strangers_templates() -> dict[str, PackageLoader]:
    """The templates of other packages' views; a package may have none."""
    loaders = {}
    for name, package in template_folders().items():
        with contextlib.suppress(ValueError, ImportError):
            loaders[name] = PackageLoader(package)
    return loaders


@cache
def environment() -> Environment:
    templates = Environment(
        loader=ChoiceLoader([PackageLoader("osler.serve"), PrefixLoader(strangers_templates())]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(
        asset=asset,
        style=inline_style(),
        link=link,
        document_link=document_link,
        entity_link=entity_link,
        elsewhere=elsewhere,
        version=__version__,
        views=menu(),
    )
    templates.filters.update(tongue=tongue, count=count, counted=counted, chance=chance)
    return templates


def compile_templates() -> None:
    """All of them, so that nobody waits for it."""
    templates = environment()
    for name in templates.list_templates():
        templates.get_template(name)


def shown(
    request: Request,
    template: str,
    *,
    view: str,
    title: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **context: Any,
) -> HTMLResponse:
    """A view as a page."""
    desk = getattr(request.app.state, "desk", None) if "app" in request.scope else None
    body = (
        environment()
        .get_template(template)
        .render(
            view=view,
            title=title,
            library=Layout(desk.path).name if desk else "",
            here=_here(request),
            signed_in=bool("app" in request.scope and request.app.state.token),
            **context,
        )
    )
    return HTMLResponse(body, status_code=status, headers=dict(headers) if headers else None)


def _part_alone(request: Request) -> bool:
    """Whether a script of the page renews what was found, and has the frame already."""
    return request.headers.get("x-part") == "results"


WAIT = 0.01
"""Seconds after which a slow view shows its frame and goes on working."""
_GAP = "\ue000"


async def shown_slowly(
    request: Request,
    template: str,
    part: str,
    work: Awaitable[None],
    *,
    view: str,
    title: str | Callable[[], str],
    context: dict[str, Any],
    told: bool = True,
    then: tuple[str, Callable[[], Awaitable[None]]] | None = None,
) -> Response:
    """A view whose results may take a while: ready within a moment it is an ordinary page; else
    its frame is sent at once, and the results (``part``) follow in the same page, without any
    script. ``work`` fills the context, problems included; ``told`` says whether they decide the
    status. What comes ``then`` is a part of the results that takes longer than the rest of them: a
    template, and the work that begins when the first is done. A title may be known only by what
    the work has read: then it is asked for when the first byte leaves."""
    task = asyncio.ensure_future(work)
    try:
        if _part_alone(request):
            await task
            template = part
        done, _ = await asyncio.wait({task}, timeout=WAIT)
    except asyncio.CancelledError:
        task.cancel()  # whoever asked has left
        raise
    if done:
        task.result()
        problem = context["problem"]
        status = problem.status if problem and told else 200
        if then is not None and not problem:
            part, more = then
            return await shown_slowly(
                request, template, part, more(), view=view, title=title, context=context
            )
        name = title if isinstance(title, str) else title()
        return shown(request, template, view=view, title=name, status=status, **context)

    def made(name: str, **more: Any) -> str:
        head = title if isinstance(title, str) else title()
        return bytes(shown(request, name, view=view, title=head, **context, **more).body).decode()

    async def pieces() -> AsyncIterator[str]:
        nested = {"frame": True} if then is not None else {}
        head, _, tail = made(template, gap=_GAP, **nested).partition(_GAP)
        last = part
        try:
            yield head + WAITING
            await task
            if then is not None and not context["problem"]:
                before, _, after = made(part, gap=_GAP).partition(_GAP)
                last, tail = then[0], after + tail
                yield before + WAITING
                await then[1]()
        except (asyncio.CancelledError, GeneratorExit):
            task.cancel()
            raise
        except Exception as error:
            # The page has begun: it ends with what can be said.
            _noted(error)
            yield FAILED + tail
            return
        yield made(last) + tail

    # What was wrong before the work began (with a form that was sent) decides the status here too.
    known = context["problem"]
    status = known.status if known and told else 200
    return StreamingResponse(pieces(), media_type="text/html", status_code=status)


MAIN = '<main id="main" tabindex="-1">'
"""Where a view's own part begins in every page."""
Answer = Callable[[], Awaitable[Response]]


async def framed(
    request: Request,
    before: Awaitable[object],
    answer: Answer,
    *,
    view: str,
    title: str,
    at_once: bool = False,
) -> Response:
    """A view that must know something ``before`` its first line: where that takes longer than a
    moment (or ``at_once``), the menu is sent first, and the view follows in the same page. Whoever
    asks for the results alone gets no frame, however long it takes."""
    if _part_alone(request):
        await before
        return await answer()
    task = asyncio.ensure_future(before)
    if not at_once:
        try:
            done, _ = await asyncio.wait({task}, timeout=WAIT)
        except asyncio.CancelledError:
            task.cancel()  # whoever asked has left
            raise
        if done:
            task.result()
            return await answer()

    async def both() -> Response:
        await task
        return await answer()

    pieces = _around(request, asyncio.ensure_future(both()), view, title)
    return StreamingResponse(pieces, media_type="text/html")


async def _around(
    request: Request, task: asyncio.Future[Response], view: str, title: str
) -> AsyncIterator[str]:
    """The frame, then what an answer has in it."""
    frame = bytes(shown(request, "frame.html", view=view, title=title, gap=_GAP).body).decode()
    head, _, tail = frame.partition(_GAP)
    try:
        yield head + WAITING
        try:
            response = await task
        except OslerError as error:
            response = problem_page(request, problem_of(error))
        if isinstance(response, StreamingResponse):
            begun = ""
            async for piece in response.body_iterator:
                text = piece if isinstance(piece, str) else bytes(piece).decode()
                if MAIN in begun:
                    yield text
                else:
                    begun += text
                    yield begun.partition(MAIN)[2]
        else:
            yield bytes(response.body).decode().partition(MAIN)[2]
    except (asyncio.CancelledError, GeneratorExit):
        task.cancel()
        raise
    except Exception as error:
        _noted(error)
        yield FAILED + tail


def _noted(error: Exception) -> None:
    """An error that nobody foresaw, by its place alone."""
    log.error("%s at\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))


FAILED = (
    '<div class="problem" role="alert"><p><b>Something went wrong in the server.</b></p>'
    "<p>Its log says where.</p></div>"
)
WAITING = '<p class="waiting" role="status">Working on it</p>'


def _here(request: Request) -> str:
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


def problem_page(
    request: Request, problem: Problem, headers: Mapping[str, str] | None = None
) -> HTMLResponse:
    return shown(
        request,
        "problem.html",
        view="",
        title=problem.title,
        status=problem.status,
        headers=headers,
        problem=problem,
    )


FIELDS = 200
"""Fields that a form may have."""


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a posted form (urlencoded: no view sends files)."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=FIELDS))
    except ValueError:
        raise LimitError(f"the form has more than {FIELDS} fields") from None


def back_to(value: str) -> str:
    """Where a form goes back to: a path of this site, never another one."""
    own = value.startswith("/") and not value.startswith("//") and "\\" not in value
    return value if own and value.isprintable() else "/"


def opens_browser() -> bool:
    """Whether this machine has a screen to open a browser on."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or os.name == "nt"
