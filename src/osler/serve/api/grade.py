"""``/grade``: papers graded by how far they are about a fact."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter

from osler.grade.grader import graders
from osler.serve.answers import Json, told
from osler.serve.api.params import At, Choice, Limit, Name
from osler.serve.models import Hits
from osler.settings import MAX_PAGE
from osler.verbs.grade import GradeRequest, grade

router = APIRouter(tags=["grade"])

Method = Annotated[str, Choice(graders)]


@router.get("/grade", **told(Hits, 400, 404, 409))
async def grade_fact(
    at: At,
    head: Name,
    relation: Name,
    tail: Name,
    limit: Limit = 50,
    method: Method | None = None,
    without_model: bool = False,
) -> Json:
    """Papers graded H (highly), F (fairly), M (marginally) or I (not relevant) for a fact, each
    with the words that carried the grade. ``model`` names the trained grader at work; without one
    rules grade."""
    request = GradeRequest(
        head=head,
        relation=relation,
        tail=tail,
        # A whole page: what is asked for next, or exported, is then there already.
        k=MAX_PAGE.get(),
        method=method,
        without_model=without_model,
    )
    ranking = await at.run(lambda reader: grade(reader, request), lane="think")
    return Json(Hits.of(ranking, limit=limit))
