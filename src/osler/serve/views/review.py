"""The review view: projects, and one project at a glance; its forms and its files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from osler.errors import ChoiceError, InputError
from osler.review.entries import STAGES, Stage
from osler.review.estimate_svg import estimate_svg
from osler.review.flow import flow_lines
from osler.review.flow_drawing import flow_png, flow_svg
from osler.serve.api.projects import MEDIA
from osler.serve.desk import Desk
from osler.serve.export import json_file
from osler.serve.page import form_of, framed, link, ready, shown
from osler.serve.problems import Problem, problem_of
from osler.serve.reader import Reader
from osler.serve.sent_file import sent_file
from osler.verbs.overview import ProjectLine, line_of
from osler.verbs.project_files import formats, suffix_of
from osler.verbs.projects import plain_name
from osler.verbs.screening import estimate_of, over_time

router = APIRouter()

TEXTS = ("question", "population", "intervention", "comparison", "outcome", "criteria")
LISTS = ("sources", "reasons", "highlights")
NAMES: dict[Stage, str] = {"abstract": "title and abstract", "full text": "full text"}
PICTURES = {"svg": "image/svg+xml", "png": "image/png", "json": "application/json"}


def place_of(name: str, rest: str = "", **parameters: Any) -> str:
    """An address of a project's."""
    return link(f"/review/{quote(name, safe='')}{rest}", **parameters)


def stage_of(text: str | None) -> Stage:
    """A stage as an address or a form names it; nonsense is the first."""
    return next((stage for stage in STAGES if stage == text), "abstract")


def person_of(request: Request) -> str:
    """Who reads, as the address says."""
    return " ".join(request.query_params.get("by", "").split())[:100]


def card_of(fields: dict[str, str]) -> dict[str, Any]:
    """A project's card out of a form: lists stand one a line."""
    card: dict[str, Any] = {name: fields[name].strip() for name in TEXTS if name in fields}
    card |= {name: fields[name].splitlines() for name in LISTS if name in fields}
    if fields.get("reviewers", "").strip():
        if not fields["reviewers"].strip().isdecimal():
            raise InputError("how many must agree is a number")
        card["reviewers"] = int(fields["reviewers"][:4])
    return card


@router.get("/review")
async def projects(request: Request) -> Response:
    return await _listed(request)


async def _listed(
    request: Request, problem: Problem | None = None, fields: dict[str, str] | None = None
) -> Response:
    def work(reader: Reader) -> list[ProjectLine]:
        return [line_of(reader.projects.get(name)) for name in reader.projects.names()]

    desk: Desk = request.app.state.desk
    projects = asyncio.ensure_future(desk.run(work))

    async def answer() -> Response:
        return shown(
            request,
            "review.html",
            view="review",
            title="Review",
            status=problem.status if problem else 200,
            projects=projects.result(),
            place_of=place_of,
            problem=problem,
            fields=fields or {},
        )

    return await framed(request, projects, answer, view="review", title="Review")


@router.post("/review")
async def begin(request: Request) -> Response:
    """A new project out of the form."""
    desk: Desk = request.app.state.desk
    fields = await form_of(request)
    name = plain_name(fields.get("name", ""))
    try:
        card = card_of(fields)
        await desk.run(lambda reader: reader.projects.new(name, **card), lane="write")
    except InputError as error:
        return await _listed(request, problem_of(error), fields)
    return RedirectResponse(place_of(name), status_code=303)


@router.get("/review/{name}")
async def project(request: Request, name: str) -> Response:
    return await _overview(request, name)


async def _overview(request: Request, name: str, problem: Problem | None = None) -> Response:
    desk: Desk = request.app.state.desk
    context: dict[str, Any] = {"problem": problem, "formats": formats(), "names": NAMES}

    def work(reader: Reader) -> None:
        now = reader.projects.overview(name)
        folded = reader.projects.get(name)
        titles = {
            one.id: one.title
            for one in reader.documents([id for group in now.groups for id in group.documents])
        }
        context["now"] = now
        context["changes"] = len(folded.card_changes())
        context["titles"] = titles
        context["flow"] = ready(flow_svg(now.flow, title=f"PRISMA flow of {name}"))
        context["lines"] = flow_lines(now.flow)
        context["estimates"] = [
            (line, estimate, ready(_curve(folded, line.reviewer, line.stage)))
            for line in now.reviewers
            if (estimate := estimate_of(folded, line.reviewer, line.stage))
        ]

    title = f"{name[:60]} - Review"

    async def answer() -> Response:
        return shown(
            request,
            "review_project.html",
            view="review",
            title=title,
            status=problem.status if problem else 200,
            place_of=place_of,
            by=person_of(request),
            **context,
        )

    return await framed(request, desk.run(work), answer, view="review", title=title)


