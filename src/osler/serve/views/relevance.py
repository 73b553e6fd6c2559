"""The grade view: a fact, papers in four columns, the words that carried each grade."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from osler.errors import InputError, NeedsError, OslerError
from osler.grade.scale import PLAIN
from osler.knowledge.graph import IS_A
from osler.serve.beginnings import triples_of
from osler.serve.desk import Desk
from osler.serve.export import hits_file
from osler.serve.models import Hits
from osler.serve.page import framed, shown_slowly
from osler.serve.problems import problem_of
from osler.serve.reader import Reader
from osler.serve.shown import hit_views
from osler.serve.views.papers import types_of
from osler.settings import MAX_NAME, MAX_PAGE
from osler.verbs.fact_ends import shown_name
from osler.verbs.grade import GradeRequest, grade

router = APIRouter()

GRADES = tuple((grade, f"{plain[0].upper()}{plain[1:]}") for grade, plain in PLAIN.items())
SHOWN = 40


def _fact(request: Request) -> tuple[str, str, str]:
    head, relation, tail = (
        " ".join(request.query_params.get(name, "").split())
        for name in ("head", "relation", "tail")
    )
    if max(len(head), len(relation), len(tail)) > MAX_NAME.get():
        raise InputError("a name of the fact is too long")
    return head, relation, tail


def _grade(reader: Reader, fact: tuple[str, str, str], limit: int) -> Hits:
    """A whole page is graded: what is exported next is then there already."""
    head, relation, tail = fact
    request = GradeRequest(head=head, relation=relation, tail=tail, k=MAX_PAGE.get())
    return Hits.of(grade(reader, request), limit=limit)


@router.get("/facts/relevance")
async def view(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    head, relation, tail = _fact(request)
    context: dict[str, Any] = {"head": head, "relation": relation, "tail": tail, "problem": None}
    context.update(columns=[], relations=[], facts=[], found=None, notices=[])

    def relations(reader: Reader) -> None:
        try:
            context["relations"] = [r for r in reader.graph.relations if r != IS_A][:200]
            if not (head and relation and tail):
                context["facts"] = triples_of(reader, 6)
        except NeedsError as error:
            context["notices"].append(str(error))

    def look(reader: Reader) -> None:
        found = _grade(reader, (head, relation, tail), SHOWN)
        views = hit_views(found.hits, type_of=types_of(reader))
        context["found"] = found
        context["head_name"], context["tail_name"] = (
            shown_name(reader, end) for end in (head, tail)
        )
        context["columns"] = [
            (letter, name, [view for view in views if view.grade == letter])
            for letter, name in GRADES
        ]

    async def work() -> None:
        try:
            if head and relation and tail:
                await desk.run(look, lane="think")
            elif head or relation or tail:
                raise InputError("a fact has a head, a relation and a tail", cure="name all three")
        except OslerError as error:
            context["problem"] = problem_of(error)

    async def answer() -> Response:
        return await shown_slowly(
            request,
            "relevance.html",
            "relevance_results.html",
            work(),
            view="facts",
            title="Facts by relevance",
            context=context,
        )

    title = "Facts by relevance"
    return await framed(request, desk.run(relations), answer, view="facts", title=title)


@router.get("/facts/relevance.{format}")
async def export(request: Request, format: str) -> Response:
    desk: Desk = request.app.state.desk
    fact = _fact(request)

    def work(reader: Reader) -> Response:
        found = _grade(reader, fact, MAX_PAGE.get())
        return hits_file(
            "grade",
            format,
            found,
            found.hits,
            tag=found.method or "grade",
            documents=lambda: list(reader.documents([hit.id for hit in found.hits])),
        )

    return await desk.run(work, lane="think")
