"""The brief: a question, and one page of quotes; also as a file."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.brief import Brief, parts
from osler.brief.files import MEDIA, known, written
from osler.claims.judge import MAX_CLAIM
from osler.errors import LimitError, OslerError
from osler.explain.sides_svg import sides_chart
from osler.serve.desk import Desk
from osler.serve.page import link, ready, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.verbs.brief import BriefRequest, brief

router = APIRouter()
LABELS = {"html": "HTML", "docx": "Word", "md": "Markdown", "json": "JSON"}


def _question(request: Request) -> str:
    question = " ".join(request.query_params.get("question", "").split())
    if len(question) > MAX_CLAIM:
        raise LimitError(f"the question has {len(question):,} characters, {MAX_CLAIM:,} at most")
    return question


def shown(page: Brief) -> dict[str, Any]:
    """What the template sets."""
    chart = sides_chart(page.designs, tuple(page.sides), about="Papers by design and side")
    return {
        "page": page,
        "chart": ready(chart) if chart else "",
        "parts": [
            (heading, [(quote, parts.told(quote), parts.place(quote)) for quote in quotes])
            for heading, quotes in parts.quoted(page)
        ],
        "searched": [*parts.searched(page), *page.notes],
        "files": [
            (label, link(f"/brief.{ending}", question=page.question))
            for ending, label in LABELS.items()
        ],
    }


@router.get("/brief")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    context: dict[str, Any] = {"question": "", "page": None, "problem": None}

    def look(reader: Reader) -> None:
        context.update(shown(brief(reader, BriefRequest(question=context["question"]))))

    async def work() -> None:
        try:
            context["question"] = _question(request)
            if context["question"]:
                await desk.run(look, lane="think")
        except OslerError as error:
            context["problem"] = problem_of(error)

    context["question"] = " ".join(request.query_params.get("question", "").split())[:MAX_CLAIM]
    return await shown_slowly(
        request,
        "brief.html",
        "brief_results.html",
        work(),
        view="brief",
        title="Brief",
        context=context,
    )


@router.get("/brief.{ending}")
async def export(request: Request, ending: str) -> Response:
    """The page as a file."""
    desk: Desk = request.app.state.desk
    known(ending)
    wanted = BriefRequest(question=_question(request))

    def work(reader: Reader) -> Response:
        return Response(
            written(brief(reader, wanted), ending),
            media_type=MEDIA[ending],
            headers={"Content-Disposition": f'attachment; filename="osler-brief.{ending}"'},
        )

    return await desk.run(work, lane="think")
