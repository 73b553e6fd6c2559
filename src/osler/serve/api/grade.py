"""``/grade``: papers graded by how far they support a fact."""

from __future__ import annotations

from fastapi import APIRouter

from osler.serve.answers import Json, told
from osler.serve.api.params import At, Limit, Name
from osler.serve.models import Hits
from osler.serve.verbs.facts import grade

router = APIRouter(tags=["grade"])


@router.get("/grade", **told(Hits, 400, 404, 409))
async def grade_fact(at: At, head: Name, relation: Name, tail: Name, limit: Limit = 50) -> Json:
    """Papers graded H (highly), F (fairly), M (marginally) or I (not relevant) for a fact, each
    with the words that carried the grade. Needs a trained grader."""
    found = await at.run(
        lambda reader: grade(reader, head, relation, tail, limit=limit), lane="think"
    )
    return Json(found)