def _curve(folded: Any, reviewer: str, stage: Stage) -> str:
    moments = over_time(folded, reviewer, stage)
    estimate = estimate_of(folded, reviewer, stage)
    total = estimate.total if estimate else 0
    return estimate_svg(moments, total, about=f"share found by {reviewer}, {NAMES[stage]}")


async def _changed(
    request: Request, name: str, work: Callable[[Reader], object], *, back: str = ""
) -> Response:
    """Do what a form asks for, and go back; what is wrong is told on the project's page."""
    desk: Desk = request.app.state.desk
    try:
        await desk.run(work, lane="write")
    except InputError as error:
        return await _overview(request, name, problem_of(error))
    return RedirectResponse(back or place_of(name), status_code=303)


@router.post("/review/{name}/card")
async def change_card(request: Request, name: str) -> Response:
    fields = await form_of(request)
    return await _changed(
        request, name, lambda reader: reader.projects.edit(name, **card_of(fields))
    )


@router.post("/review/{name}/away")
async def put_away(request: Request, name: str) -> Response:
    """Put a review apart from those at work, or (``back``) among them again."""
    away = "back" not in await form_of(request)
    return await _changed(request, name, lambda reader: reader.projects.edit(name, put_away=away))


@router.post("/review/{name}/card/undo")
async def undo_card(request: Request, name: str) -> Response:
    return await _changed(request, name, lambda reader: reader.projects.undo_card(name))


@router.post("/review/{name}/search")
async def run_search(request: Request, name: str) -> Response:
    fields = await form_of(request)
    return await _changed(
        request,
        name,
        lambda reader: reader.projects.search(
            name, fields.get("query", ""), source=fields.get("source", "")
        ),
    )


@router.post("/review/{name}/import")
async def import_text(request: Request, name: str) -> Response:
    """References out of the form's text: no view sends files, a script puts one into the field."""
    fields = await form_of(request)

    def work(reader: Reader) -> None:
        with sent_file(fields.get("text", "").replace("\r\n", "\n")) as file:
            reader.projects.import_file(
                name,
                file,
                source=fields.get("source", "").strip(),
                query=fields.get("query", "").strip(),
                named=fields.get("named", "").strip()[:200] or "pasted text",
            )

    return await _changed(request, name, work)


@router.post("/review/{name}/group")
async def group(request: Request, name: str) -> Response:
    fields = await form_of(request)
    apart, who = fields.get("apart", ""), fields.get("by", "")

    def work(reader: Reader) -> object:
        if apart:
            return reader.projects.ungroup(name, apart, reviewer=who)
        return reader.projects.group(name, reviewer=who)

    return await _changed(request, name, work, back=place_of(name) + "#duplicates")


@router.get("/review/{name}/prisma.{format}")
async def prisma(request: Request, name: str, format: str) -> Response:
    """The flow as a picture, or its counts."""
    desk: Desk = request.app.state.desk
    if format not in PICTURES:
        raise ChoiceError("format", format, PICTURES)

    def work(reader: Reader) -> bytes:
        flow = reader.projects.prisma(name)
        title = f"PRISMA flow of {name}"
        if format == "json":
            return json_file(flow)
        if format == "png":
            return flow_png(flow, title=title)
        return flow_svg(flow, title=title).encode()

    body = await desk.run(work)
    return Response(body, media_type=PICTURES[format], headers=_attached(f"prisma.{format}"))


@router.get("/review/{name}/export.{format}")
async def export(request: Request, name: str, format: str) -> Response:
    """The project in another program's format, or its whole log."""
    desk: Desk = request.app.state.desk
    suffix = suffix_of(format)
    body = await desk.run(lambda reader: reader.projects.export(name, format))
    return Response(body, media_type=MEDIA[suffix], headers=_attached(f"{format}.{suffix}"))


def _attached(file: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="osler-{file}"'}
