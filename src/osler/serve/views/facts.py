"""The claim view: one box; papers in three columns by the side that they take."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.claims.judge import MAX_CLAIM
from osler.claims.verdict import NO_EFFECT, REFUTES, SUPPORTS
from osler.errors import LimitError, OslerError
from osler.serve.desk import Desk
from osler.serve.export import hits_file
from osler.serve.models import ClaimHits
from osler.serve.page import shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.shown import hit_views, no_types
from osler.settings import MAX_PAGE
from osler.verbs.stance import ClaimRequest, stance, stance_of

router = APIRouter()

SHOWN = min(50, MAX_PAGE.get())


def _claim(request: Request) -> str:
    claim = " ".join(request.query_params.get("claim", "").split())
    if len(claim) > MAX_CLAIM:
        raise LimitError(f"the claim has {len(claim):,} characters, {MAX_CLAIM:,} at most")
    return claim


def _judged(reader: Reader, claim: str) -> ClaimHits:
    request = ClaimRequest(claim=claim, k=SHOWN)
    return ClaimHits.of_claim(stance(reader, request), limit=SHOWN)


def columns(found: ClaimHits) -> list[tuple[str, str, list[Any]]]:
    """Supports, against, no side: each with its hits and what is told of them."""
    views = hit_views(found.hits, type_of=no_types)
    told = [(view, stance_of(hit)) for view, hit in zip(views, found.hits, strict=True)]
    sided = {SUPPORTS: "for", REFUTES: "against", NO_EFFECT: "against"}
    parts = {"for": "Supports it", "against": "Refutes it or found no effect", "": "Takes no side"}
    return [
        (key, label, [one for one in told if one[1] and sided.get(one[1].stance, "") == key])
        for key, label in parts.items()
    ]


@router.get("/facts")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    context: dict[str, Any] = {"claim": "", "found": None, "columns": [], "problem": None}

    def look(reader: Reader) -> None:
        found = _judged(reader, context["claim"])
        context["found"] = found
        context["columns"] = columns(found)

    async def work() -> None:
        try:
            context["claim"] = _claim(request)
            if context["claim"]:
                await desk.run(look, lane="think")
        except OslerError as error:
            context["problem"] = problem_of(error)

    context["claim"] = " ".join(request.query_params.get("claim", "").split())[:MAX_CLAIM]
    return await shown_slowly(
        request,
        "facts.html",
        "facts_results.html",
        work(),
        view="facts",
        title="Facts",
        context=context,
    )


@router.get("/facts.{format}")
async def export(request: Request, format: str) -> Response:
    desk: Desk = request.app.state.desk
    claim = _claim(request)

    def work(reader: Reader) -> Response:
        found = _judged(reader, claim)
        return hits_file(
            "claim",
            format,
            found,
            found.hits,
            tag="stance",
            documents=lambda: list(reader.documents([hit.id for hit in found.hits])),
        )

    return await desk.run(work, lane="think")
